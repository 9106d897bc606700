//! Golden text for a small schema with one of each.

use super::*;
use bantam_model::source::read;
use bantam_model::{Batch, Layout};
use std::sync::Arc;

const SCHEMA: &str = r#"
syntax = "proto2";
package p;
message Thing {
  required string type = 1;
  optional sint64 n = 2;
  repeated double x = 3 [packed = true];
  map<string, Thing> kids = 4;
  optional Thing next = 5;
  optional Color color = 6;
  optional bytes raw = 7;
}
enum Color { RED = 0; GREEN = 2; }
"#;

fn types(text: &str) -> Types {
    let schema = read("t.proto", text.as_bytes(), &[]).unwrap().schema;
    let root = schema.records().next().unwrap();
    Types::of(&Batch::new(Arc::new(Layout::new(schema, root).unwrap())))
}

/// The text of one of the generated files, from the first struct on.
fn generated(types: &Types, path: &str) -> String {
    let (able, _) = able(types);
    let files = sources(types, &able);
    let text = &files.iter().find(|(name, _)| name == path).expect("a file").1;
    text[text.find("pub struct MThing {").expect("the struct")..].to_owned()
}

#[test]
fn types_by_name_leave_out_what_is_absent() {
    let text = generated(&types(SCHEMA), "src/named.rs");
    let expected = r#"pub struct MThing {
    #[serde(rename = "type")]
    pub r#type: String,
    #[serde(rename = "n", default, skip_serializing_if = "Option::is_none")]
    pub n: Option<i64>,
    #[serde(rename = "x", default)]
    pub x: Vec<f64>,
    #[serde(rename = "kids", default)]
    pub kids: BTreeMap<String, MThing>,
    #[serde(rename = "next", default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Box<MThing>>,
    #[serde(rename = "color", default, skip_serializing_if = "Option::is_none")]
    pub color: Option<EColor>,
    #[serde(rename = "raw", default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<crate::text::Bytes>,
}

crate::neutral::neutral!(MThing { r#type, n, x, kids, next, color, raw });

"#;
    assert_eq!(text, expected);
}

#[test]
fn types_of_prost_have_its_attributes() {
    let text = generated(&types(SCHEMA), "src/prost_types.rs");
    let expected = r#"pub struct MThing {
    #[prost(string, required, tag = "1")]
    pub r#type: String,
    #[prost(sint64, optional, tag = "2")]
    pub n: Option<i64>,
    #[prost(double, repeated, tag = "3")]
    pub x: Vec<f64>,
    #[prost(btree_map = "string, message", tag = "4")]
    pub kids: BTreeMap<String, MThing>,
    #[prost(message, optional, boxed, tag = "5")]
    pub next: Option<Box<MThing>>,
    #[prost(int32, optional, tag = "6")]
    pub color: Option<i32>,
    #[prost(bytes = "vec", optional, tag = "7")]
    pub raw: Option<Vec<u8>>,
}

crate::neutral::neutral!(MThing { r#type, n, x, kids, next, color, raw });
"#;
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn the_generator_of_buffa_is_told_all_of_a_message() {
    let files = buffa::files(&types(SCHEMA));
    let text = &files.iter().find(|(name, _)| name == "messages.rs").expect("a file").1;
    let line =
        |start: &str| text.lines().map(str::trim).find(|line| line.starts_with(start)).expect("a line").to_owned();
    for (start, expected) in [
        (
            "Field { name: \"type\"",
            "kind: Type::TYPE_STRING, of: None, label: Label::LABEL_OPTIONAL, presence: Some(FieldPresence::LEGACY_REQUIRED)",
        ),
        ("Field { name: \"x\"", "label: Label::LABEL_REPEATED, presence: None, packed: true, group: false"),
        ("Field { name: \"kids\"", "of: Some(\".MThing.KidsEntry\"), label: Label::LABEL_REPEATED"),
        ("Field { name: \"color\"", "number: 6, kind: Type::TYPE_INT32, of: None"),
        ("Message { name: \"KidsEntry\"", "entry_of: Some(\"MThing\")"),
    ] {
        assert!(line(start).contains(expected), "{}", line(start));
    }
}

#[test]
fn who_cannot_hold_the_schema_says_why() {
    let refused = |text: &str| -> Vec<(&str, String)> {
        let (_, unable) = able(&types(text));
        unable.into_iter().map(|(contender, reason)| (contender.name, reason)).collect()
    };
    let names: Vec<_> = refused(SCHEMA).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["quick-protobuf", "bitcode", "wincode", "rkyv"]);
    let wide = refused("syntax = \"proto3\"; message M { uint64 n = 70000; map<int32, bool> m = 2; }");
    assert_eq!(wide[0].1, "field `n` has the number 70000, and Thrift's have 16 bits");
    assert_eq!(wide[1].1, "Avro's maps have text as keys");
    assert_eq!(refused("syntax = \"proto3\"; message M { uint32 n = 1; }"), []);
    let packed = refused("syntax = \"proto3\"; message M { repeated double x = 1; }");
    assert!(
        packed.len() == 1 && packed[0].0 == "quick-protobuf" && packed[0].1.starts_with("field `x` is a packed list")
    );
    assert_eq!(refused("syntax = \"proto2\"; message M { repeated double x = 1 [packed = false]; }"), []);
    let required = refused("syntax = \"proto3\"; message M { uint32 n = 1; optional uint32 m = 2; }");
    assert_eq!(required[0].1, "field `m` tells zero from absent in proto3, which its generator does not");
}

#[test]
fn who_does_not_compile_is_found_by_the_place() {
    let blamed =
        |output: &str| -> Vec<&str> { CONTENDERS.iter().filter(|c| is_blamed(c, output)).map(|c| c.name).collect() };
    let of = |place: &str| {
        format!("error[E0261]: use of undeclared lifetime name\n  --> {place}:9:30\n   |\n9 | pub x: Quick,")
    };
    assert_eq!(blamed(&of("/x/out/quick_owned.rs")), ["quick-protobuf"]);
    assert_eq!(blamed(&of("src/with_simd_json.rs")), ["simd-json"]);
    assert_eq!(blamed(&of("src/buffa_types.rs")), ["buffa"]);
    assert_eq!(blamed(&of("src/plain.rs")), [""; 0]);
    assert_eq!(blamed("error: could not compile `quick_x`"), [""; 0]);
}

#[test]
fn the_avro_schema_names_a_record_once() {
    let files = avro::files(&types("syntax = \"proto3\"; message M { M a = 1; repeated uint32 type = 2; }"));
    assert_eq!(
        files[0].1,
        r#"{"type":"record","name":"MM","fields":[{"name":"a","type":["null","MM"]},{"name":"type","type":{"type":"array","items":"long"}}]}"#
    );
}
