//! Types for serde and self-describing formats: absent fields are left out, as people write such types.

use super::{Spelling, neutral};
use crate::contender::Contender;
use crate::names::literal;
use crate::types::{Field, Holds, Struct, Types};
use std::fmt::Write;

const SPELLING: Spelling = Spelling { bytes: "crate::text::Bytes", enums: true, wrappers: false };

pub(super) fn source(types: &Types, _: &[&Contender]) -> String {
    let mut text = String::from("//! Types for serde, with what is absent left out.\n\n");
    text += "#[allow(unused_imports)]\nuse std::collections::BTreeMap;\n\n";
    for (id, rust) in &types.enums {
        let of = types.layout.schema().enumeration(*id);
        let _ = writeln!(text, "crate::text::names!({rust} {{");
        // Of two names of one number the first is written.
        let pairs: Vec<_> = of.values.iter().map(|v| format!("    {} => {}", v.number, literal(&v.name))).collect();
        let _ = writeln!(text, "{}\n}});\n", pairs.join(",\n"));
    }
    types.records().for_each(|one| structure(one, types, &mut text));
    text
}

fn structure(one: &Struct, types: &Types, text: &mut String) {
    *text += "#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]\n";
    let _ = writeln!(text, "pub struct {} {{", one.rust);
    for field in &one.fields {
        let _ = writeln!(text, "    #[serde({})]", attributes(field));
        let _ = writeln!(text, "    pub {}: {},", field.rust, SPELLING.field(field, types));
    }
    *text += "}\n\n";
    *text += &neutral(&one.rust, one.fields.iter().map(|f| f.rust.clone()));
}

fn attributes(field: &Field) -> String {
    let name = format!("rename = {}", literal(&field.name));
    match field.holds {
        Holds::One => name,
        Holds::Many => format!("{name}, default"),
        Holds::Option | Holds::Told => format!("{name}, default, skip_serializing_if = \"Option::is_none\""),
        Holds::Implicit | Holds::Filled => {
            format!("{name}, default, skip_serializing_if = \"crate::neutral::is_zero\"")
        }
    }
}
