//! YAML 1.2.2 (<https://yaml.org/spec/1.2.2/>) through `serde-saphyr`, by the serde adapter.
//!
//! Block style writes a record as an item `- ` with its fields in lines below, flow style as one line `- {…}`. Lines
//! are never folded. Strings that YAML 1.1 or 1.2 would read as something else are quoted; NaN and infinities are
//! `.nan`, `.inf`, `-.inf`.
//!
//! Reading goes by the schema: a plain `123` is the text "123" for a string field, `yes` is true for a bool, `0x1F` is
//! an integer; null (`~`, `null`, nothing) is absence. Merge keys (`<<`) are expanded, the tag `!!binary` is base64.
//!
//! Without a schema, [`untyped`] gives what the core schema of YAML 1.2 says, but numbers with a leading zero as text.
//!
//! An error's line and column are those of the field where the library knows no place for the value itself.
//!
//! The library's budgets are meant for settings, not for data, so those that grow with the file are off and the
//! limits of the batch hold. What stays bounded: nesting, by the limit of depth, and by `MOST_LEVELS` for the
//! sake of the stack; and aliases, which can be expanded to `ALIAS_EVENTS` events in all.

mod scalar;
#[cfg(test)]
mod tests;
mod untyped;

pub use untyped::{Untyped, untyped};

use bantam_model::adapter::{Reader, Record, Records, Style};
use bantam_model::{Batch, Error, ErrorKind, Layout, Limits, Lowerings, Result, Row, Shape};
use serde::de::DeserializeSeed;
use serde::ser::{Serialize, Serializer};
use serde_saphyr::{DuplicateKeyPolicy, FlowMap, FlowSeq, MergeKeyPolicy, NonFiniteFloatPolicy};
use std::ops::Range;
use std::sync::Arc;

use crate::codec::{Codec, Engine, Format, Framing, Scope};

/// Scalars and ends of containers that aliases and merge keys may repeat in one document.
const ALIAS_EVENTS: usize = 1_000_000;

/// Lists and maps inside each other, whatever the limit of depth is: the library needs about 3 KiB of stack for
/// each, and threads have 2 MiB by default.
const MOST_LEVELS: usize = 400;

/// YAML in block style.
pub(crate) const BLOCK: Format = Format {
    name: "yaml",
    about: "YAML, a list with a line a field; a stream has a document a record",
    extensions: &["yaml", "yml"],
    framings: &[Framing::List, Framing::Stream],
    text: true,
    scope: Scope::Any,
    costs: None,
    idl: None,
    lowers: Lowerings::BYTES_BASE64.or(Lowerings::MAP_ENTRIES),
    forgets: Lowerings::NAN_PAYLOAD,
    engines: &[Engine { name: "serde-saphyr", adapter: true, build: block }],
};

/// YAML in flow style.
pub(crate) const FLOW: Format = Format {
    name: "yaml-flow",
    about: "YAML, a list with a line {…} a record; a stream has a document a record",
    extensions: &[],
    engines: &[Engine { name: "serde-saphyr", adapter: true, build: flow }],
    ..BLOCK
};

#[allow(clippy::unnecessary_wraps, reason = "the table of engines has one type for all")]
fn block(layout: &Arc<Layout>) -> Result<Box<dyn Codec>> {
    Ok(Box::new(Yaml { layout: layout.clone(), flow: false }))
}

#[allow(clippy::unnecessary_wraps, reason = "the table of engines has one type for all")]
fn flow(layout: &Arc<Layout>) -> Result<Box<dyn Codec>> {
    Ok(Box::new(Yaml { layout: layout.clone(), flow: true }))
}

struct Yaml {
    layout: Arc<Layout>,
    flow: bool,
}

/// A record in one line.
struct FlowRecord<'b>(Row<'b>);

impl Serialize for FlowRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let record = Record::new(self.0, Style::YAML);
        match self.0.layout().shape {
            Shape::Wrapper => FlowSeq(record).serialize(serializer),
            Shape::Record | Shape::Entry => FlowMap(record).serialize(serializer),
        }
    }
}

fn write<T: Serialize>(value: &T, quoted: bool, out: &mut Vec<u8>) -> Result<()> {
    // Block scalars would be shorter for text of several lines, but fold long lines.
    let options = serde_saphyr::ser_options! { prefer_block_scalars: false, quote_all: quoted };
    serde_saphyr::to_io_writer_with_options(out, value, options)
        .map_err(|error| Error::new(ErrorKind::Unsupported, error.to_string()))
}

