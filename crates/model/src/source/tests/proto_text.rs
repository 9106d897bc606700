//! Reading `.proto` text and descriptor sets.

use super::*;
use protox::prost::Message as _;

#[test]
fn proto2_has_labels_defaults_and_groups() {
    let schema = proto(
        r#"
        // No syntax means proto2.
        package dns;
        // A record.
        //   Indented.
        message Record {
          required fixed32 sip = 1;  // The source.
          // The destination.
          required sfixed64 dip = 2;
          optional string type = 5 [default = "A\n\303\251"];
          optional int32 ttl = 6 [default = -86400];
          optional bytes raw = 7 [default = "\000\xffx"];
          optional double inf = 8 [default = -inf];
          optional float tenth = 9 [default = 0.1];
          optional Color color = 10 [default = GREEN];
          optional bool flag = 11 [default = true];
          optional uint64 most = 12 [default = 18446744073709551615];
          repeated sint32 zig = 13 [packed = true];
          repeated uint32 plain = 14;
          repeated group Answer = 15 { optional Record next = 1; }
          oneof pick { string text = 16; group Choice = 17 { required bool on = 1; } }
          extensions 100 to 200;
          enum Color { option allow_alias = true; RED = 0; GREEN = -1; LIME = -1; }
        }
        extend Record { optional string note = 100; }
        "#,
    );
    let record = message(&schema, "dns.Record");
    assert_eq!(record.doc, "A record.\n  Indented.");
    let field = |name: &str| record.field(name).unwrap();
    assert_eq!((field("sip").doc.as_str(), field("dip").doc.as_str()), ("The source.", "The destination."));
    assert_eq!(field("sip").cardinality, Cardinality::Required);
    assert_eq!(field("sip").kind, Kind::Int(Int::U32.encoded(Encoding::Fixed)));
    assert_eq!(field("dip").kind, Kind::Int(Int::I64.encoded(Encoding::Fixed)));
    for (name, default) in [
        ("type", Constant::String("A\né".into())),
        ("ttl", Constant::Int(-86400)),
        ("raw", Constant::Bytes(vec![0, 255, b'x'])),
        ("inf", Constant::Float(f64::NEG_INFINITY)),
        ("tenth", Constant::Float(0.1)),
        ("color", Constant::Int(-1)),
        ("flag", Constant::Bool(true)),
        ("most", Constant::Int(u64::MAX.into())),
    ] {
        assert_eq!(field(name).default, Some(default));
    }
    assert_eq!((field("zig").packed, field("plain").packed), (true, false));
    let answer = field("answer");
    assert_eq!((answer.group, answer.cardinality), (true, Cardinality::Repeated));
    assert_eq!(answer.kind, Kind::Message(schema.find("dns.Record.Answer").unwrap()));
    assert_eq!(
        (field("choice").oneof, field("text").oneof, &record.oneofs[..]),
        (Some(0), Some(0), &["pick".into()][..])
    );
    assert_eq!(schema.enums[0].name, "dns.Record.Color");
    assert!(!schema.enums[0].open && schema.enums[0].values.len() == 3);
    assert!(record.field("note").is_none());
    round_trip(&schema);
}

#[test]
fn proto3_has_implicit_presence_maps_and_packed_lists() {
    let schema = proto(
        r#"syntax = "proto3";
        message M {
          int32 a = 1;
          optional int32 b = 2;
          M inner = 3;
          oneof pick { bool c = 4; M d = 5; }
          repeated int32 e = 6;
          repeated int32 f = 7 [packed = false];
          repeated string g = 8;
          map<string, M> by_name = 9;
          map<int64, double> h = 10;
          E open = 11;
          enum E { ZERO = 0; }
        }"#,
    );
    let m = message(&schema, "M");
    let cardinalities: Vec<_> = m.fields.iter().map(|f| f.cardinality).collect();
    use Cardinality::{Implicit, Map, Optional, Repeated};
    let expected = [Implicit, Optional, Optional, Optional, Optional, Repeated, Repeated, Repeated, Map, Map, Implicit];
    assert_eq!(cardinalities, expected);
    assert_eq!(m.oneofs, ["pick"]);
    assert!(m.fields[5].packed && !m.fields[6].packed && !m.fields[7].packed);
    let entry = message(&schema, "M.ByNameEntry");
    assert_eq!(entry.shape, Shape::Entry);
    assert_eq!((entry.fields[0].cardinality, entry.fields[1].cardinality), (Implicit, Optional));
    assert!(schema.enums[0].open);
    round_trip(&schema);
}

