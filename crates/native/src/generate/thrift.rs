//! Structs read and written field by field, as the official compiler's Rust code does, through its `dyn` protocols.

use super::is_ordered;
use crate::types::{Field, Holds, Struct, Types};
use bantam_model::{Cardinality, Int, Kind, Shape, Width};
use std::fmt::Write;

/// The code of all structs.
pub(crate) fn files(types: &Types) -> Vec<super::File> {
    let mut text = String::from("//! What the Thrift compiler would generate.\n\n");
    text += include_str!("../../templates/thrift_use.rs");
    for one in types.records() {
        structure(one, types, &mut text);
    }
    vec![("src/thrift_code.rs".to_owned(), text)]
}

fn structure(one: &Struct, types: &Types, text: &mut String) {
    let _ = writeln!(text, "\nimpl Struct for {} {{", one.rust);
    *text += "    fn read(from: &mut dyn TInputProtocol) -> thrift::Result<Self> {\n";
    for at in 0..one.fields.len() {
        let _ = writeln!(text, "        let mut f{at} = None;");
    }
    *text += "        from.read_struct_begin()?;\n        loop {\n            let field = from.read_field_begin()?;\n";
    *text += "            if field.field_type == TType::Stop {\n                break;\n            }\n";
    *text += "            match field.id {\n";
    for (at, field) in one.fields.iter().enumerate() {
        let read = if field.cardinality.is_many() { read_many(field, types) } else { read_value(field.kind, types) };
        let read = if field.boxed { format!("Box::new({read})") } else { read };
        let _ = writeln!(text, "                Some({}) => f{at} = Some({read}),", field.number);
    }
    *text += "                _ => from.skip(field.field_type)?,\n            }\n            from.read_field_end()?;\n        }\n";
    *text += "        from.read_struct_end()?;\n        Ok(Self {\n";
    for (at, field) in one.fields.iter().enumerate() {
        let value = match field.holds {
            Holds::One => format!("required(f{at})?"),
            Holds::Option | Holds::Told => format!("f{at}"),
            Holds::Implicit | Holds::Many | Holds::Filled => format!("f{at}.unwrap_or_default()"),
        };
        let _ = writeln!(text, "            {}: {value},", field.rust);
    }
    *text += "        })\n    }\n\n    fn write(&self, to: &mut dyn TOutputProtocol) -> thrift::Result<()> {\n";
    let _ = writeln!(text, "        to.write_struct_begin(&TStructIdentifier::new(\"{}\"))?;", one.rust);
    for field in &one.fields {
        write_field(field, types, text);
    }
    *text += "        to.write_field_stop()?;\n        to.write_struct_end()\n    }\n}\n";
}

fn write_field(field: &Field, types: &Types, text: &mut String) {
    let place = format!("&self.{}", field.rust);
    let (open, place) = match field.holds {
        Holds::One | Holds::Many => ("{".to_owned(), place),
        Holds::Option | Holds::Told => (format!("if let Some(value) = {place} {{"), "value".to_owned()),
        Holds::Implicit | Holds::Filled => (format!("if !crate::neutral::is_zero({place}) {{"), place),
    };
    let ttype = if field.cardinality.is_many() { many_type(field) } else { value_type(field.kind, types) };
    let write = if field.cardinality.is_many() {
        write_many(&place, field, types)
    } else {
        write_value(&place, field.kind, types)
    };
    let name = crate::names::literal(field.rust.trim_start_matches("r#"));
    let _ = writeln!(text, "        {open}");
    let _ = writeln!(
        text,
        "            to.write_field_begin(&TFieldIdentifier::new({name}, TType::{ttype}, {}))?;",
        field.number
    );
    let _ = writeln!(text, "            {write};\n            to.write_field_end()?;\n        }}");
}

fn value_type(kind: Kind, types: &Types) -> &'static str {
    match kind {
        Kind::Bool => "Bool",
        Kind::Enum(_) => "I32",
        Kind::Float | Kind::Double => "Double",
        Kind::String | Kind::Bytes => "String",
        Kind::Int(int) => match width(int) {
            8 => "I08",
            16 => "I16",
            32 => "I32",
            _ => "I64",
        },
        Kind::Message(id) => match types.of_message(id) {
            Struct { shape: Shape::Wrapper, fields, .. } => many_type(&fields[0]),
            _ => "Struct",
        },
    }
}

fn many_type(field: &Field) -> &'static str {
    match field.cardinality {
        Cardinality::Map => "Map",
        Cardinality::Set => "Set",
        _ => "List",
    }
}