/// Writes a record in one line. `PyYAML`, which follows YAML 1.1, takes a `?` in plain text between braces for
/// the mark of a key, so all strings of such a record are quoted. The library does not quote the keys of maps for
/// that: such a key is right by YAML 1.2, and `PyYAML` refuses it or reads it without the mark.
fn write_flow(row: Row<'_>, out: &mut Vec<u8>) -> Result<()> {
    let start = out.len();
    write(&FlowRecord(row), false, out)?;
    if memchr::memchr(b'?', &out[start..]).is_some() {
        out.truncate(start);
        write(&FlowRecord(row), true, out)?;
    }
    Ok(())
}

impl Codec for Yaml {
    fn encode_each(&mut self, row: Row<'_>, out: &mut Vec<u8>) -> Result<()> {
        if self.flow { write_flow(row, out) } else { write(&Record::new(row, Style::YAML), false, out) }
    }

    fn decode_each<'a>(&mut self, input: &'a [u8], at: Range<usize>, batch: &mut Batch<'a>) -> Result<()> {
        let options = options(batch.limits(), &input[at.clone()]);
        self.read(input, at, options, false, batch)
    }

    fn encode(&mut self, batch: &Batch<'_>, framing: Framing, out: &mut Vec<u8>) -> Result<()> {
        match framing {
            Framing::List if self.flow && !batch.is_empty() => batch.rows().try_for_each(|row| {
                out.extend_from_slice(b"- ");
                write_flow(row, out)
            }),
            Framing::List => write(&Records::new(batch).style(Style::YAML), false, out),
            Framing::Stream => batch.rows().try_for_each(|row| {
                out.extend_from_slice(if self.flow { b"--- " } else { b"---\n" });
                self.encode_each(row, out)
            }),
            Framing::Each => batch.rows().try_for_each(|row| self.encode_each(row, out)),
        }
    }

    fn decode<'a>(&mut self, input: &'a [u8], framing: Framing, batch: &mut Batch<'a>) -> Result<()> {
        batch.reset(input)?;
        let options = options(batch.limits(), input);
        match framing {
            Framing::List => self.read(input, byte_order_mark(input)..input.len(), options, true, batch),
            Framing::Stream => documents(input).try_for_each(|at| {
                let record = batch.len();
                self.read(input, at, options.clone(), false, batch).map_err(|error| error.in_record(record))
            }),
            Framing::Each => self.read(input, byte_order_mark(input)..input.len(), options, false, batch),
        }
    }
}

impl Yaml {
    /// Reads the one document in a range of the input: one record, or a list of all.
    fn read<'a>(
        &self,
        input: &'a [u8],
        at: Range<usize>,
        options: serde_saphyr::Options,
        list: bool,
        batch: &mut Batch<'a>,
    ) -> Result<()> {
        let text = std::str::from_utf8(&input[at.clone()]).map_err(|error| {
            let byte = at.start + error.valid_up_to();
            Error::new(ErrorKind::Text, "the text is not UTF-8").at_byte(byte).with_lines(input)
        })?;
        let mut reader = Reader::new(&self.layout, batch, Style::YAML);
        let read = serde_saphyr::with_deserializer_from_str_with_options(text, options, |deserializer| {
            if list { reader.records().deserialize(deserializer) } else { reader.record().deserialize(deserializer) }
        });
        read.map_err(|fault| {
            let byte = at.start + byte_of(&fault, text);
            let message = fault.to_string();
            let end = message.find(" at line ").unwrap_or(message.len());
            // The parser's own limit of nesting has no variant.
            let kind = if message.starts_with("recursion limit") { ErrorKind::Limit } else { kind_of(&fault) };
            reader.error(kind, &message[..end]).at_byte(byte).with_lines(input)
        })
    }
}

/// How deep lists and maps may nest. A message inside a list takes two levels; the list of records and a wrapper's
/// list take one more each.
fn most_levels(limits: &Limits) -> usize {
    (3 * limits.max_depth() as usize + 4).min(MOST_LEVELS)
}

