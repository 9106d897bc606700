//! Types for formats that go by position: every field is written, absent or not.

use super::{Spelling, neutral};
use crate::contender::{Contender, Family};
use crate::types::{Struct, Types};
use bantam_model::Kind;
use std::fmt::Write;

const SPELLING: Spelling = Spelling { bytes: "Bytes", enums: false, wrappers: false };

pub(super) fn source(types: &Types, contenders: &[&Contender]) -> String {
    let mut text = String::from("//! Types for formats that go by position.\n\n");
    text += "#[allow(unused_imports)]\nuse std::collections::BTreeMap;\n\n";
    let mut derives: Vec<&str> = Vec::new();
    for derive in contenders.iter().filter(|c| c.family == Family::Plain).flat_map(|c| c.derives) {
        if !derives.contains(derive) {
            derives.push(derive);
        }
    }
    if types.fields().any(|f| f.kind == Kind::Bytes) {
        // Serde would take a vector for a list of numbers.
        let others = derives.iter().filter(|d| !d.starts_with("serde")).fold(String::new(), |text, d| text + ", " + d);
        text += &include_str!("../../templates/plain_bytes.rs").replace(", DERIVES", &others);
    }
    types.records().for_each(|one| structure(one, types, &derives, &mut text));
    text
}

fn structure(one: &Struct, types: &Types, derives: &[&str], text: &mut String) {
    let _ = writeln!(text, "#[derive(Clone, Debug, PartialEq, {})]", derives.join(", "));
    let _ = writeln!(text, "pub struct {} {{", one.rust);
    for field in &one.fields {
        let _ = writeln!(text, "    pub {}: {},", field.rust, SPELLING.field(field, types));
    }
    *text += "}\n\n";
    *text += &neutral(&one.rust, one.fields.iter().map(|f| f.rust.clone()));
}
