//! Records read from an input: format, framing and schema found or taken.

use crate::detect::detect;
use crate::formats::{Format, Framing};
use crate::inference::infer;
use crate::kept::Kept;
use crate::model::infer::At;
use crate::model::{Batch, Error, ErrorKind, Layout, Limits, Lowerings, Result, compare};
use crate::{Input, Note, Schemas, find_format, quake};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// What the user says of an input. The default leaves everything to be found.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The format, else by content and extension.
    pub from: Option<&'static Format>,
    /// The framing, else the one that fits.
    pub framing: Option<Framing>,
    /// The schema files, else the schema is inferred where the format allows it.
    pub schemas: Schemas,
    /// The place of the records in a document.
    pub at: Option<At>,
    /// What a reader may put into a batch.
    pub limits: Limits,
    /// Keep the unknown fields of Protocol Buffers.
    pub keep_unknown: bool,
    /// What is asked of the readers of quakes.
    pub quakes: quake::Options,
}

/// Records read from an input.
#[derive(Debug)]
pub struct Dataset<'a> {
    /// The input's name.
    pub name: String,
    /// The format it came in.
    pub format: &'static Format,
    /// The bytes that the records were read from; those of several files one after another.
    pub bytes: Cow<'a, [u8]>,
    /// The files in `bytes`, with the framing that each came in; none for a sample.
    pub files: Vec<(Range<usize>, Framing)>,
    /// The seed of a sample.
    pub seed: Option<u64>,
    /// The schemas, an inferred one too.
    pub schemas: Schemas,
    /// The records, by the main schema.
    pub batch: Batch<'a>,
    /// How reading lowered the records.
    pub lowered: Lowerings,
    /// How many values of fields that the schema does not have were left out.
    pub skipped: u64,
    /// What was found, assumed or left out.
    pub notes: Vec<Note>,
}

impl<'a> Dataset<'a> {
    /// Reads all records of an input.
    ///
    /// # Errors
    /// If format, framing or schema can neither be found nor are given, or the bytes do not follow them.
    pub fn read(input: &'a Input, request: &Request) -> Result<Self> {
        Self::read_keeping(input, request, &mut Kept::default())
    }

    /// As [`Dataset::read`], with what was kept of earlier inputs.
    pub(crate) fn read_keeping(input: &'a Input, request: &Request, kept: &mut Kept) -> Result<Self> {
        let part = Part::find(input, request)?;
        let mut notes = Vec::new();
        let (schemas, lowered) = part.placed(schemas_for(&[&part], request, &mut notes))?;
        let Read { framing, batch, skipped } = part.placed(part.records(&schemas, request, kept, &mut notes))?;
        note_records(&batch, skipped, &mut notes);
        Ok(Self {
            name: input.name.clone(),
            format: part.format,
            bytes: Cow::Borrowed(part.bytes),
            files: vec![(0..part.bytes.len(), framing)],
            seed: None,
            schemas,
            batch,
            lowered,
            skipped,
            notes,
        })
    }

    /// Reads the records of several inputs of one format as one: a schema that is inferred holds them all.
    ///
    /// # Errors
    /// As [`Dataset::read`], with the input's name in the message.
    ///
    /// # Panics
    /// If there is no input.
    pub fn read_all(inputs: &'a [Input], request: &Request) -> Result<Self> {
        let mut parts = Vec::new();
        for input in inputs {
            parts.push(Part::find(input, request).map_err(|e| e.in_file(&input.name))?);
        }
        if let Some(other) = parts.iter().find(|p| p.format.name != parts[0].format.name) {
            let (a, b) = (parts[0].format.name, other.format.name);
            let text = format!("files of one format are weighed together, but {} is {b}, not {a}", other.input.name);
            return Err(Error::new(ErrorKind::Unsupported, text));
        }
        let mut notes = Vec::new();
        let (schemas, lowered) = schemas_for(&parts.iter().collect::<Vec<_>>(), request, &mut notes)?;
        let mut all = Batch::with_limits(schemas.layout()?, request.limits.clone());
        let (mut bytes, mut files, mut skipped) = (Vec::new(), Vec::new(), 0);
        let mut kept = Kept::default();
        for part in &parts {
            let read = part.placed(part.records(&schemas, request, &mut kept, &mut notes));
            let read = read.map_err(|e| e.in_file(&part.input.name))?;
            skipped += read.skipped;
            all.append(&read.batch).map_err(|e| e.in_file(&part.input.name))?;
            kept.give_back(read.batch);
            files.push((bytes.len()..bytes.len() + part.bytes.len(), read.framing));
            bytes.extend_from_slice(part.bytes);
        }
        note_records(&all, skipped, &mut notes);
        let name = format!("{} and {} more", parts[0].input.name, parts.len() - 1);
        let format = parts[0].format;
        Ok(Self {
            name,
            format,
            bytes: Cow::Owned(bytes),
            files,
            seed: None,
            schemas,
            batch: all,
            lowered,
            skipped,
            notes,
        })
    }
}

