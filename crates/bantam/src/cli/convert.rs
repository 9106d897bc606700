//! `bantam convert`: files, folders and streams.

use super::args::Convert;
use super::files::{STANDARD, compressor, extension, format, format_of_name, framing, packed, read, shown, write_each};
use super::stop::Stop;
use super::{ALL_WELL, SOME_FAILED, note, progress_bar};
use bantam::formats::Format;
use bantam::{Dataset, Note, Request, Schemas, Target, detect, quake};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What takes longer shows its progress.
const SHORT: Duration = Duration::from_secs(1);

pub(super) fn run(args: &Convert) -> Result<u8, Stop> {
    let request = Request { framing: framing(args.from_framing.as_deref()), ..args.reading.request()? };
    if args.input != STANDARD && Path::new(&args.input).is_dir() {
        return folder(args, &request);
    }
    let format = format(args.to.as_deref()).or_else(|| format_of_name(&args.output)).ok_or_else(|| {
        let shown = if args.output == STANDARD { "standard output" } else { &args.output };
        Stop::Usage(format!("which format shall {shown} have? Name it with --to (see `bantam formats`)"))
    })?;
    let target = target(args, format)?;
    let Converted { documents, notes } = converted(args, &request, &args.input, target)?;
    for text in notes {
        note(&format!("{}: {text}", shown(&args.input)));
    }
    write_each(&args.output, &packed(&args.output, documents)?, format)?;
    Ok(ALL_WELL)
}

/// The format with the framing that is asked for, if the format has it.
fn target(args: &Convert, format: &'static Format) -> Result<Target, Stop> {
    let framing = framing(args.to_framing.as_deref().or(args.framing.as_deref()));
    match framing.filter(|&f| !format.has(f)) {
        Some(missing) => Err(Stop::Usage(format.no_framing(missing).to_string())),
        None => Ok(Target { format, framing }),
    }
}

/// The documents of one input, and what there is to say.
struct Converted {
    documents: Vec<Vec<u8>>,
    notes: Vec<Note>,
}

fn converted(args: &Convert, request: &Request, from: &str, target: Target) -> Result<Converted, Stop> {
    let input = read(from, args.reading.max_expanded)?;
    let in_file = |e: &bantam::model::Error| Stop::in_file(shown(from), e);
    let source = match request.from {
        Some(format) => format,
        None => detect(&input).map_err(|e| in_file(&e))?,
    };
    let mut request = Request { from: Some(source), ..request.clone() };
    if request.schemas.is_none() && target.format.only() == Some(quake::MESSAGE) {
        request.schemas = Schemas::quake();
    }
    if request.framing.is_none() && !source.text {
        request.framing = framing(args.framing.as_deref());
    }
    request.keep_unknown = source.name == "protobuf" && target.format.name == "protobuf" && !args.drop_unknown;
    let mut dataset = Dataset::read(&input, &request).map_err(|e| in_file(&e))?;
    let written = target.convert(&dataset).map_err(|e| in_file(&e))?;
    let mut notes = std::mem::take(&mut dataset.notes);
    notes.extend(dataset.lowered.or(written.lowered).texts().map(|t| Note::Text(t.to_owned())));
    Ok(Converted { documents: written.documents, notes })
}