#[test]
fn lines_of_documentation_say_what_proto_cannot() {
    let schema = proto(
        r#"syntax = "proto3";
        // Rows.
        // bantam: list
        message Row { repeated double cells = 1; }
        message Table {
          repeated Row rows = 1;
          // Tags.
          // bantam: set
          repeated string tags = 2;
          int32 small = 3; // bantam: int8
          /* bantam: uint16 */
          repeated fixed32 ports = 4;
          // bantam: name "content-type"
          string content_type = 5 [json_name = "content-type"];
          string kept = 6 [json_name = "other"];
        }"#,
    );
    let (row, table) = (message(&schema, "Row"), message(&schema, "Table"));
    assert_eq!((row.shape, row.doc.as_str()), (Shape::Wrapper, "Rows."));
    assert_eq!((table.fields[1].cardinality, table.fields[1].doc.as_str()), (Cardinality::Set, "Tags."));
    assert_eq!(table.fields[2].kind, Kind::Int(Int { width: Width::W8, ..Int::I32 }));
    let port = Int { width: Width::W16, ..Int::U32.encoded(Encoding::Fixed) };
    assert_eq!((table.fields[3].kind, table.fields[3].doc.as_str()), (Kind::Int(port), ""));
    assert_eq!((table.fields[4].name.as_str(), table.fields[5].name.as_str()), ("content-type", "kept"));
    round_trip(&schema);
}

#[test]
fn lines_in_the_wrong_place_are_errors() {
    for (body, said) in [
        ("/* bantam: list */ message M { int32 a = 1; }", "`bantam: list` needs exactly one repeated or map field"),
        ("/* bantam: entry */ message M { int32 a = 1; }", "`bantam: entry` needs the single fields"),
        ("message M {\n  // bantam: set\n  int32 a = 1; }", "line 4 column 3: `bantam: set` needs a repeated field"),
        ("message M { int64 a = 1; // bantam: int8\n}", "needs a signed integer of 32 bits, not int64"),
        ("message M { string a = 1; // bantam: list\n}", "`bantam: list` has no meaning on this field"),
        ("message M { repeated int32 a = 1; // bantam: implicit\n}", "needs an optional field"),
        ("message M { int32 a = 1; // bantam: group\n}", "needs a message field"),
        ("message N {}\n// bantam: name \"N\"\nmessage M {}", "two messages are named `N`"),
        ("message M { int32 a = 1; // bantam: name \"b\"\n int32 b = 2; }", "two fields of `M` are named `b`"),
        ("message M { int32 a = 1; // bantam: number 2\n int32 b = 2; }", "two fields of `M` have the number 2"),
    ] {
        let error = fails("t.proto", &format!("syntax = \"proto3\";\n{body}"));
        assert!(error.to_string().contains(said) && error.to_string().contains("(in t.proto)"), "{error}");
    }
}

#[test]
fn errors_say_file_line_and_column() {
    for (text, shown) in [
        (
            "syntax = \"proto3\";\nmessage M {\n  int32 a 1;\n}",
            "line 3 column 11: expected '=', but found '1' (in t.proto)",
        ),
        (
            "syntax = \"proto3\";\nmessage M {\n  Foo a = 1;\n}",
            "line 3 column 3: name 'Foo' is not defined (in t.proto)",
        ),
        (
            "syntax = \"proto3\";\nimport \"no.proto\";",
            "line 2 column 1: import 'no.proto' not found; no include folder is given (in t.proto)",
        ),
        ("message M {", "line 1 column 12: expected"),
        (
            "\nedition = \"2023\";",
            "line 2 column 1: editions are not read yet; expected `syntax = \"proto2\";` or \"proto3\" (in t.proto)",
        ),
        (
            "syntax = \"proto3\"; message M { int32 a = 1; int32 b = 1; }",
            "line 1 column 42: field number '1' is already used (in t.proto)",
        ),
    ] {
        let error = fails("t.proto", text).to_string();
        assert!(error.starts_with(shown) || (error.contains(shown) && error.contains("(in t.proto)")), "{error}");
    }
}

