//! SeisComPML and QuakeML → quakes.
//!
//! Both languages are schemas over the XML codec (`schemas/seiscompml.proto`, `schemas/quakeml.proto`); here are only the joins: the
//! preferred origin and magnitude of an event, the pick of an arrival, the amplitude of a station magnitude.
//!
//! # Rules
//! - SeisComPML: <https://www.seiscomp.de/doc/base/api-python.html>, schema versions 0.3 to 0.14. QuakeML 1.0 to 1.2:
//!   <https://quake.ethz.ch/quakeml/Documents>, BED and BED-RT. Namespaces and prefixes do not count, local names do.
//! - Of several objects of one kind with the same identifier, the first in the file counts.
//! - The preferred origin and magnitude are looked for in the whole file. Where an event names none, or one that is not in
//!   the file, one of its own is chosen: one that is not rejected before one that is; one that was evaluated (has an
//!   `evaluationMode` or `evaluationStatus`) before one that was not; then the newest by its creation and
//!   modification time; then the last in the file. For magnitudes, those of the preferred origin come first. In a file with
//!   one event that refers to no origin, all origins are the event's.
//! - A magnitude of QuakeML that does not say of which origin it is counts as the preferred origin's.
//! - An arrival is used unless its weight is 0 or below or `timeUsed` is false; a station magnitude unless its
//!   contribution's weight is 0 or below. A missing weight counts as used.
//! - Depth and its uncertainty and horizontal uncertainties are kilometres in SeisComPML and metres in QuakeML; the axes of
//!   the ellipsoid are metres in both.

mod choose;
mod document;
mod fill;
pub(crate) mod root;
mod source;
mod value;

pub(crate) use source::Language;

use crate::message::{self, Fields};
use crate::note::{Note, NoteKind, Notes, Severity};
use bantam_formats::{Framing, xml};
use bantam_model::{Batch, Error, ErrorKind, Layout, Result};
use document::Document;
use fill::Fill;
use root::Root;
use source::{Element, Source};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use value::{Values, shown};

/// What is asked of a reader.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Keep arrivals and station magnitudes that were not used, and mark them `unused`.
    pub keep_unused: bool,
    /// Refuse what needs a note of [`Severity::Warning`].
    pub strict: bool,
}

/// The quakes of a document, and what was left out or assumed.
#[derive(Debug)]
pub struct Reading<'a> {
    /// One record an event, in the document's order, by [`message::layout`](crate::layout).
    pub quakes: Batch<'a>,
    /// One note a kind, warnings first.
    pub notes: Vec<Note>,
}

/// Reads all events of a SeisComPML or QuakeML document.
///
/// # Errors
/// If the document is not well-formed XML, is in neither language, or goes beyond a limit; with
/// [`Options::strict`] also where a warning would be given.
///
/// ```
/// let xml = br#"<seiscomp><EventParameters><event publicID="a"/></EventParameters></seiscomp>"#;
/// let reading = bantam_quake::read(xml, &bantam_quake::Options::default())?;
/// assert_eq!(reading.quakes.len(), 1);
/// assert_eq!(reading.notes[0].to_string(), "1 event without any origin, kept without a place; a, line 1 column 45");
/// # Ok::<(), bantam_model::Error>(())
/// ```
pub fn read<'a>(document: &'a [u8], options: &Options) -> Result<Reading<'a>> {
    let mut quakes = Batch::new(message::layout()).renew();
    let notes = Reader::new(options.clone()).read(document, &mut quakes)?;
    Ok(Reading { quakes, notes })
}

/// Reads documents one after another, keeping its memory and what it has learned.
pub struct Reader {
    options: Options,
    fields: Arc<Fields>,
    /// By language, made when first needed.
    sources: [Option<Box<Source>>; 2],
    /// Memory for the elements of a document.
    spare: Option<Batch<'static>>,
}

impl Reader {
    /// A reader into batches of [`message::layout`](crate::layout).
    pub fn new(options: Options) -> Self {
        let fields = Fields::of(&message::layout()).expect("the own layout is a Quake's");
        Self { options, fields: Arc::new(fields), sources: [None, None], spare: None }
    }

    /// A reader into batches of a layout.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if it is not the layout of a Quake.
    pub fn with_layout(layout: &Layout, options: Options) -> Result<Self> {
        Fields::of(layout)?;
        Ok(Self::new(options))
    }

