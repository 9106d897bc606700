//! The sources of the generated crate: text, and nothing but text.

pub(crate) mod avro;
pub(crate) mod buffa;
mod plain;
pub(crate) mod prost;
pub(crate) mod quick;
mod serde;
pub(crate) mod thrift;

use crate::contender::{CONTENDERS, Contender, Family};
use crate::types::{Field, Holds, Types};
use bantam_model::{Cardinality, Int, Kind, Shape, Width};
use std::fmt::Write;

/// A file of the generated crate: its path and its text.
pub(crate) type File = (String, String);

/// The files of the crate that differ from schema to schema.
pub(crate) fn sources(types: &Types, contenders: &[&Contender]) -> Vec<File> {
    let mut files = Vec::new();
    for (family, name, text) in [
        (Family::Named, "named", serde::source as fn(&Types, &[&Contender]) -> String),
        (Family::Plain, "plain", plain::source),
        (Family::Prost, "prost_types", prost::source),
        (Family::Buffa, "buffa_types", buffa::source),
        (Family::Quick, "quick_types", quick::source),
    ] {
        if contenders.iter().any(|c| c.family == family) {
            files.push((format!("src/{name}.rs"), text(types, contenders)));
        }
    }
    for contender in contenders {
        let text = contender.text.replace("VERSION", contender.version).replace("ROOT", &types.structs[0].rust);
        files.push((format!("src/{}.rs", module(contender)), text));
        files.extend((contender.more)(types));
    }
    files.push(("src/lib.rs".to_owned(), library(types, &files, contenders)));
    files
}

/// The module of a contender; never the name of its crate.
fn module(contender: &Contender) -> String {
    format!("with_{}", contender.name.replace('-', "_"))
}

/// Whether the compiler's complaints are about code that is for this contender alone.
pub(crate) fn is_blamed(contender: &Contender, output: &str) -> bool {
    let own = format!("src/{}.rs:", module(contender));
    let generated = match contender.family {
        Family::Buffa => Some("buffa"),
        Family::Quick => Some("quick_"),
        Family::Named | Family::Plain | Family::Prost => None,
    };
    let mut places = output.lines().filter(|line| line.trim_start().starts_with("-->"));
    places.any(|place| place.contains(&own) || generated.is_some_and(|name| place.contains(name)))
}

fn library(types: &Types, files: &[File], contenders: &[&Contender]) -> String {
    let mut text = String::from(include_str!("../../templates/lib.rs"));
    for (path, _) in files {
        let Some(name) = path.strip_prefix("src/").and_then(|name| name.strip_suffix(".rs")) else { continue };
        let _ = writeln!(text, "mod {name};");
    }
    let root = &types.structs[0].rust;
    let _ = writeln!(text, "\nfn contenders(neutral: &[u8]) -> Vec<harness::Contender> {{");
    for family in [Family::Named, Family::Plain, Family::Prost, Family::Buffa, Family::Quick] {
        let mut of = contenders.iter().filter(|c| c.family == family).peekable();
        if of.peek().is_none() {
            continue;
        }
        let records = match family {
            Family::Named => format!("harness::records::<Vec<named::{root}>>(neutral)"),
            Family::Plain => format!("harness::records::<Vec<plain::{root}>>(neutral)"),
            Family::Prost => "harness::records::<prost_types::List>(neutral)".to_owned(),
            Family::Buffa => "harness::records::<buffa_types::List>(neutral)".to_owned(),
            Family::Quick => "harness::records::<quick_types::List>(neutral)".to_owned(),
        };
        let name = format!("{family:?}").to_ascii_lowercase();
        let _ = writeln!(text, "    let {name} = {records};");
    }
    let _ = writeln!(text, "    let mut all = Vec::new();");
    for contender in contenders {
        let family = format!("{:?}", contender.family).to_ascii_lowercase();
        let _ = writeln!(text, "    all.extend({}::contenders(&{family}));", module(contender));
    }
    text + "    all\n}\n"
}

/// The table's contenders that can hold the records, and the reasons of those that cannot.
pub(crate) fn able(types: &Types) -> (Vec<&'static Contender>, Vec<(&'static Contender, String)>) {
    let (mut able, mut unable) = (Vec::new(), Vec::new());
    for contender in CONTENDERS {
        match (contender.cannot)(types) {
            None => able.push(*contender),
            Some(reason) => unable.push((*contender, reason)),
        }
    }
    (able, unable)
}

/// How a family of types spells what differs between them.
struct Spelling {
    bytes: &'static str,
    /// Whether enums are types of their own.
    enums: bool,
    /// Whether a list in a list is a message.
    wrappers: bool,
}

impl Spelling {
    /// The type of one value.
    fn value(&self, kind: Kind, types: &Types) -> String {
        match kind {
            Kind::Bool => "bool".to_owned(),
            Kind::Int(int) => int_type(int).to_owned(),
            Kind::Float => "f32".to_owned(),
            Kind::Double => "f64".to_owned(),
            Kind::String => "String".to_owned(),
            Kind::Bytes => self.bytes.to_owned(),
            Kind::Enum(id) if self.enums => types.of_enum(id).to_owned(),
            Kind::Enum(_) => "i32".to_owned(),
            Kind::Message(id) => {
                let of = types.of_message(id);
                if of.shape == Shape::Wrapper && !self.wrappers {
                    return self.many(&of.fields[0], types);
                }
                of.rust.clone()
            }
        }
    }

    /// The type of a list or map.
    fn many(&self, field: &Field, types: &Types) -> String {
        let Kind::Message(id) = field.kind else { return format!("Vec<{}>", self.value(field.kind, types)) };
        if field.cardinality != Cardinality::Map {
            return format!("Vec<{}>", self.value(field.kind, types));
        }
        let entry = types.of_message(id);
        let (key, value) = (entry.fields[0].kind, entry.fields[1].kind);
        let pair = format!("{}, {}", self.value(key, types), self.value(value, types));
        if is_ordered(key) { format!("BTreeMap<{pair}>") } else { format!("Vec<({pair})>") }
    }

    /// The type of a field.
    fn field(&self, field: &Field, types: &Types) -> String {
        let value = match field.holds {
            Holds::Many | Holds::Filled | Holds::Told => self.many(field, types),
            _ if field.boxed => format!("Box<{}>", self.value(field.kind, types)),
            _ => self.value(field.kind, types),
        };
        if field.holds.is_option() { format!("Option<{value}>") } else { value }
    }
}

/// Whether keys of this kind can be a `BTreeMap`'s.
pub(crate) fn is_ordered(key: Kind) -> bool {
    !matches!(key, Kind::Float | Kind::Double | Kind::Message(_))
}

/// A byte alone would be taken for part of bytes, so unsigned 8 bits are 16.
fn int_type(int: Int) -> &'static str {
    match (int.signed, int.width) {
        (true, Width::W8) => "i8",
        (true, Width::W16) => "i16",
        (true, Width::W32) => "i32",
        (true, Width::W64) => "i64",
        (false, Width::W8 | Width::W16) => "u16",
        (false, Width::W32) => "u32",
        (false, Width::W64) => "u64",
    }
}

/// The line that makes a struct neutral.
fn neutral(rust: &str, fields: impl Iterator<Item = String>) -> String {
    format!("crate::neutral::neutral!({rust} {{ {} }});\n\n", fields.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests;
