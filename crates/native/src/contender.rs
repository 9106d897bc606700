//! The table of contenders: one file of `templates/contenders` and one row each.

use crate::generate::{self, avro, buffa, prost, quick, thrift};
use crate::types::Types;
use bantam_model::Lowerings;

/// A library that takes part, or refuses to.
pub(crate) struct Contender {
    /// The crate's name.
    pub(crate) name: &'static str,
    /// Its version, as the manifest pins it.
    pub(crate) version: &'static str,
    /// The format that it writes: of the table of formats where that has it, else the library's own.
    pub(crate) format: &'static str,
    /// The types that it works on.
    pub(crate) family: Family,
    /// What it derives for them, of the family that leaves that open.
    pub(crate) derives: &'static [&'static str],
    /// What it cannot hold natively.
    pub(crate) lowers: Lowerings,
    /// What stands in the way of it, found before anything is generated.
    pub(crate) cannot: fn(&Types) -> Option<String>,
    /// Files that it needs besides, made for the types.
    pub(crate) more: fn(&Types) -> Vec<generate::File>,
    /// Its file in the generated crate, in which `VERSION` and `ROOT` stand for the version and the records' type.
    pub(crate) text: &'static str,
}

/// Types that several contenders share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// With serde, what is absent left out.
    Named,
    /// Every field by position.
    Plain,
    /// As prost generates them.
    Prost,
    /// As buffa generates them.
    Buffa,
    /// As quick-protobuf generates them.
    Quick,
}

impl Contender {
    /// What reports call it: the crate with its version.
    pub(crate) fn codec(&self) -> String {
        format!("{} {}", self.name, self.version)
    }
}

macro_rules! contenders {
    ($($name:literal $version:literal $format:literal $family:ident [$($derive:literal),*]
        $lowers:expr, $cannot:expr, $more:expr;)*) => {
        &[$(&Contender {
            name: $name,
            version: $version,
            format: $format,
            family: Family::$family,
            derives: &[$($derive),*],
            lowers: $lowers,
            cannot: $cannot,
            more: $more,
            text: include_str!(concat!("../templates/contenders/", $name, ".rs")),
        }),*]
    };
}

const NONE: Lowerings = Lowerings::NONE;
const JSON: Lowerings = Lowerings::BYTES_BASE64.or(Lowerings::MAP_KEY_TEXT).or(Lowerings::MAP_ENTRIES);
const THRIFT: Lowerings = Lowerings::UINT32_I64.or(Lowerings::UINT64_I64).or(Lowerings::FLOAT_DOUBLE);

/// Whatever it is, it is tried; what does not come back is `lossy`.
fn tried(_: &Types) -> Option<String> {
    None
}

/// Types that are laid out at compile time, with no end to one that holds itself.
fn no_recursion(types: &Types) -> Option<String> {
    types.recursive.then(|| "a message can hold itself, which its derive does not do".to_owned())
}

fn nothing(_: &Types) -> Vec<generate::File> {
    Vec::new()
}

/// All contenders, in the order in which they are shown.
pub(crate) const CONTENDERS: &[&Contender] = contenders! {
    "prost" "0.14.6" "protobuf" Prost [] Lowerings::EMPTY_LIST_ABSENT, prost::cannot, nothing;
    "buffa" "0.9.2" "protobuf" Buffa [] Lowerings::EMPTY_LIST_ABSENT, buffa::cannot, buffa::files;
    "quick-protobuf" "0.8.1" "protobuf" Quick [] Lowerings::EMPTY_LIST_ABSENT, quick::cannot, quick::files;
    "thrift" "0.25.0" "thrift-binary" Plain [] THRIFT, thrift::cannot, thrift::files;
    "serde_json" "1.0.154" "json" Named [] JSON, tried, nothing;
    "sonic-rs" "0.5.10" "json" Named [] JSON, tried, nothing;
    "simd-json" "0.19.0" "json" Named [] JSON, tried, nothing;
    "rmp-serde" "1.3.1" "msgpack" Named [] NONE, tried, nothing;
    "ciborium" "0.2.2" "cbor" Named [] NONE, tried, nothing;
    "minicbor-serde" "0.7.2" "cbor" Named [] NONE, tried, nothing;
    "apache-avro" "0.22.0" "avro" Plain ["serde::Serialize", "serde::Deserialize"] Lowerings::UINT32_I64, avro::cannot, avro::files;
    "postcard" "1.2.0" "postcard" Plain ["serde::Serialize", "serde::Deserialize"] NONE, tried, nothing;
    "bitcode" "0.6.9" "bitcode" Plain ["bitcode::Encode", "bitcode::Decode"] NONE, no_recursion, nothing;
    "wincode" "0.6.3" "bincode" Plain ["wincode::SchemaWrite", "wincode::SchemaRead"] NONE, no_recursion, nothing;
    "rkyv" "0.8.18" "rkyv" Plain ["rkyv::Archive", "rkyv::Serialize", "rkyv::Deserialize"] NONE, no_recursion, nothing;
};
