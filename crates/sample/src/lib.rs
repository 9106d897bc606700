//! Seeded samples: records with their own schemas, and documents as other programs write them.
//!
//! A [`Sample`] is a row of [`SAMPLES`]. What it makes for a seed is a promise: the same records, or the same bytes, on
//! every machine and in every version, so that figures about them can be repeated. [`random`] makes records for any
//! schema, and schemas too, to test codecs with.

pub mod random;

mod dns;
mod dns_text;
mod fill;
mod quake;
mod rng;

pub use rng::Rng;

use bantam_model::{Batch, Error, ErrorKind, Layout, Result};
use std::ops::Range;
use std::sync::Arc;

/// A kind of sample records: one row of [`SAMPLES`].
#[derive(Debug)]
pub struct Sample {
    /// The name that commands take.
    pub name: &'static str,
    /// What the records are, in one line.
    pub about: &'static str,
    /// How many records there are by default.
    pub records: usize,
    /// The schema in several languages, the main one first; none for documents, whose format has its own.
    pub schemas: &'static [SchemaText],
    /// What makes it.
    pub make: Make,
}

/// How a sample is made.
#[derive(Debug, Clone, Copy)]
pub enum Make {
    /// Records by any of the schemas; see [`Sample::generate`].
    Records(fn(seed: u64, records: usize, layout: &Arc<Layout>) -> Result<Batch<'static>>),
    /// A document as other programs write it, in a format whose reader has its own schema.
    Document {
        /// The name of the format.
        format: &'static str,
        /// Appends a document with these events. An event depends on the seed and its number only, so that the
        /// documents of two ranges hold the same events as that of both together.
        write: fn(seed: u64, events: Range<usize>, out: &mut Vec<u8>),
    },
}

/// A schema file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchemaText {
    /// The file's name; its extension tells the language.
    pub name: &'static str,
    /// The file's content.
    pub text: &'static str,
}

/// Every sample, in the order in which listings show them.
pub const SAMPLES: &[&Sample] = &[&dns::DNS, &dns_text::DNS_TEXT, &quake::QUAKE];

/// The sample of this name.
///
/// ```
/// let dns = bantam_sample::find("dns").unwrap();
/// assert_eq!((dns.records, dns.schemas[0].name), (10_000, "dns.proto"));
/// ```
pub fn find(name: &str) -> Option<&'static Sample> {
    SAMPLES.iter().copied().find(|s| s.name == name)
}

impl Sample {
    /// Makes records for a seed, in a layout whose fields have the names of the schema; fields of other names
    /// stay absent. The records of a smaller count are the first of a larger one.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`] if a field is missing in the layout or cannot hold the sample's values;
    /// [`ErrorKind::Unsupported`] if the sample is a document.
    pub fn generate(&self, seed: u64, records: usize, layout: &Arc<Layout>) -> Result<Batch<'static>> {
        match self.make {
            Make::Records(make) => make(seed, records, layout),
            Make::Document { format, .. } => {
                let text =
                    format!("the sample {} is a document; its records come from reading it as {format}", self.name);
                Err(Error::new(ErrorKind::Unsupported, text))
            }
        }
    }

    /// Its schema in the language of this file extension, such as `proto`.
    pub fn schema(&self, extension: &str) -> Option<&'static SchemaText> {
        self.schemas.iter().find(|s| s.name.rsplit_once('.').is_some_and(|(_, ext)| ext == extension))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bantam_model::source;

    fn of_records() -> impl Iterator<Item = &'static Sample> {
        SAMPLES.iter().copied().filter(|s| matches!(s.make, Make::Records(_)))
    }

    fn layout(schema: &SchemaText) -> Arc<Layout> {
        let source = source::read(schema.name, schema.text.as_bytes(), &[]).unwrap();
        let root = source.schema.root().unwrap();
        Arc::new(Layout::new(source.schema, root).unwrap())
    }

    #[test]
    fn every_schema_of_a_sample_holds_the_same_records() {
        for sample in of_records() {
            let batches: Result<Vec<_>, Error> =
                sample.schemas.iter().map(|s| sample.generate(1, 50, &layout(s))).collect();
            let batches = batches.unwrap();
            for other in &batches[1..] {
                for (left, right) in batches[0].rows().zip(other.rows()) {
                    // Numbers of either sign are the same words here, as all are small.
                    let shown = |row: &bantam_model::Row<'_>, name: &str| match row.field(name).unwrap() {
                        bantam_model::Value::String(text) => text.to_owned(),
                        _ => row.word(row.layout().by_name(name.as_bytes()).unwrap()).to_string(),
                    };
                    for slot in &left.layout().slots {
                        assert_eq!(shown(&left, &slot.name), shown(&right, &slot.name), "{}", sample.name);
                    }
                    assert_eq!(left.layout().slots.len(), right.layout().slots.len());
                }
            }
        }
    }

    #[test]
    fn the_schemas_have_the_numbers_and_kinds_of_the_posts() {
        let shown = |sample: &Sample, ext: &str| {
            let layout = layout(sample.schema(ext).unwrap());
            let message = layout.schema().message(layout.root().id).clone();
            let field = |f: &bantam_model::Field| match f.kind {
                bantam_model::Kind::Int(int) => {
                    format!("{} {:?} {} {:?}", f.number, f.cardinality, int.name(), int.encoding)
                }
                kind => format!("{} {:?} {kind}", f.number, f.cardinality),
            };
            message.fields.iter().map(|f| format!("{}={}", f.name, field(f))).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(
            shown(&dns::DNS, "proto"),
            "sip=1 Required uint32 Fixed; dip=2 Required uint32 Fixed; \
             sport=3 Required uint32 Varint; dport=4 Required uint32 Varint"
        );
        assert_eq!(
            shown(&dns::DNS, "thrift"),
            "sip=1 Required int64 Varint; dip=2 Required int64 Varint; \
             sport=3 Required int32 Varint; dport=4 Required int32 Varint"
        );
        assert_eq!(
            shown(&dns_text::DNS_TEXT, "proto"),
            "key=1 Required string; value=2 Required string; first=3 Required string; last=4 Required string; \
             type=5 Optional string; ttl=6 Optional int32 Varint"
        );
        assert_eq!(
            shown(&dns_text::DNS_TEXT, "thrift"),
            "key=1 Required string; value=2 Required string; type=3 Optional string; ttl=4 Optional int32 Varint; \
             first=5 Required string; last=6 Required string"
        );
    }

    #[test]
    fn rows_can_be_told_apart_and_have_their_schemas() {
        for (at, sample) in SAMPLES.iter().enumerate() {
            assert!(std::ptr::eq(find(sample.name).unwrap(), *sample), "{at}: two samples of one name");
        }
        for sample in of_records() {
            for ext in ["proto", "thrift"] {
                assert_eq!(sample.schema(ext).unwrap().name, format!("{}.{ext}", sample.name));
            }
            assert!(sample.schema("avsc").is_none());
        }
    }

    #[test]
    fn documents_hold_the_events_of_a_range_and_no_batch() {
        for sample in SAMPLES {
            let Make::Document { format, write } = sample.make else { continue };
            assert!(sample.schemas.is_empty());
            let (mut once, mut again) = (Vec::new(), b"kept".to_vec());
            write(1, 0..1, &mut once);
            write(1, 0..1, &mut again);
            assert!(again[4..] == once && again.starts_with(b"kept"), "{}", sample.name);
            let error = sample.generate(1, 1, &layout(&dns::DNS.schemas[0])).unwrap_err();
            assert!(error.kind() == ErrorKind::Unsupported && error.to_string().contains(format), "{error}");
        }
    }
}