/// What was read of one input.
struct Read<'a> {
    framing: Framing,
    batch: Batch<'a>,
    skipped: u64,
}

/// Notes what of the input is not among the records.
fn note_records(batch: &Batch<'_>, skipped: u64, notes: &mut Vec<Note>) {
    let said = notes.iter().any(|n| n.kind() == Some(quake::NoteKind::NoEvent.name()));
    if batch.is_empty() && !said {
        notes.push("there are no records in it".to_owned().into());
    }
    if skipped > 0 {
        notes.push(left_out(skipped).into());
    }
}

pub(crate) fn left_out(skipped: u64) -> String {
    let values = if skipped == 1 { "1 value" } else { &format!("{skipped} values") };
    format!("left out: {values} of fields that the schema does not have")
}

/// The part of an input that holds the records.
struct Part<'a> {
    input: &'a Input,
    format: &'static Format,
    bytes: &'a [u8],
    start: usize,
}

impl<'a> Part<'a> {
    fn find(input: &'a Input, request: &Request) -> Result<Self> {
        let format = format_of(input, request)?;
        let part = match &request.at {
            Some(at) => locate(input, format, at)?,
            None => 0..input.bytes.len(),
        };
        Ok(Self { input, format, start: part.start, bytes: &input.bytes[part] })
    }

    /// Gives an error the position in the whole input.
    fn placed<T>(&self, done: Result<T>) -> Result<T> {
        done.map_err(|e| if self.start > 0 { e.shifted(self.start, &self.input.bytes) } else { e })
    }

    fn records(
        &self,
        schemas: &Schemas,
        request: &Request,
        kept: &mut Kept,
        notes: &mut Vec<Note>,
    ) -> Result<Read<'a>> {
        let (format, bytes) = (self.format, self.bytes);
        let plain = schemas.layout()?;
        if quake::is_source(format) {
            return quakes(bytes, &plain, request, kept, notes);
        }
        let own = schemas.own_layout(format)?;
        let layout = own.as_ref().unwrap_or(&plain);
        let framing = match request.framing {
            Some(framing) if !format.has(framing) => return Err(format.no_framing(framing)),
            Some(framing) => framing,
            None => find_framing(format, layout, bytes, &request.limits, kept, notes)?,
        };
        // The framing was found without keeping, so that unknown fields show.
        let layout = if own.is_none() && request.keep_unknown { &schemas.keeping_layout()? } else { layout };
        let mut batch = kept.batch(layout, &request.limits);
        kept.codecs.of(format, layout)?.decode(bytes, framing, &mut batch)?;
        // An inferred schema has all fields but those that are only ever null, which the inference has noted.
        let skipped = if request.schemas.is_none() { 0 } else { batch.skipped() };
        if own.is_some() {
            batch = batch.converted(&plain)?;
        }
        Ok(Read { framing, batch, skipped })
    }
}

/// The schemas that are given, or the one that is inferred from all parts.
fn schemas_for(parts: &[&Part<'_>], request: &Request, notes: &mut Vec<Note>) -> Result<(Schemas, Lowerings)> {
    if !request.schemas.is_none() {
        return Ok((request.schemas.clone(), Lowerings::NONE));
    }
    if parts[0].format.only() == Some(quake::MESSAGE) {
        return Ok((Schemas::quake(), Lowerings::NONE));
    }
    let files: Vec<_> = parts.iter().map(|p| (&p.input.name[..], p.bytes)).collect();
    let inferred = infer(parts[0].format, &files, &request.limits)?;
    notes.extend(inferred.notes.iter().map(|n| Note::Text(n.to_string())));
    let lowered = inferred.lowerings();
    Ok((Schemas::of(Arc::new(inferred.schema)), lowered))
}

/// The format of an input: the one that is named, or that is found.
pub(crate) fn format_of(input: &Input, request: &Request) -> Result<&'static Format> {
    match request.from {
        Some(format) => Ok(format),
        None => by_schema(detect(input)?, request),
    }
}

