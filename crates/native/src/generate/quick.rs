//! The `.proto` that quick-protobuf's own generator reads in the build script of the generated crate, which needs no protoc; and
//! the conversions of its types.

use super::{neutral, prost};
use crate::contender::Contender;
use crate::types::{Field, Holds, Struct, Types};
use bantam_model::{Cardinality, Encoding, Kind, Shape};
use std::fmt::Write;

/// The schema, with names that the generator leaves as they are.
pub(crate) fn files(types: &Types) -> Vec<super::File> {
    let syntax = if has_implicit(types) { "proto3" } else { "proto2" };
    let mut text =
        format!("syntax = \"{syntax}\";\n\nmessage List {{\n  repeated {} records = 1;\n}}\n", types.structs[0].rust);
    for one in types.structs.iter().filter(|one| one.shape != Shape::Entry) {
        let _ = writeln!(text, "\nmessage {} {{", one.rust);
        for field in &one.fields {
            let _ = writeln!(text, "  {};", field_text(field, types, syntax));
        }
        text += "}\n";
    }
    vec![("records.proto".to_owned(), text)]
}

fn field_text(field: &Field, types: &Types, syntax: &str) -> String {
    let label = match field.holds {
        _ if field.cardinality == Cardinality::Map => "",
        _ if field.cardinality.is_many() => "repeated ",
        _ if syntax == "proto3" => "",
        Holds::One => "required ",
        _ => "optional ",
    };
    let packed = match field.kind {
        Kind::String | Kind::Bytes | Kind::Message(_) => "",
        _ if !field.cardinality.is_many() => "",
        _ if field.packed => " [packed=true]",
        _ => " [packed=false]",
    };
    format!("{label}{} {} = {}{packed}", type_text(field, types), name(field), field.number)
}

fn type_text(field: &Field, types: &Types) -> String {
    match field.kind {
        Kind::Message(id) if field.cardinality == Cardinality::Map => {
            let entry = &types.of_message(id).fields;
            format!("map<{}, {}>", type_text(&entry[0], types), type_text(&entry[1], types))
        }
        Kind::Message(id) => types.of_message(id).rust.clone(),
        kind => prost::wire_type(kind).to_owned(),
    }
}

/// A name that is no keyword.
fn name(field: &Field) -> String {
    format!("f_{}", field.rust.trim_start_matches("r#"))
}

fn is_fixed(kind: Kind) -> bool {
    match kind {
        Kind::Float | Kind::Double => true,
        Kind::Int(int) => int.encoding == Encoding::Fixed,
        _ => false,
    }
}

fn has_implicit(types: &Types) -> bool {
    singular(types).any(|field| field.holds == Holds::Implicit)
}

fn singular(types: &Types) -> impl Iterator<Item = &Field> {
    let of = |one: &Struct| one.shape != Shape::Entry;
    types.structs.iter().filter(move |one| of(one)).flat_map(|one| &one.fields).filter(|f| !f.cardinality.is_many())
}

/// The types, which the build script writes, and how they become neutral.
pub(super) fn source(types: &Types, _: &[&Contender]) -> String {
    let mut text = include_str!("../../templates/quick_list.rs").replace("ROOT", &types.structs[0].rust);
    for one in types.structs.iter().filter(|one| one.shape != Shape::Entry) {
        let told = |f: &Field| if f.holds == Holds::Told { format!("{}: told", name(f)) } else { name(f) };
        text += &neutral(&one.rust, one.fields.iter().map(told));
    }
    text
}

/// What stands in the way of quick-protobuf.
pub(crate) fn cannot(types: &Types) -> Option<String> {
    if let Some(reason) = prost::cannot(types) {
        return Some(reason);
    }
    if types.recursive {
        return Some("a message can hold itself, for which its generator makes types of its own choice".to_owned());
    }
    if types.fields().any(|field| field.group) {
        return Some("its generator does not know groups".to_owned());
    }
    if let Some(field) = types.fields().find(|f| f.packed && f.cardinality.is_many() && is_fixed(f.kind)) {
        let why = "is a packed list of a fixed width, which its generator borrows without a lifetime around it";
        return Some(format!("field `{}` {why}", field.name));
    }
    if !has_implicit(types) {
        return None;
    }
    let is_message = |f: &Field| matches!(f.kind, Kind::Message(_));
    if let Some(field) = singular(types).find(|f| f.holds == Holds::One && is_message(f)) {
        return Some(format!("field `{}` has to be there, and proto3 has no such messages", field.name));
    }
    let field = singular(types).find(|f| f.holds != Holds::Implicit && !is_message(f))?;
    Some(format!("field `{}` tells zero from absent in proto3, which its generator does not", field.name))
}