/// Converts every file below a folder into a folder of the same shape, going on past bad ones.
fn folder(args: &Convert, request: &Request) -> Result<u8, Stop> {
    let format = format(args.to.as_deref())
        .ok_or_else(|| Stop::Usage("a folder is converted to the format that --to names".to_owned()))?;
    let output = Path::new(&args.output);
    if args.output == STANDARD || output.is_file() {
        return Err(Stop::Usage("a folder is converted into a folder".to_owned()));
    }
    let target = target(args, format)?;
    let mut found = Found {
        without: real(output).filter(|o| real(Path::new(&args.input)).as_ref() != Some(o)),
        ..Found::default()
    };
    found.list(Path::new(&args.input)).map_err(|e| Stop::io(&args.input, &e))?;
    let mut work = Folder { args, request, target, inputs: &found, made: HashSet::new(), notes: Notes::default() };
    let mut failed = Vec::new();
    let (started, mut bar) = (Instant::now(), None);
    for (at, file) in found.files.iter().enumerate() {
        if started.elapsed() > SHORT {
            let bar = bar.get_or_insert_with(progress_bar);
            bar.set_length(found.files.len() as u64);
            bar.set_position(at as u64);
            bar.set_message(file.display().to_string());
        }
        match work.convert(file) {
            Ok(()) => {}
            Err(Stop::BrokenPipe) => return Err(Stop::BrokenPipe),
            Err(stop) => failed.push(stop),
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    work.notes.show();
    found.passed.iter().for_each(|(path, why)| note(&format!("{}: {why}", path.display())));
    let whole = found.files.len() - failed.len();
    // Progress that cannot be written has no reader.
    let _ = writeln!(anstream::stderr(), "{whole} of {} files converted", found.files.len());
    let code = if failed.is_empty() { ALL_WELL } else { SOME_FAILED };
    for stop in failed {
        let _ = stop.report();
    }
    Ok(code)
}

/// A folder on its way.
struct Folder<'a> {
    args: &'a Convert,
    request: &'a Request,
    target: Target,
    inputs: &'a Found,
    /// The outputs of this run.
    made: HashSet<PathBuf>,
    notes: Notes,
}

impl Folder<'_> {
    fn convert(&mut self, file: &Path) -> Result<(), Stop> {
        let from = file.to_string_lossy();
        let failed = |error: String| Stop::Failed { what: from.clone().into_owned(), error };
        let to = self.output_of(file);
        if self.made.contains(&to) {
            return Err(failed(format!("{} is another file's output already", to.display())));
        }
        if let Some(other) = real(&to).filter(|to| self.inputs.real.contains(to) && real(file).as_ref() != Some(to)) {
            return Err(failed(format!("its output would overwrite the input {}", other.display())));
        }
        let Converted { documents, notes } = converted(self.args, self.request, &from, self.target)?;
        self.made.insert(to.clone());
        let to = if documents.len() > 1 { to.with_extension("") } else { to };
        let parent = to.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(|e| Stop::io(&parent.to_string_lossy(), &e))?;
        write_each(&to.to_string_lossy(), &documents, self.target.format)?;
        for text in notes {
            self.notes.add(text.to_string(), &from);
        }
        Ok(())
    }

    fn output_of(&self, file: &Path) -> PathBuf {
        let relative = file.strip_prefix(&self.args.input).unwrap_or(file);
        let mut to = Path::new(&self.args.output).join(relative);
        if compressor(&to.to_string_lossy()).is_some() {
            to.set_extension("");
        }
        to.set_extension(extension(self.target.format));
        to
    }
}

/// What there is to say of many files, once for all that it is true of.
#[derive(Default)]
struct Notes {
    texts: Vec<(String, String, usize)>,
    places: HashMap<String, usize>,
}

impl Notes {
    fn add(&mut self, text: String, file: &str) {
        let at = *self.places.entry(text.clone()).or_insert(self.texts.len());
        if at == self.texts.len() {
            self.texts.push((text, file.to_owned(), 0));
        }
        self.texts[at].2 += 1;
    }

    fn show(&self) {
        for (text, file, files) in &self.texts {
            let more = if *files > 1 { format!(" and {} more", files - 1) } else { String::new() };
            note(&format!("{file}{more}: {text}"));
        }
    }
}

/// What lies below a folder.
#[derive(Default)]
struct Found {
    /// All files, in the order of their names.
    files: Vec<PathBuf>,
    /// Where they really are.
    real: HashSet<PathBuf>,
    /// What is not looked at, and why.
    passed: Vec<(PathBuf, &'static str)>,
    /// The folder of the outputs, which are no inputs of a second run.
    without: Option<PathBuf>,
}

impl Found {
    fn list(&mut self, folder: &Path) -> io::Result<()> {
        if self.without.is_some() && real(folder) == self.without {
            return Ok(());
        }
        let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            let kind = entry.file_type()?;
            if kind.is_dir() {
                self.list(&path)?;
            } else if path.is_dir() {
                // It could lead round in a circle.
                self.passed.push((path, "a link to a folder, not followed"));
            } else if path.exists() && !path.is_file() {
                // Reading a pipe could wait for ever.
                self.passed.push((path, "not a file, passed over"));
            } else {
                self.real.extend(real(&path));
                self.files.push(path);
            }
        }
        Ok(())
    }
}

/// The path without links and detours, if there is something.
fn real(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}