/// The format that was found, unless a schema for other records is given: then a document of quakes is plain XML.
fn by_schema(found: &'static Format, request: &Request) -> Result<&'static Format> {
    let Some(message) = found.only().filter(|_| !request.schemas.is_none()) else { return Ok(found) };
    let (schema, root) = request.schemas.main()?;
    let plain = find_format("xml").filter(|_| schema.message(root).name != message);
    Ok(plain.unwrap_or(found))
}

/// Reads quakes, by their own schema and then into the one that is asked for.
fn quakes<'a>(
    bytes: &'a [u8],
    layout: &Arc<Layout>,
    request: &Request,
    kept: &mut Kept,
    notes: &mut Vec<Note>,
) -> Result<Read<'a>> {
    let mut batch = kept.batch(&quake::layout(), &request.limits);
    let found = kept.quakes(&request.quakes).read(bytes, &mut batch)?;
    notes.extend(found.into_iter().map(Note::from));
    if !quake::is_quake(layout) {
        batch = batch.converted(layout)?;
    }
    Ok(Read { framing: Framing::List, batch, skipped: 0 })
}

/// The bytes of the records at a place of a document.
fn locate(input: &Input, format: &Format, at: &At) -> Result<Range<usize>> {
    if !format.name.starts_with("json") {
        let text = format!("--at reaches into JSON documents; this input is {}", format.name);
        return Err(Error::new(ErrorKind::Unsupported, text));
    }
    let bytes = input.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&input.bytes);
    let mut document = serde_json::Deserializer::from_slice(bytes);
    let found: &serde_json::value::RawValue = at.read(&mut document, std::marker::PhantomData)?;
    let start = found.get().as_ptr() as usize - input.bytes.as_ptr() as usize;
    Ok(start..start + found.get().len())
}

/// The framing that an input is in. Text shows it; of binary framings, the one that fits the schema without
/// unknown fields.
fn find_framing(
    format: &'static Format,
    layout: &Arc<Layout>,
    bytes: &[u8],
    limits: &Limits,
    kept: &mut Kept,
    notes: &mut Vec<Note>,
) -> Result<Framing> {
    if let [only] = format.framings
        && format.text
        && format.name != "xml"
    {
        return Ok(*only);
    }
    if format.name.starts_with("json") {
        let start = bytes.iter().find(|b| !b.is_ascii_whitespace() && !b"\xef\xbb\xbf".contains(b));
        return Ok(if start == Some(&b'[') { Framing::List } else { Framing::Stream });
    }
    // Nothing is no quake, as one without any field says nothing.
    if bytes.is_empty() && !format.text && quake::is_quake(layout) {
        return Ok(format.framings[0]);
    }
    let mut fitting = Vec::new();
    let mut errors = Vec::new();
    for framing in format.framings.iter().copied().chain([Framing::Each]) {
        let mut batch = Batch::with_limits(layout.clone(), limits.clone());
        match kept.codecs.of(format, layout)?.decode(bytes, framing, &mut batch) {
            Ok(()) => fitting.push((framing, batch)),
            Err(error) => errors.push((framing, error)),
        }
    }
    fitting.sort_by_key(|(_, batch)| batch.skipped());
    if fitting.first().is_some_and(|(_, best)| best.skipped() == 0) {
        fitting.retain(|(_, batch)| batch.skipped() == 0);
    }
    let Some((first, batch)) = fitting.first() else { return Err(none_fits(format, errors)) };
    // Text that reads either way is the format's usual framing.
    if format.text {
        return Ok(*first);
    }
    if fitting.iter().any(|(_, other)| compare(batch, other, Lowerings::NONE).is_err()) {
        let names: Vec<_> = fitting.iter().map(|(f, _)| f.name()).collect();
        let text = format!("the bytes fit the framings {}; name the right one with --framing", names.join(" and "));
        return Err(Error::new(ErrorKind::Ambiguous, text));
    }
    // One record of a Thrift stream is one by itself.
    let bare = batch.len() == 1 && fitting.iter().any(|(f, _)| *f == Framing::Each);
    let found = if bare { Framing::Each } else { *first };
    notes.push(format!("read as {} with the framing `{found}`, the one that fits the schema", format.name).into());
    Ok(found)
}

/// No framing fits. Of text, the one that was followed farthest is meant; binary may be any.
fn none_fits(format: &Format, errors: Vec<(Framing, Error)>) -> Error {
    if format.text {
        let place = |e: &Error| (e.position().line, e.position().byte);
        let farthest = errors.into_iter().map(|(_, e)| e).reduce(|a, b| if place(&b) > place(&a) { b } else { a });
        return farthest.expect("every format has a framing");
    }
    let kind = errors[0].1.kind();
    let tried: Vec<_> = errors.iter().map(|(framing, e)| format!("as {framing}: {e}")).collect();
    Error::new(kind, format!("no {} by this schema; {}", format.name, tried.join("; ")))
}
