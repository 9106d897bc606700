//! What prost's own generator would write, with the tags in attributes: so that no protoc is needed.
//!
//! Two things differ from it, and neither on the wire: maps are `BTreeMap`, which is a choice that prost offers, and enums and the
//! fields of oneofs are plain numbers and options.

use super::{Spelling, neutral};
use crate::contender::Contender;
use crate::types::{Field, Holds, Struct, Types};
use bantam_model::{Cardinality, Encoding, Int, Kind, Shape, Width};
use std::fmt::Write;

const SPELLING: Spelling = Spelling { bytes: "Vec<u8>", enums: false, wrappers: true };

pub(super) fn source(types: &Types, _: &[&Contender]) -> String {
    let mut text = String::from("//! What prost would generate.\n\n");
    text += "#[allow(unused_imports)]\nuse std::collections::BTreeMap;\n\n";
    types.structs.iter().filter(|s| s.shape != Shape::Entry).for_each(|one| structure(one, types, &mut text));
    let _ = write!(text, include_str!("../../templates/prost_list.rs"), root = types.structs[0].rust);
    text
}

fn structure(one: &Struct, types: &Types, text: &mut String) {
    *text += "#[derive(Clone, PartialEq, prost::Message)]\n";
    let _ = writeln!(text, "pub struct {} {{", one.rust);
    for field in &one.fields {
        let _ = writeln!(text, "    #[prost({}, tag = \"{}\")]", attributes(field, types), field.number);
        // Protocol Buffers have no numbers of 8 and 16 bits.
        let of = SPELLING.field(&Field { kind: widened(field.kind), ..field.clone() }, types);
        let of = if field.holds == Holds::Told { of["Option<".len()..of.len() - 1].to_owned() } else { of };
        let _ = writeln!(text, "    pub {}: {of},", field.rust);
    }
    *text += "}\n\n";
    let told = |f: &Field| if f.holds == Holds::Told { format!("{}: told", f.rust) } else { f.rust.clone() };
    *text += &neutral(&one.rust, one.fields.iter().map(told));
}

fn widened(kind: Kind) -> Kind {
    match kind {
        Kind::Int(int) if int.width < Width::W32 => Kind::Int(Int { width: Width::W32, ..int }),
        kind => kind,
    }
}

fn attributes(field: &Field, types: &Types) -> String {
    let mut kind = match field.kind {
        Kind::Message(id) if field.cardinality == Cardinality::Map => {
            let entry = &types.of_message(id).fields;
            return format!("btree_map = \"{}, {}\"", wire_type(entry[0].kind), wire_type(entry[1].kind));
        }
        Kind::Message(_) if field.group => "group".to_owned(),
        Kind::Bytes => "bytes = \"vec\"".to_owned(),
        kind => wire_type(kind).to_owned(),
    };
    kind += match field.holds {
        Holds::One => ", required",
        Holds::Option => ", optional",
        Holds::Implicit => "",
        Holds::Many | Holds::Filled | Holds::Told => ", repeated",
    };
    if field.boxed {
        kind += ", boxed";
    }
    if field.holds != Holds::One && field.cardinality.is_many() && is_packable(field.kind) && !field.packed {
        kind += ", packed = \"false\"";
    }
    kind
}

fn is_packable(kind: Kind) -> bool {
    !matches!(kind, Kind::String | Kind::Bytes | Kind::Message(_))
}

/// The type's name in Protocol Buffers.
pub(super) fn wire_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Bool => "bool",
        Kind::Float => "float",
        Kind::Double => "double",
        Kind::String => "string",
        Kind::Bytes => "bytes",
        Kind::Enum(_) => "int32",
        Kind::Message(_) => "message",
        Kind::Int(int) => match (int.signed, int.width == Width::W64, int.encoding) {
            (true, false, Encoding::Varint) => "int32",
            (true, true, Encoding::Varint) => "int64",
            (true, false, Encoding::Zigzag) => "sint32",
            (true, true, Encoding::Zigzag) => "sint64",
            (true, false, Encoding::Fixed) => "sfixed32",
            (true, true, Encoding::Fixed) => "sfixed64",
            (false, false, Encoding::Fixed) => "fixed32",
            (false, true, Encoding::Fixed) => "fixed64",
            (false, false, _) => "uint32",
            (false, true, _) => "uint64",
        },
    }
}

/// What stands in the way of prost.
pub(crate) fn cannot(types: &Types) -> Option<String> {
    if let Some(field) = types.fields().find(|f| !(1..1 << 29).contains(&f.number)) {
        return Some(format!(
            "field `{}` has the number {}, which Protocol Buffers do not have",
            field.name, field.number
        ));
    }
    let odd = types.keys().any(|key| matches!(key, Kind::Float | Kind::Double | Kind::Bytes | Kind::Message(_)));
    odd.then(|| "a map has keys that Protocol Buffers do not have".to_owned())
}
