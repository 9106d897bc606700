//! JSON.

pub(crate) mod library;

use crate::codec::{Engine, Format, Framing};
use bantam_model::Lowerings;

const LOWERS: Lowerings =
    Lowerings::BYTES_BASE64.or(Lowerings::NON_FINITE_TEXT).or(Lowerings::MAP_KEY_TEXT).or(Lowerings::MAP_ENTRIES);

const fn engine(
    name: &'static str,
    build: fn(&std::sync::Arc<bantam_model::Layout>) -> bantam_model::Result<Box<dyn crate::Codec>>,
) -> Engine {
    Engine { name, adapter: true, build }
}

pub(crate) const JSON: Format = Format {
    name: "json",
    about: "one array of objects",
    extensions: &["json"],
    framings: &[Framing::List, Framing::Stream],
    text: true,
    idl: None,
    lowers: LOWERS,
    forgets: Lowerings::NAN_PAYLOAD,
    engines: &[engine("serde_json", library::serde_json_compact), engine("sonic-rs", library::sonic_rs_compact)],
};

pub(crate) const SPACED: Format = Format {
    name: "json-spaced",
    about: "json with a space after each comma and colon",
    extensions: &[],
    engines: &[engine("serde_json", library::serde_json_spaced), engine("sonic-rs", library::sonic_rs_spaced)],
    ..JSON
};

pub(crate) const PRETTY: Format = Format {
    name: "json-pretty",
    about: "json, a line a value",
    extensions: &[],
    engines: &[engine("serde_json", library::serde_json_pretty), engine("sonic-rs", library::sonic_rs_pretty)],
    ..JSON
};

pub(crate) const NDJSON: Format = Format {
    name: "ndjson",
    about: "one object a line",
    extensions: &["ndjson", "jsonl"],
    framings: &[Framing::Stream],
    engines: &[engine("serde_json", library::serde_json_lines), engine("sonic-rs", library::sonic_rs_lines)],
    ..JSON
};
