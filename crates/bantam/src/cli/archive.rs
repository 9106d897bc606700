//! `bantam convert` of folders: what is shown on the way, and at the end.

use super::args::Convert;
use super::convert::job;
use super::files::{STANDARD, format, format_of_name};
use super::stop::Stop;
use super::{ALL_WELL, SOME_FAILED, print, progress_bar, summary};
use bantam::Request;
use bantam::archive::{Archive, Error, Output, Progress};
use indicatif::{HumanDuration, ProgressBar};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What takes longer shows its progress.
const SHORT: Duration = Duration::from_secs(1);

pub(super) fn run(args: &Convert, request: Request) -> Result<u8, Stop> {
    if args.output == STANDARD {
        return Err(Stop::Usage("a folder is converted into a folder or a file, not to standard output".to_owned()));
    }
    let output = output(args);
    let format = format(args.to.as_deref()).or_else(|| match &output {
        Output::Document(_) => format_of_name(&args.output),
        Output::Folder(_) => None,
    });
    let format = format.ok_or_else(|| match &output {
        Output::Document(_) => Stop::Usage(format!("which format shall {} have? Name it with --to", args.output)),
        Output::Folder(_) => Stop::Usage("a folder is converted to the format that --to names".to_owned()),
    })?;
    let archive = Archive {
        input: PathBuf::from(&args.input),
        output,
        job: job(args, request, format)?,
        threads: args.folder.jobs.map_or_else(cores, |jobs| jobs as usize),
        newer: args.folder.newer,
        latest: args.folder.latest,
        only: args.folder.only.clone(),
        max_expanded: args.reading.max_expanded,
    };
    let started = Instant::now();
    let mut shown = Shown { started, bar: None };
    let done = archive.convert(&mut |progress| shown.update(progress));
    shown.finish();
    let summary = done.map_err(|error| match error {
        Error::Failed { what, error } => Stop::Failed { what: what.display().to_string(), error },
        Error::Usage(text) => Stop::Usage(text),
        other => Stop::Usage(format!("{other:?}")),
    })?;
    if args.json {
        print(&summary::json(args, format, &summary, started.elapsed()))?;
    } else {
        summary::show(&summary, started.elapsed());
    }
    Ok(if summary.failed.is_empty() { ALL_WELL } else { SOME_FAILED })
}

/// A folder that is there, or a name that looks like one's, stands for a file an input.
fn output(args: &Convert) -> Output {
    let path = PathBuf::from(&args.output);
    let each = args.to_framing.as_deref().or(args.framing.as_deref()) == Some("each");
    let named = args.output.ends_with(std::path::is_separator) || path.extension().is_none();
    let folder = path.is_dir() || (!path.exists() && (named || each));
    if folder { Output::Folder(path) } else { Output::Document(path) }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The bar, as soon as there is one.
struct Shown {
    started: Instant,
    bar: Option<(ProgressBar, bool)>,
}

impl Shown {
    fn update(&mut self, progress: Progress<'_>) {
        let elapsed = self.started.elapsed();
        if elapsed < SHORT {
            return;
        }
        let looking = progress.looking;
        let (bar, phase) = self.bar.get_or_insert_with(|| (progress_bar(), looking));
        if *phase != looking {
            // The second time over the files has a speed of its own.
            (*phase, self.started) = (looking, Instant::now());
            return;
        }
        bar.set_length(progress.of as u64);
        bar.set_position(progress.done as u64);
        bar.set_message(message(progress, elapsed));
    }

    fn finish(self) {
        if let Some((bar, _)) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// `812 files/s, 410.2 MB/s, 5 minutes left, 2015/a.xml`.
fn message(progress: Progress<'_>, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64().max(f64::MIN_POSITIVE);
    let (files, bytes) = (progress.done as f64 / seconds, progress.bytes as f64 / seconds);
    let left = Duration::from_secs_f64((progress.of - progress.done) as f64 / files.max(0.001));
    let step = if progress.looking { "looking for updates, " } else { "" };
    let file = Path::new(progress.file.file_name().unwrap_or_default()).display();
    format!("{step}{files:.0} files/s, {:.1} MB/s, {} left, {file}", bytes / 1e6, HumanDuration(left))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_tells_speed_and_what_is_left() {
        let file = Path::new("2015/a.xml");
        let progress = Progress { looking: false, done: 200, of: 1100, bytes: 50_000_000, file };
        let text = message(progress, Duration::from_secs(2));
        assert_eq!(text, "100 files/s, 25.0 MB/s, 9 seconds left, a.xml");
        let looking = message(Progress { looking: true, done: 1100, ..progress }, Duration::from_secs(2));
        assert_eq!(looking, "looking for updates, 550 files/s, 25.0 MB/s, 0 seconds left, a.xml");
    }
}
