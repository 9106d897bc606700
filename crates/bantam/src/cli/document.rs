//! Samples that are documents: written as they are, or read for their records.

use super::files::{packed, write_parts};
use super::stop::Stop;
use bantam::formats::{Format, Framing};
use bantam::sample::{Make, Sample};
use bantam::{Dataset, Input, Request, find_format};
use std::borrow::Cow;
use std::ops::Range;

/// The extension of documents.
const EXTENSION: &str = "xml";

/// A sample that is a document.
pub(super) struct Document {
    name: &'static str,
    /// The name of its format.
    format: &'static str,
    write: fn(u64, Range<usize>, &mut Vec<u8>),
    seed: u64,
    events: usize,
}

impl Document {
    /// The sample with so many events, if it is a document.
    pub(super) fn of(sample: &Sample, seed: u64, events: Option<usize>) -> Option<Self> {
        let Make::Document { format, write } = sample.make else { return None };
        Some(Self { name: sample.name, format, write, seed, events: events.unwrap_or(sample.records) })
    }

    fn bytes(&self, events: Range<usize>) -> Vec<u8> {
        let mut out = Vec::new();
        (self.write)(self.seed, events, &mut out);
        out
    }

    /// Whether a format that was asked for is another one than the document's. By a file's extension alone, `.xml` is
    /// the document as it is.
    pub(super) fn is_other(&self, format: &Format, by_name: bool) -> bool {
        format.name != self.format && (by_name || !format.extensions.contains(&EXTENSION))
    }

    /// Writes the document as it is, or one with each event.
    pub(super) fn write(&self, output: &str, framing: Option<Framing>) -> Result<(), Stop> {
        let packed = |events| Ok(Cow::Owned(packed(output, vec![self.bytes(events)])?.remove(0)));
        match framing {
            None | Some(Framing::List) => write_parts(output, 1, EXTENSION, |_| packed(0..self.events)),
            Some(Framing::Each) => write_parts(output, self.events, EXTENSION, |at| packed(at..at + 1)),
            Some(Framing::Stream) => {
                Err(Stop::Usage(format!("{} has no framing stream; there are: list, each", self.format)))
            }
        }
    }

    /// The document as an input.
    pub(super) fn input(&self) -> Result<Input, Stop> {
        Ok(Input::new(format!("{}.{EXTENSION}", self.name), self.bytes(0..self.events))?)
    }

    /// The records that the format's reader finds in the document.
    pub(super) fn records<'d>(&self, document: &'d Input, request: &Request) -> Result<Dataset<'d>, Stop> {
        let from = request.from.or_else(|| find_format(self.format));
        let mut dataset = Dataset::read(document, &Request { from, ..request.clone() })?;
        self.name.clone_into(&mut dataset.name);
        dataset.seed = Some(self.seed);
        Ok(dataset)
    }
}
