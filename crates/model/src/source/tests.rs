//! Tests of the readers and the writer together.

use super::*;
use crate::schema::{Cardinality, Constant, Encoding, Int, Kind, MessageId, Shape, Width};
use crate::{Layout, Message};

fn proto(text: &str) -> Schema {
    schema("t.proto", text)
}

fn thrift(text: &str) -> Schema {
    schema("t.thrift", text)
}

fn schema(name: &str, text: &str) -> Schema {
    let source = read(name, text.as_bytes(), &[]).unwrap_or_else(|e| panic!("{e}\n{text}"));
    Arc::unwrap_or_clone(source.schema)
}

fn fails(name: &str, text: &str) -> Error {
    match read(name, text.as_bytes(), &[]) {
        Ok(source) => panic!("{text} is read as {source:?}"),
        Err(error) => error,
    }
}

fn message<'s>(schema: &'s Schema, name: &str) -> &'s Message {
    schema.messages.iter().find(|m| m.name == name).unwrap_or_else(|| panic!("no {name} in {schema:#?}"))
}

/// The same schema with messages and enums in the order of their names: printing may change the order.
fn sorted(schema: &Schema) -> Schema {
    let order = |names: Vec<&String>| {
        let mut order: Vec<_> = (0..names.len()).collect();
        order.sort_by_key(|&at| names[at]);
        order
    };
    let messages = order(schema.messages.iter().map(|m| &m.name).collect());
    let enums = order(schema.enums.iter().map(|e| &e.name).collect());
    let place = |order: &[usize], id: u32| order.iter().position(|&at| at == id as usize).unwrap() as u32;
    let mut sorted = Schema {
        messages: messages.iter().map(|&at| Message { imported: false, ..schema.messages[at].clone() }).collect(),
        enums: enums.iter().map(|&at| schema.enums[at].clone()).collect(),
    };
    for field in sorted.messages.iter_mut().flat_map(|m| &mut m.fields) {
        match &mut field.kind {
            Kind::Message(id) => id.0 = place(&messages, id.0),
            Kind::Enum(id) => id.0 = place(&enums, id.0),
            _ => {}
        }
    }
    sorted
}

/// Prints, reads back, compares.
#[track_caller]
fn round_trip(schema: &Schema) {
    let text = to_proto(schema, None);
    let back = read("t.proto", text.as_bytes(), &[]).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let (back, schema) = (sorted(&back.schema), sorted(schema));
    for (back, message) in back.messages.iter().zip(&schema.messages) {
        assert_eq!(back, message, "\n{text}");
    }
    assert_eq!(back, schema, "\n{text}");
}

mod hostile;
mod printed;
mod proto_text;
mod thrift_text;