/// The library's settings for reading data; what they refuse is an error of kind [`ErrorKind::Limit`].
fn options(limits: &Limits, text: &[u8]) -> serde_saphyr::Options {
    let depth = most_levels(limits);
    // Looking for merge keys makes the library remember every key of every record, so only where there may be some.
    let merges = memchr::memmem::find(text, b"<<").is_some();
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_events: usize::MAX,
            max_nodes: usize::MAX,
            max_total_scalar_bytes: usize::MAX,
            max_total_comment_bytes: usize::MAX,
            max_documents: usize::MAX,
            max_depth: depth,
            flow_nesting_limit: depth,
            // The specification allows keys of 1,024 characters; keys of maps are data here.
            simple_key_max_lookahead: usize::MAX,
            max_aliases: ALIAS_EVENTS,
            max_anchors: ALIAS_EVENTS,
            max_merge_keys: ALIAS_EVENTS,
            enforce_alias_anchor_ratio: false,
        },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: ALIAS_EVENTS },
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        merge_keys: if merges { MergeKeyPolicy::Merge } else { MergeKeyPolicy::AsOrdinary },
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
        ignore_binary_tag_for_string: true,
        with_snippet: false,
        emit_comments: false,
    }
}

fn kind_of(fault: &serde_saphyr::Error) -> ErrorKind {
    use serde_saphyr::Error as Fault;
    match fault.without_snippet() {
        Fault::AliasError { error, .. } => kind_of(error),
        Fault::Budget { .. }
        | Fault::AliasReplayLimitExceeded { .. }
        | Fault::AliasExpansionLimitExceeded { .. }
        | Fault::AliasReplayStackDepthExceeded { .. } => ErrorKind::Limit,
        Fault::Eof { .. } => ErrorKind::Truncated,
        Fault::InvalidScalar { .. }
        | Fault::InvalidBooleanStrict { .. }
        | Fault::NullIntoString { .. }
        | Fault::SerdeInvalidType { .. }
        | Fault::SerdeInvalidValue { .. }
        | Fault::TaggedScalarCannotDeserializeIntoString { .. }
        | Fault::Unexpected { .. } => ErrorKind::Mismatch,
        _ => ErrorKind::Syntax,
    }
}

/// Offset of a fault in the document.
fn byte_of(fault: &serde_saphyr::Error, text: &str) -> usize {
    let byte = fault.location().and_then(|location| location.span().byte_offset());
    byte.map_or(0, |byte| text.len().min(byte as usize))
}

/// Bytes of a byte order mark at the start.
fn byte_order_mark(input: &[u8]) -> usize {
    if input.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
}

/// Where the documents of a stream lie that have content, each with its directives and its marker `---`.
fn documents(input: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    Documents { input, at: byte_order_mark(input) }
}

/// The documents of a stream (sections 9.1 and 9.2), each with its directives and its marker `---`; empty ones are
/// left out. A line that starts with a marker is never content, not even in quotes, so lines are all that is looked at.
struct Documents<'a> {
    input: &'a [u8],
    at: usize,
}

impl Iterator for Documents<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let (mut start, mut at) = (self.at, self.at);
        let (mut marked, mut content) = (false, false);
        while at < self.input.len() {
            let rest = &self.input[at..];
            let line = &rest[..memchr::memchr(b'\n', rest).map_or(rest.len(), |len| len + 1)];
            let next = at + line.len();
            if let Some(behind) = after_marker(line, b"---") {
                if content {
                    self.at = at;
                    return Some(start..at);
                }
                if marked {
                    start = at;
                }
                marked = true;
                content = has_content(behind);
            } else if after_marker(line, b"...").is_some() {
                if content {
                    self.at = next;
                    return Some(start..at);
                }
                (start, marked) = (next, false);
            } else if !content {
                content = has_content(line) && (marked || line[0] != b'%');
            }
            at = next;
        }
        self.at = at;
        content.then_some(start..at)
    }
}

/// The rest of a line that starts with a marker.
fn after_marker<'l>(line: &'l [u8], marker: &[u8]) -> Option<&'l [u8]> {
    let rest = line.strip_prefix(marker)?;
    rest.first().is_none_or(u8::is_ascii_whitespace).then_some(rest)
}

/// Whether there is more than space and a comment.
fn has_content(line: &[u8]) -> bool {
    line.iter().find(|b| !b.is_ascii_whitespace()).is_some_and(|&b| b != b'#')
}
