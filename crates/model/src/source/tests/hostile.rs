//! Broken texts: an error or a schema, never a panic, and never for long.

use super::*;
use proptest::prelude::*;
use protox::prost::Message as _;
use std::time::{Duration, Instant};

const PROTO: &str = r#"syntax = "proto2"; package p.q; import "google/protobuf/any.proto"; option java_package = "x";
// bantam: list
message L { repeated sint64 items = 1 [packed = true]; } /* bantam: name "x y" */
message M { required string a = 1 [default = "x\n\001", json_name = "A"]; optional group G = 2 { optional M m = 1; }
  map<string, E> e = 3; oneof o { bytes b = 4; // bantam: default [1, {2: "x"}]
  float f = 5; } reserved 9, 10 to 12; extensions 100 to max; enum E { option allow_alias = true; Z = 0; Y = -1; }
  optional google.protobuf.Any any = 6; repeated L lists = 7; /* bantam: set */ repeated int32 s = 8; }
extend M { optional int32 ext = 100; } service S { rpc R (M) returns (stream M) { option deprecated = true; } }"#;

const THRIFT: &str = r#"namespace * a.b include "none" cpp_include "<x>" typedef list<map<string, set<i32>>> T (a = "b")
const map<string, list<double>> C = {"a": [1, -2.5e3], 'b\n': []} /** doc */ enum E { A, B = 0x10; C }
union U { 1: T t; 2: bool b = true } exception X { -1: optional binary b = "x" (c); string noid }
struct S { 1: required i64 a = 7, 2: E e = E.B; 3: map<string, list<double>> & m = C # x
  4: S s // y
  5: U u = {"b": false} } (d) service V extends W { oneway void f(1: S s) throws (1: X x), }"#;

/// Pieces that parsers trip over.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "\"",
    "'",
    "\\",
    "/*",
    "*/",
    "//",
    "#",
    "=",
    ";",
    ",",
    ":",
    ".",
    "-",
    "0x",
    "1e",
    "99999999999999999999",
    "-1",
    "\n",
    "\0",
    "é",
    "\u{feff}",
    "map<",
    "list<",
    "group",
    "oneof",
    "import",
    "include ",
    "// bantam: list\n",
    "// bantam: entry\n",
    "// bantam: name \"\"\n",
    "// bantam: number 0\n",
    "syntax",
    "edition",
];

/// Reads it under both names; prints and reads again what is a schema.
fn survives(text: &[u8]) {
    let start = Instant::now();
    for name in ["t.proto", "t.thrift", "t"] {
        if let Ok(source) = read(name, text, &[]) {
            let printed = to_proto(&source.schema, source.schema.root().ok());
            let _ = read("t.proto", printed.as_bytes(), &[]);
        }
    }
    assert!(start.elapsed() < Duration::from_secs(10), "{}", String::from_utf8_lossy(text));
}

fn broken(text: &'static str) -> impl Strategy<Value = String> {
    let edit = (0..text.len(), 0..40usize, prop::sample::select(PIECES), 0..text.len());
    prop::collection::vec(edit, 1..5).prop_map(move |edits| {
        let mut out = text.to_owned();
        for (at, removed, piece, from) in edits {
            let floor =
                |text: &str, at: usize| (0..=at.min(text.len())).rev().find(|&a| text.is_char_boundary(a)).unwrap_or(0);
            let (start, end) = (floor(&out, at), floor(&out, at + removed));
            let copy = text.get(from..from + 20).filter(|_| removed % 3 == 0).unwrap_or(piece);
            out.replace_range(start..end, copy);
        }
        out
    })
}

#[test]
fn every_truncation_of_a_text_is_an_error_or_a_schema() {
    for text in [PROTO, THRIFT] {
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            survives(&text.as_bytes()[..end]);
        }
    }
    schema("whole.proto", PROTO);
    schema("whole.thrift", &THRIFT.replace("include \"none\"", ""));
}

#[test]
fn every_truncation_of_a_descriptor_set_is_an_error_or_a_schema() {
    for end in 0..set().len() {
        survives(&set()[..end]);
    }
}

/// A dot is what hurts most: prost-reflect looks for its parts.
#[test]
fn a_dot_anywhere_in_a_descriptor_set_is_an_error_or_a_schema() {
    for at in 0..set().len() {
        let mut bytes = set();
        bytes[at] = b'.';
        survives(&bytes);
    }
}

fn set() -> Vec<u8> {
    let file = protox::file::File::from_source("t.proto", PROTO).unwrap();
    let mut descriptor = file.file_descriptor_proto().clone();
    descriptor.source_code_info = None;
    prost_types::FileDescriptorSet { file: vec![descriptor] }.encode_to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn broken_protos_are_errors_or_schemas(text in broken(PROTO)) {
        survives(text.as_bytes());
    }

    #[test]
    fn broken_thrifts_are_errors_or_schemas(text in broken(THRIFT)) {
        survives(text.as_bytes());
    }

    #[test]
    fn broken_descriptor_sets_are_errors_or_schemas(edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5)) {
        let mut bytes = set();
        for (at, byte) in edits {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        survives(&bytes);
    }

    #[test]
    fn soups_are_errors_or_schemas(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        survives(pieces.concat().as_bytes());
        survives(format!("struct S {{ {}", pieces.join(" ")).as_bytes());
        survives(format!("message S {{ {}", pieces.join(" ")).as_bytes());
    }
}

#[test]
fn long_chains_of_imports_end_without_harm() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: String, text: String| std::fs::write(dir.path().join(name), text).unwrap();
    for n in 0..MOST_FILES + 10 {
        let next = n + 1;
        let fields = format!("message F{n} {{ optional F{next} f = 1; }}");
        write(format!("f{n}.proto"), format!("import \"f{next}.proto\"; {fields}"));
        write(format!("f{n}.thrift"), format!("include \"f{next}.thrift\" struct F {{ 1: f{next}.F f }}"));
    }
    for name in ["f0.proto", "f0.thrift"] {
        assert_eq!(load(dir.path().join(name), &[]).unwrap_err().kind(), ErrorKind::Limit);
    }
    write("f90.proto".into(), "message F90 {}".into());
    write("f50.thrift".into(), "struct F {}".into());
    assert_eq!(load(dir.path().join("f0.proto"), &[]).unwrap().schema.messages.len(), 91);
    assert_eq!(load(dir.path().join("f0.thrift"), &[]).unwrap().schema.messages.len(), 51);
}
