//! The formats that Bantam reads and writes: one file each, one table.
//!
//! A [`Format`] is a row of [`FORMATS`]; its codecs turn batches into bytes and back.

pub mod codec;
mod cost;
mod csv;
#[cfg(test)]
mod fixture;
mod json;
mod plan;
mod protobuf;
mod text;
mod thrift;
mod varint;
mod writer;
pub mod xml;
pub mod yaml;

pub use bantam_model::Idl;
pub use codec::{Codec, Costs, Engine, Format, Framing, Scope};
pub use cost::{Account, Cost};

/// Every format, in the order in which listings show them.
pub const FORMATS: &[&Format] = &[
    &protobuf::PROTOBUF,
    &thrift::BINARY,
    &thrift::COMPACT,
    &json::JSON,
    &json::SPACED,
    &json::PRETTY,
    &json::LINES,
    &yaml::BLOCK,
    &yaml::FLOW,
    &xml::XML,
    &csv::CSV,
];

/// The format of this name.
pub fn find(name: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|f| f.name == name)
}
