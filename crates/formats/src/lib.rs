//! The formats that Bantam reads and writes: one file each, one table.
//!
//! A [`Format`] is a row of [`FORMATS`]; its codecs turn batches into bytes and back.

pub mod codec;
#[cfg(test)]
mod fixture;
mod json;
mod yaml;

pub use codec::{Codec, Engine, Format, Framing, Idl};

/// Every format, in the order in which listings show them.
pub const FORMATS: &[&Format] = &[&json::JSON, &json::SPACED, &json::PRETTY, &json::NDJSON, &yaml::BLOCK, &yaml::FLOW];

/// The format of this name.
pub fn find(name: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|f| f.name == name)
}
