//! Seeded sample records with their own schemas.
//!
//! A [`Sample`] is a row of [`SAMPLES`]. What it makes for a seed is a promise: the same records on every
//! machine and in every version, so that figures about them can be repeated. [`random`] makes records for any
//! schema, and schemas too, to test codecs with.

pub mod random;

mod dns;
mod dns_text;
mod fill;
mod rng;

pub use rng::Rng;

use bantam_model::{Batch, Layout, Result};
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
    /// The schema in several languages, the main one first.
    pub schemas: &'static [SchemaText],
    /// Makes records for a seed, in a layout whose fields have the names of the schema; fields of other names
    /// stay absent. The records of a smaller count are the first of a larger one.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`](bantam_model::ErrorKind::Schema) if a field is missing in the layout or cannot
    /// hold the sample's values.
    pub generate: fn(seed: u64, records: usize, layout: &Arc<Layout>) -> Result<Batch<'static>>,
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
pub const SAMPLES: &[&Sample] = &[&dns::DNS, &dns_text::DNS_TEXT];

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
    /// Its schema in the language of this file extension, such as `proto`.
    pub fn schema(&self, extension: &str) -> Option<&'static SchemaText> {
        self.schemas.iter().find(|s| s.name.rsplit_once('.').is_some_and(|(_, ext)| ext == extension))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_can_be_told_apart_and_have_their_schemas() {
        for (at, sample) in SAMPLES.iter().enumerate() {
            assert!(std::ptr::eq(find(sample.name).unwrap(), *sample), "{at}: two samples of one name");
            for ext in ["proto", "thrift"] {
                assert_eq!(sample.schema(ext).unwrap().name, format!("{}.{ext}", sample.name));
            }
            assert!(sample.schema("avsc").is_none());
        }
    }
}
