//! `bantam convert`: files and streams; folders are next door.

use super::args::Convert;
use super::files::{STANDARD, format, format_of_name, framing, packed, read_counted, shown, write_each};
use super::stop::Stop;
use super::{ALL_WELL, SOME_FAILED, archive, print, summary, tell};
use bantam::archive::{Failure, Notes, Summary};
use bantam::formats::Format;
use bantam::{Converted, Job, Request, Session, Target};
use std::fs;
use std::path::Path;
use std::time::Instant;

pub(super) fn run(args: &Convert) -> Result<u8, Stop> {
    if args.json && args.output == STANDARD {
        return Err(Stop::Usage(
            "with --json, standard output is for the summary; name a file for the output".to_owned(),
        ));
    }
    let request = Request { framing: framing(args.from_framing.as_deref()), ..args.reading.request()? };
    if args.input != STANDARD && Path::new(&args.input).is_dir() {
        return archive::run(args, request);
    }
    let folder = &args.folder;
    for (given, name) in [(folder.newer, "--newer"), (folder.latest, "--latest"), (!folder.only.is_empty(), "--only")] {
        if given {
            return Err(Stop::Usage(format!("{name} is for folders, and {} is none", shown(&args.input))));
        }
    }
    let format = format(args.to.as_deref()).or_else(|| format_of_name(&args.output)).ok_or_else(|| {
        let shown = if args.output == STANDARD { "standard output" } else { &args.output };
        Stop::Usage(format!("which format shall {shown} have? Name it with --to (see `bantam formats`)"))
    })?;
    let job = job(args, request, format)?;
    if args.json { with_summary(args, job) } else { plain(args, &job) }
}

/// What is asked for, if the format has the framing.
pub(super) fn job(args: &Convert, request: Request, format: &'static Format) -> Result<Job, Stop> {
    let target = Target { format, framing: framing(args.to_framing.as_deref().or(args.framing.as_deref())) };
    if let Some(missing) = target.framing.filter(|&f| !format.has(f)) {
        return Err(Stop::Usage(format.no_framing(missing).to_string()));
    }
    Ok(Job { request, target, binary_framing: framing(args.framing.as_deref()), drop_unknown: args.drop_unknown })
}

fn plain(args: &Convert, job: &Job) -> Result<u8, Stop> {
    let (converted, _) = converted(args, job.clone())?;
    for text in converted.notes {
        tell(&text, shown(&args.input));
    }
    write_each(&args.output, &packed(&args.output, converted.documents)?, job.target.format)?;
    Ok(ALL_WELL)
}

/// The output, with the bytes of the input as they were read.
fn converted(args: &Convert, job: Job) -> Result<(Converted, u64), Stop> {
    let (input, bytes) = read_counted(&args.input, args.reading.max_expanded)?;
    let converted = Session::new(job).convert(&input).map_err(|e| Stop::in_file(shown(&args.input), &e))?;
    let is_itself = || fs::canonicalize(&args.output).is_ok_and(|to| fs::canonicalize(&args.input).ok() == Some(to));
    if converted.from.only().is_some() && is_itself() {
        let text = format!("the output would overwrite {}, and holds less; name another file", args.input);
        return Err(Stop::Usage(text));
    }
    Ok((converted, bytes))
}

/// Converts one file and prints what came of it as data.
fn with_summary(args: &Convert, job: Job) -> Result<u8, Stop> {
    let started = Instant::now();
    let format = job.target.format;
    let mut summary = Summary { files: 1, ..Summary::default() };
    let work = || -> Result<(), Stop> {
        let (converted, before) = converted(args, job)?;
        let documents = packed(&args.output, converted.documents)?;
        write_each(&args.output, &documents, format)?;
        let after = documents.iter().map(|d| d.len() as u64).sum();
        summary.add(converted.records, converted.quakes, before, after);
        let mut notes = Notes::default();
        notes.add(converted.notes, Path::new(&args.input));
        summary.notes = notes.finish();
        Ok(())
    };
    match work() {
        Ok(()) => {}
        Err(Stop::Failed { error, .. }) => summary.failed.push(Failure::new(Path::new(&args.input), error)),
        Err(other) => return Err(other),
    }
    print(&summary::json(args, format, &summary, started.elapsed()))?;
    Ok(if summary.failed.is_empty() { ALL_WELL } else { SOME_FAILED })
}