#[test]
fn a_descriptor_set_is_the_same_schema() {
    let dir = tempfile::tempdir().unwrap();
    let main = "syntax = \"proto3\"; import \"a/b.proto\"; import \"google/protobuf/timestamp.proto\";\n\
        // Doc.\nmessage M { a.B b = 1; google.protobuf.Timestamp at = 2; }";
    std::fs::create_dir(dir.path().join("a")).unwrap();
    let inner = "syntax = \"proto2\"; package a; message B { optional C c = 1; } message C {} message Unused {}";
    std::fs::write(dir.path().join("a/b.proto"), inner).unwrap();
    std::fs::write(dir.path().join("main.proto"), main).unwrap();
    let source = load(dir.path().join("main.proto"), &[]).unwrap();
    let names: Vec<_> = source.schema.messages.iter().map(|m| (m.name.as_str(), m.imported)).collect();
    assert_eq!(names, [("M", false), ("a.B", true), ("a.C", true), ("google.protobuf.Timestamp", true)]);
    assert_eq!(source.schema.root().unwrap(), MessageId(0));

    let compile = |imports| {
        let mut compiler = protox::Compiler::new([dir.path()]).unwrap();
        compiler.include_imports(imports).include_source_info(true).open_file("main.proto").unwrap();
        compiler.file_descriptor_set()
    };
    let set = read("main.binpb", &compile(true).encode_to_vec(), &[]).unwrap();
    assert_eq!((set.schema, set.idl), (source.schema, Idl::Proto));
    // Without the imports it cannot be resolved, but for the well-known types.
    let error = read("main.binpb", &compile(false).encode_to_vec(), &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the import `a/b.proto` is not in the FileDescriptorSet; make the set with protoc --include_imports (in main.binpb)"
    );
    let mut google = compile(true);
    google.file.retain(|f| !f.name().starts_with("google/"));
    assert_eq!(read("x", &google.encode_to_vec(), &[]).unwrap().schema.messages.len(), 4);
    let mut edition = compile(true);
    edition.file[0].syntax = Some("editions".into());
    assert_eq!(read("x", &edition.encode_to_vec(), &[]).unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn imports_are_found_in_the_include_folders() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    std::fs::create_dir_all(path("main/deep")).unwrap();
    std::fs::create_dir_all(path("lib/pkg")).unwrap();
    let main = "syntax = \"proto3\"; import \"deep/x.proto\"; import \"pkg/y.proto\"; message M { X x = 1; Y y = 2; }";
    std::fs::write(path("main/m.proto"), main).unwrap();
    std::fs::write(path("main/deep/x.proto"), "syntax = \"proto3\"; message X {}").unwrap();
    std::fs::write(path("lib/pkg/y.proto"), "syntax = \"proto3\"; message Y {}").unwrap();
    let error = load(path("main/m.proto"), &[]).unwrap_err().to_string();
    assert!(error.contains("import 'pkg/y.proto' not found in `") && error.contains("line 1"), "{error}");
    assert_eq!(load(path("main/m.proto"), &[path("lib")]).unwrap().schema.messages.len(), 3);
    // An error in an import names the import.
    std::fs::write(path("lib/pkg/y.proto"), "syntax = \"proto3\";\nmessage Y {").unwrap();
    let error = load(path("main/m.proto"), &[path("lib")]).unwrap_err().to_string();
    assert!(error.contains("(in pkg/y.proto)"), "{error}");
    let cycle = "syntax = \"proto3\"; import \"m.proto\"; message X {}";
    std::fs::write(path("main/deep/x.proto"), cycle).unwrap();
    let error = load(path("main/m.proto"), &[path("lib")]).unwrap_err().to_string();
    assert!(error.contains("import cycle detected: m.proto -> deep/x.proto -> m.proto"), "{error}");
    let error = load(path("none.proto"), &[]).unwrap_err().to_string();
    assert!(error.starts_with("cannot read"), "{error}");
}

#[test]
fn the_language_is_told_by_content_then_by_extension() {
    for (name, text, idl) in [
        ("a.thrift", "syntax = \"proto3\"; message M {}", Idl::Proto),
        ("a.proto", "// x\nnamespace go a\nstruct S {}", Idl::Thrift),
        ("a.txt", "enum E { A } struct S {}", Idl::Thrift),
        ("a.txt", "\u{feff}enum E { A = 0; } message M {}", Idl::Proto),
        ("a.thrift", "enum E { A }", Idl::Thrift),
        ("a.proto", "enum E { A = 0; }", Idl::Proto),
        ("a.proto", "", Idl::Proto),
    ] {
        assert_eq!(read(name, text.as_bytes(), &[]).unwrap().idl, idl, "{text}");
    }
    assert_eq!(fails("a.txt", "{\"a\": 1}").kind(), ErrorKind::Ambiguous);
    let error = read("a.proto", b"message M {}\n\xff", &[]).unwrap_err();
    assert_eq!(error.to_string(), "line 2 column 1: the schema is not UTF-8 (in a.proto)");
    assert_eq!(read("a.bin", b"\x00\x01\x02", &[]).unwrap_err().kind(), ErrorKind::Syntax);
}

#[test]
fn hostile_nesting_is_refused() {
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(100_000), close.repeat(100_000));
    for text in [
        deep("message M { ", "}"),
        format!("option (x) = {{ {} }};", deep("a { ", "}")),
        format!("option (x) = {{ a: {} }};", deep("[", "]")),
        format!("message M {{ {} }}", deep("oneof x { group G = 1 { ", "}}")),
    ] {
        let error = fails("t.proto", &text);
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    }
    assert_eq!(read("t.proto", &vec![b' '; MOST_FILE_BYTES + 1], &[]).unwrap_err().kind(), ErrorKind::Limit);
}