/// Thrift's numbers are signed, so an unsigned one takes the next width.
fn width(int: Int) -> u32 {
    match (int.signed, int.width) {
        (true, Width::W8) => 8,
        (true, Width::W16) => 16,
        (true, Width::W32) | (false, Width::W8 | Width::W16) => 32,
        _ => 64,
    }
}

fn int_cast(int: Int) -> &'static str {
    if int.signed { "" } else { super::int_type(int) }
}

fn read_value(kind: Kind, types: &Types) -> String {
    match kind {
        Kind::Bool => "from.read_bool()?".to_owned(),
        Kind::Enum(_) => "from.read_i32()?".to_owned(),
        Kind::Float => "from.read_double()? as f32".to_owned(),
        Kind::Double => "from.read_double()?".to_owned(),
        Kind::String => "from.read_string()?".to_owned(),
        Kind::Bytes => "Bytes(from.read_bytes()?)".to_owned(),
        Kind::Int(int) => {
            let cast = int_cast(int);
            let cast = if cast.is_empty() { String::new() } else { format!(" as {cast}") };
            format!("from.read_i{}()?{cast}", width(int))
        }
        Kind::Message(id) => match types.of_message(id) {
            Struct { shape: Shape::Wrapper, fields, .. } => read_many(&fields[0], types),
            of => format!("{}::read(from)?", of.rust),
        },
    }
}

fn read_many(field: &Field, types: &Types) -> String {
    match field.kind {
        Kind::Message(id) if field.cardinality == Cardinality::Map => {
            let entry = &types.of_message(id).fields;
            let (key, value) = (read_value(entry[0].kind, types), read_value(entry[1].kind, types));
            let (new, put) = if is_ordered(entry[0].kind) {
                ("BTreeMap::new()", "map.insert(key, value)")
            } else {
                ("Vec::new()", "map.push((key, value))")
            };
            format!(
                "{{ let head = from.read_map_begin()?; let mut map = {new}; for _ in 0..head.size {{ \
                 let key = {key}; let value = {value}; {put}; }} from.read_map_end()?; map }}"
            )
        }
        kind => {
            let list = if field.cardinality == Cardinality::Set { "set" } else { "list" };
            format!(
                "{{ let head = from.read_{list}_begin()?; let mut list = Vec::with_capacity(head.size as usize); \
                 for _ in 0..head.size {{ list.push({}); }} from.read_{list}_end()?; list }}",
                read_value(kind, types)
            )
        }
    }
}

/// A statement that writes what an expression refers to.
fn write_value(place: &str, kind: Kind, types: &Types) -> String {
    match kind {
        Kind::Bool => format!("to.write_bool(*{place})?"),
        Kind::Enum(_) => format!("to.write_i32(*{place})?"),
        Kind::Float => format!("to.write_double(f64::from(*{place}))?"),
        Kind::Double => format!("to.write_double(*{place})?"),
        Kind::String => format!("to.write_string({place})?"),
        Kind::Bytes => format!("to.write_bytes(&({place}).0)?"),
        Kind::Int(int) if int.signed => format!("to.write_i{}(*{place})?", width(int)),
        Kind::Int(int) => format!("to.write_i{0}(*{place} as i{0})?", width(int)),
        Kind::Message(id) => match types.of_message(id) {
            Struct { shape: Shape::Wrapper, fields, .. } => write_many(place, &fields[0], types),
            of => format!("{}::write({place}, to)?", of.rust),
        },
    }
}

fn write_many(place: &str, field: &Field, types: &Types) -> String {
    match field.kind {
        Kind::Message(id) if field.cardinality == Cardinality::Map => {
            let entry = &types.of_message(id).fields;
            let (key, value) = (entry[0].kind, entry[1].kind);
            format!(
                "{{ let map = {place}; to.write_map_begin(&TMapIdentifier::new(TType::{}, TType::{}, map.len() as i32))?; \
                 for (key, value) in map {{ {}; {}; }} to.write_map_end()? }}",
                value_type(key, types),
                value_type(value, types),
                write_value("key", key, types),
                write_value("value", value, types)
            )
        }
        kind => {
            let (name, list) = if field.cardinality == Cardinality::Set {
                ("TSetIdentifier", "set")
            } else {
                ("TListIdentifier", "list")
            };
            format!(
                "{{ let list = {place}; to.write_{list}_begin(&{name}::new(TType::{}, list.len() as i32))?; \
                 for item in list {{ {}; }} to.write_{list}_end()? }}",
                value_type(kind, types),
                write_value("item", kind, types)
            )
        }
    }
}

/// What stands in the way of Thrift.
pub(crate) fn cannot(types: &Types) -> Option<String> {
    let field = types.fields().find(|f| i16::try_from(f.number).is_err())?;
    Some(format!("field `{}` has the number {}, and Thrift's have 16 bits", field.name, field.number))
}
