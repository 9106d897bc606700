//! `bantam convert`: files, folders and streams.

use super::args::Convert;
use super::files::{STANDARD, format, framing, read, shown, write};
use super::stop::Stop;
use super::{ALL_WELL, SOME_FAILED, note};
use bantam::formats::Format;
use bantam::{Dataset, Request, Target, by_extension, detect};
use std::collections::HashSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

pub(super) fn run(args: &Convert) -> Result<u8, Stop> {
    let request = Request { framing: framing(args.from_framing.as_deref()), ..args.reading.request()? };
    if args.input != STANDARD && Path::new(&args.input).is_dir() {
        return folder(args, &request);
    }
    let format = target_format(args)?;
    one(args, &request, &args.input, &args.output, format)?;
    Ok(ALL_WELL)
}

fn target_format(args: &Convert) -> Result<&'static Format, Stop> {
    let extension = Path::new(&args.output).extension().and_then(|e| e.to_str());
    format(args.to.as_deref()).or_else(|| extension.and_then(by_extension)).ok_or_else(|| {
        let shown = if args.output == STANDARD { "standard output" } else { &args.output };
        Stop::Usage(format!("which format shall {shown} have? Name it with --to (see `bantam formats`)"))
    })
}

/// Converts one input into one output.
fn one(args: &Convert, request: &Request, from: &str, to: &str, format: &'static Format) -> Result<(), Stop> {
    let input = read(from)?;
    let in_file = |e: &bantam::model::Error| Stop::in_file(shown(from), e);
    let source = match request.from {
        Some(format) => format,
        None => detect(&input).map_err(|e| in_file(&e))?,
    };
    let both = framing(args.framing.as_deref());
    let mut request = Request { from: Some(source), ..request.clone() };
    if request.framing.is_none() && !source.text {
        request.framing = both;
    }
    request.keep_unknown = source.name == "protobuf" && format.name == "protobuf" && !args.drop_unknown;
    let dataset = Dataset::read(&input, &request).map_err(|e| in_file(&e))?;
    dataset.notes.iter().for_each(|n| note(&format!("{}: {n}", shown(from))));
    let framing = framing(args.to_framing.as_deref()).or(both);
    let written = Target { format, framing }.convert(&dataset).map_err(|e| in_file(&e))?;
    for text in dataset.lowered.or(written.lowered).texts() {
        note(&format!("{}: {text}", shown(from)));
    }
    match &written.documents[..] {
        [document] => write(to, document),
        [] => write(to, &[]),
        several => each(to, several, format),
    }
}

/// Writes one file a record into a folder: `0.pb`, `1.pb`, …
fn each(to: &str, documents: &[Vec<u8>], format: &Format) -> Result<(), Stop> {
    if to == STANDARD || Path::new(to).is_file() {
        let text = format!("{} records each by itself need a folder as OUT", documents.len());
        return Err(Stop::Usage(text));
    }
    fs::create_dir_all(to).map_err(|e| Stop::io(to, &e))?;
    let width = documents.len().to_string().len();
    for (at, document) in documents.iter().enumerate() {
        let name = format!("{at:0width$}.{}", extension(format));
        write(&Path::new(to).join(name).to_string_lossy(), document)?;
    }
    Ok(())
}

/// The extension of a format's files; a style has that of the format it is a style of.
fn extension(format: &Format) -> &'static str {
    format.extensions.first().copied().unwrap_or_else(|| {
        let base = format.name.split('-').next().and_then(bantam::formats::find);
        base.and_then(|f| f.extensions.first().copied()).unwrap_or("out")
    })
}

/// Converts every file below a folder into a folder of the same shape, going on past bad ones.
fn folder(args: &Convert, request: &Request) -> Result<u8, Stop> {
    let format = format(args.to.as_deref())
        .ok_or_else(|| Stop::Usage("a folder is converted to the format that --to names".to_owned()))?;
    let output = Path::new(&args.output);
    if args.output == STANDARD || output.is_file() {
        return Err(Stop::Usage("a folder is converted into a folder".to_owned()));
    }
    let input = Path::new(&args.input);
    let mut files = Vec::new();
    list(input, &mut files).map_err(|e| Stop::io(&args.input, &e))?;
    files.retain(|f| !f.starts_with(output) || input.starts_with(output));
    let mut failed = Vec::new();
    let mut made = HashSet::new();
    for file in &files {
        let relative = file.strip_prefix(input).unwrap_or(file);
        let to = output.join(relative).with_extension(extension(format));
        let from = file.to_string_lossy();
        if !made.insert(to.clone()) {
            let error = format!("{} is another file's output already", to.display());
            failed.push(Stop::Failed { what: from.into_owned(), error });
            continue;
        }
        let done = to
            .parent()
            .map_or(Ok(()), |folder| fs::create_dir_all(folder).map_err(|e| Stop::io(&folder.to_string_lossy(), &e)))
            .and_then(|()| one(args, request, &from, &to.to_string_lossy(), format));
        match done {
            Ok(()) => {}
            Err(Stop::BrokenPipe) => return Err(Stop::BrokenPipe),
            Err(stop) => failed.push(stop),
        }
    }
    let whole = files.len() - failed.len();
    let mut stderr = anstream::stderr();
    let _ = writeln!(stderr, "{whole} of {} files converted", files.len());
    let code = if failed.is_empty() { ALL_WELL } else { SOME_FAILED };
    for stop in failed {
        let _ = stop.report();
    }
    Ok(code)
}

/// All files below a folder, in the order of their names.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        // Links are not followed: one could lead round in a circle.
        let kind = entry.file_type()?;
        if kind.is_dir() {
            list(&entry.path(), files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}