    /// Empties the batch and reads all events of a document into it.
    ///
    /// # Errors
    /// As [`read`].
    pub fn read<'a>(&mut self, document: &'a [u8], batch: &mut Batch<'a>) -> Result<Vec<Note>> {
        batch.reset(document)?;
        self.add(document, 0..document.len(), batch)
    }

    /// Adds all events of the document in `input[at]` to the batch, which was reset to `input`.
    ///
    /// # Errors
    /// As [`read`]; positions count from the start of `input`.
    pub fn add<'a>(&mut self, input: &'a [u8], at: Range<usize>, batch: &mut Batch<'a>) -> Result<Vec<Note>> {
        let (slice, start) = (&input[at.clone()], at.start);
        let done = xml::to_utf8(slice).and_then(|text| match text {
            // Text stays where it is in the input, behind a byte order mark that may be there.
            Cow::Borrowed(text) => self.document(text, Some(start + slice.len() - text.len()), batch),
            Cow::Owned(text) => self.document(&text, None, batch),
        });
        done.map_err(|e| if start > 0 { e.shifted(start, input) } else { e })
    }

    /// Adds the events of UTF-8 text. `start` is where the text lies in the batch's input, if it does.
    fn document(&mut self, text: &[u8], start: Option<usize>, batch: &mut Batch<'_>) -> Result<Vec<Note>> {
        let root = Root::find(text);
        let language = root.as_ref().and_then(Root::language).ok_or_else(|| unknown(root.as_ref()))?;
        let slot = &mut self.sources[language as usize];
        let mut source = match slot.take() {
            Some(source) => source,
            None => Box::new(Source::new(language)?),
        };
        let mut raw = match self.spare.take() {
            Some(spare) if Arc::ptr_eq(spare.layout(), &source.layout) => spare,
            _ => Batch::with_limits(source.layout.clone(), batch.limits().clone()),
        }
        .renew();
        let done = source.codec.decode(text, Framing::Each, &mut raw).and_then(|()| {
            let mut values = Values::default();
            version(&source, root.as_ref(), &raw, &mut values.notes);
            join(&source, &self.fields, &self.options, &raw, &mut values, start, batch)?;
            Ok(values.notes.finish(text))
        });
        self.spare = Some(raw.renew());
        *slot = Some(source);
        let notes = done?;
        if self.options.strict {
            strict(&notes)?;
        }
        Ok(notes)
    }
}

/// Whether a document is in a language of quakes, by its root element.
pub(crate) fn recognise(document: &[u8]) -> Option<Language> {
    let head = &document[..document.len().min(1 << 20)];
    // What tells is ASCII, in UTF-16 with zeros between.
    let plain: Vec<u8>;
    let head = if head.iter().take(4).any(|&b| b == 0 || b >= 0xfe) {
        plain = head.iter().copied().filter(|&b| b != 0 && b < 0x80).collect();
        &plain
    } else {
        head
    };
    Root::find(head)?.language()
}

fn unknown(root: Option<&Root<'_>>) -> Error {
    let text = match root {
        Some(root) => format!(
            "the root element is <{}>; <seiscomp> (SeisComPML) or <quakeml> is expected",
            String::from_utf8_lossy(root.name).escape_debug()
        ),
        None => "there is no root element; <seiscomp> (SeisComPML) or <quakeml> is expected".to_owned(),
    };
    Error::new(ErrorKind::Mismatch, text)
}

/// Notes a version that is newer than what is known.
fn version(source: &Source, root: Option<&Root<'_>>, raw: &Batch<'_>, notes: &mut Notes) {
    let named = Element::root(raw).and_then(|r| r.full(source.root.version)).map(source::Text::str);
    let version = named.or_else(|| root.and_then(Root::version));
    if let Some(version) = version.filter(|v| root::is_newer(source.language, v)) {
        notes.add(NoteKind::NewerVersion, None, || shown(version));
    }
}

fn join(
    source: &Source,
    fields: &Fields,
    options: &Options,
    raw: &Batch<'_>,
    values: &mut Values,
    start: Option<usize>,
    batch: &mut Batch<'_>,
) -> Result<()> {
    let document = Document::new(source, raw, &mut values.notes)?;
    let mut fill = Fill::new(source, fields, options, &document, values, (start, raw.input().len()), batch);
    for event in 0..document.events.len() {
        fill.quake(event)?;
    }
    fill.finish();
    values.notes.add_many(NoteKind::OtherElement, raw.skipped(), None, String::new);
    Ok(())
}

/// An error for the first warning.
fn strict(notes: &[Note]) -> Result<()> {
    let Some(note) = notes.iter().find(|n| n.kind.severity() == Severity::Warning) else { return Ok(()) };
    let error = Error::new(ErrorKind::Mismatch, format!("refused, as asked: {note}"));
    Err(match (note.first.byte, note.first.line) {
        (Some(byte), Some((line, column))) => error.at_byte(byte as usize).at_line(line, column),
        _ => error,
    })
}
