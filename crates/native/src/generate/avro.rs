//! The Avro schema of the types that go by position, as JSON (Apache Avro 1.12, "Schema Declaration").

use crate::names::literal;
use crate::types::{Field, Struct, Types};
use bantam_model::{Cardinality, Int, Kind, MessageId, Shape, Width};

/// The schema file.
pub(crate) fn files(types: &Types) -> Vec<super::File> {
    let schema = record(&types.structs[0], types, &mut Vec::new());
    vec![("src/schema.avsc".to_owned(), schema)]
}

/// A record where it is first used, later its name.
fn record(one: &Struct, types: &Types, known: &mut Vec<MessageId>) -> String {
    if known.contains(&one.id) {
        return literal(&one.rust);
    }
    known.push(one.id);
    let fields: Vec<_> = one
        .fields
        .iter()
        .map(|field| {
            let name = field.rust.trim_start_matches("r#");
            format!("{{\"name\":{},\"type\":{}}}", literal(name), of_field(field, types, known))
        })
        .collect();
    format!("{{\"type\":\"record\",\"name\":{},\"fields\":[{}]}}", literal(&one.rust), fields.join(","))
}

fn of_field(field: &Field, types: &Types, known: &mut Vec<MessageId>) -> String {
    let value =
        if field.cardinality.is_many() { many(field, types, known) } else { of_value(field.kind, types, known) };
    if field.holds.is_option() { format!("[\"null\",{value}]") } else { value }
}

fn many(field: &Field, types: &Types, known: &mut Vec<MessageId>) -> String {
    match field.kind {
        Kind::Message(id) if field.cardinality == Cardinality::Map => {
            let value = types.of_message(id).fields[1].kind;
            format!("{{\"type\":\"map\",\"values\":{}}}", of_value(value, types, known))
        }
        kind => format!("{{\"type\":\"array\",\"items\":{}}}", of_value(kind, types, known)),
    }
}

fn of_value(kind: Kind, types: &Types, known: &mut Vec<MessageId>) -> String {
    let name = match kind {
        Kind::Bool => "boolean",
        Kind::Int(Int { signed: false, width: Width::W32, .. } | Int { width: Width::W64, .. }) => "long",
        Kind::Int(_) | Kind::Enum(_) => "int",
        Kind::Float => "float",
        Kind::Double => "double",
        Kind::String => "string",
        Kind::Bytes => "bytes",
        Kind::Message(id) => {
            let of = types.of_message(id);
            return if of.shape == Shape::Wrapper {
                many(&of.fields[0], types, known)
            } else {
                record(of, types, known)
            };
        }
    };
    format!("\"{name}\"")
}

/// What stands in the way of Avro.
pub(crate) fn cannot(types: &Types) -> Option<String> {
    if types.keys().any(|key| key != Kind::String) {
        return Some("Avro's maps have text as keys".to_owned());
    }
    let wide = |kind| matches!(kind, Kind::Int(Int { signed: false, width: Width::W64, .. }));
    let field = types.fields().find(|f| wide(f.kind))?;
    Some(format!("field `{}` has unsigned 64 bits, which Avro does not have", field.name))
}
