//! Bad input: errors that say what, where, and what to do; never a panic.

use crate::command::{Folder, bantam, bantam_with};

const PROTO: &str = "syntax = \"proto3\"; message S { int32 a = 1; string b = 2; repeated S s = 3; }";

/// Input, its format, and what the error says of it.
const WITH_SCHEMA: &[(&str, &str, &[&str])] = &[
    ("json", "[{\"a\":1},\n{\"a\":\"x\"}]", &["record 1, line 2 column 6, field a", "\"x\"", "int32"]),
    ("json", "[{\"a\":2147483648}]", &["record 0, line 1 column 7, field a", "2147483648", "int32"]),
    ("json", "[{\"s\":[{\"s\":[{\"b\":1}]}]}]", &["field s[0].s[0].b", "string"]),
    ("json", "{\"b\":\"\\ud800\"}", &["field b", "line 1 column"]),
    ("json", "[{\"a\":1}", &["line 1 column 9"]),
    ("json", "[{\"a\":1}] x", &["line 1 column 11"]),
    ("json", "{\"a\":01}", &["field a"]),
    ("ndjson", "{\"a\":1}\n{\"a\":}\n", &["record 1, line 2 column 6, field a"]),
    ("yaml", "- a: 1\n- a: x\n", &["record 1, line 2 column", "field a", "int32"]),
    ("yaml", "- a: 1\n- a: [\n", &["record 1", "field a"]),
    ("xml", "<list><S><a>1</a></S><S><a>x</a></S></list>", &["record 1, line 1 column", "field a", "a whole number"]),
    ("xml", "<list><S><a>1</b></S></list>", &["line 1 column"]),
    ("csv", "a,b\n1,x\ny,z\n", &["record 1, line 3 column", "field a", "a whole number"]),
    ("protobuf", "\x0a\x05\x08", &["as list: ", "byte"]),
];

#[test]
fn errors_name_the_place_the_field_and_what_is_due() {
    let folder = Folder::new();
    let nested = folder.file("s.proto", PROTO);
    let flat = folder.file("flat.proto", PROTO.replace("repeated S s = 3;", ""));
    for (format, text, parts) in WITH_SCHEMA {
        let input = folder.file("input", text);
        let schema = if *format == "csv" { &flat } else { &nested };
        let err = bantam(&["convert", &input, "-", "--from", format, "--to", "json", "-s", schema]).fails(1);
        assert!(err.starts_with(&format!("error: {input}: ")), "{err}");
        for part in *parts {
            assert!(err.contains(part), "{format} {text:?}: `{part}` is not in: {err}");
        }
    }
}

/// Input without a schema, its name, and what the error says of it.
const INFERRED: &[(&str, &[u8], &[&str])] = &[
    ("a.json", b"[{\"a\":1},{\"a\":\"x\"}]", &["record 1, field a", "text", "a number in record 0"]),
    ("a.json", b"[{\"a\":1},\n{\"a\":2,}]", &["record 1, line 2 column 8", "trailing comma"]),
    ("a.json", b"[1,2]", &["record 0", "a record is an object"]),
    ("a.json", b"\"x\"", &["a record is an object"]),
    ("a.json", b"{\"a\":1e400}", &["record 0", "out of range"]),
    ("a.json", b"{\"a\":\"\xff\"}", &["line 1 column 7"]),
    ("a.json", b"{\"a\":\"\0\"}", &["control character"]),
    ("a.json", b"\xff\xfe{\0}\0", &["UTF-16"]),
    ("a.json", b"{\"a\":[1,null]}", &["field a", "null"]),
    ("a.csv", b"a,a\n1,2\n", &["line 1 column 1", "two columns are named `a`"]),
    ("a.csv", b"a,b\n1,2\n1,2,3\n", &["line 3 column 1", "3 cells, but 2 columns have a name"]),
    ("a.csv", b"a,b\n1\n", &["line 2 column 1", "1 cells, but 2 columns have a name"]),
    ("a.csv", b"a\n\xff\n", &["line 2 column 1", "not UTF-8"]),
    ("a.csv", b"", &["the input is empty"]),
    ("a.yaml", b"a: 1\nb: [1\nc: 2\n", &["line 3 column"]),
    ("a.yaml", b"---\na: 1\n---\nb: {\n", &["record 1, line"]),
    ("a.yaml", b"- 1\n", &["a record is an object"]),
    ("a.json.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03junk", &["gzip", "byte"]),
];

#[test]
fn errors_without_a_schema() {
    let folder = Folder::new();
    for (name, bytes, parts) in INFERRED {
        let input = folder.file(name, bytes);
        for args in [&["convert", &input, "-", "--to", "json"][..], &["weigh", &input], &["schema", "infer", &input]] {
            let err = bantam(args).fails(1);
            for part in [&input[..]].iter().chain(*parts) {
                assert!(err.contains(part), "{args:?}: `{part}` is not in: {err}");
            }
        }
    }
}

#[test]
fn what_is_odd_and_right_is_read() {
    let folder = Folder::new();
    for (name, bytes, json) in [
        ("crlf.csv", &b"a,b\r\n1,2\r\n"[..], r#"{"a":1,"b":2}"#),
        ("bom.csv", b"\xef\xbb\xbfa\n1\n", r#"{"a":1}"#),
        ("bom.json", b"\xef\xbb\xbf{\"a\":1}", r#"{"a":1}"#),
        ("bom.yaml", b"\xef\xbb\xbfa: 1\n", r#"{"a":1}"#),
        ("nul.json", b"{\"a\":\"x\\u0000y\"}", r#"{"a":"x\u0000y"}"#),
        ("noext", b"[{\"a\":1}]", r#"{"a":1}"#),
        ("wrong.xml", b"[{\"a\":1}]", r#"{"a":1}"#),
        ("empty.json", b"", "[]"),
        ("blank.ndjson", b" \n\n ", "[]"),
        ("none.json", b"[]", "[]"),
        ("comment.yaml", b"# nothing\n", "[]"),
        ("header.csv", b"a,b\n", "[]"),
        ("object.json", b"{}", "{}"),
    ] {
        let input = folder.file(name, bytes);
        let run = bantam(&["convert", &input, "-", "--to", "json"]).ok();
        assert_eq!(run.text(), json, "{name}");
        assert_eq!(json == "[]", run.err.contains("there are no records in it"), "{name}: {}", run.err);
    }
}

#[test]
fn nesting_is_limited_and_the_limit_can_be_set() {
    let folder = Folder::new();
    let nested = |levels: usize| format!("{}{{}}{}", "{\"a\":".repeat(levels - 1), "}".repeat(levels - 1));
    let schema = folder.file("s.proto", "syntax = \"proto2\"; message S { optional S a = 1; }");
    for args in [&[][..], &["--schema", &schema]] {
        let run = |levels: usize, more: &[&str]| {
            let args = [&["convert", "-", "-", "--from", "json", "--to", "json"], args, more].concat();
            bantam_with(&args, nested(levels).as_bytes())
        };
        assert_eq!(run(100, &[]).ok().text(), nested(100));
        let err = run(101, &[]).fails(1);
        assert!(err.contains("101 is beyond the limit `depth` of 100"), "{err}");
        assert_eq!(run(300, &["--max-depth", "300"]).ok().text(), nested(300));
        run(100_000, &["--max-depth", "1000"]).fails(1);
    }
    for depth in ["0", "1001", "-1", "x"] {
        bantam(&["convert", "-", "-", "--to", "json", &format!("--max-depth={depth}")]).fails(2);
    }
}

#[test]
fn bombs_end_at_a_limit() {
    let folder = Folder::new();
    let mut bomb = Vec::new();
    let gzip = bantam::compress::by_name("gzip").unwrap();
    gzip.compress(&vec![b' '; 1 << 20], None, &mut bomb).unwrap();
    let file = folder.file("bomb.json.gz", &bomb);
    let args = ["convert", &file, "-", "--to", "json"];
    assert_eq!(bantam(&args).ok().text(), "[]");
    let err = bantam(&[&args[..], &["--max-expanded", "1000000"]].concat()).fails(1);
    assert!(err.contains("bomb.json.gz: gzip: the data expands to more than 1000000 bytes"), "{err}");
    let ten = |item: &str| [item; 10].join(",");
    let laugh = |level: usize| format!("a{level}: &a{level} [{}]\n", ten(&format!("*a{}", level - 1)));
    let laughs: Vec<_> = std::iter::once(format!("a0: &a0 [{}]\n", ten("x"))).chain((1..9).map(laugh)).collect();
    let file = folder.file("laughs.yaml", laughs.concat());
    bantam(&["convert", &file, "-", "--to", "json"]).fails(1);
    // Keys without end.
    let keys: Vec<_> = (0..50_000).map(|at| format!("\"k{at}\":{}", if at % 2 == 0 { "1" } else { "\"x\"" })).collect();
    let err = bantam_with(&["convert", "-", "-", "--to", "csv"], format!("{{{}}}", keys.join(",")).as_bytes()).fails(1);
    assert!(err.contains("the keys seem to be data"), "{err}");
}

#[test]
fn much_of_everything() {
    let items: Vec<_> = (0..1_000_000).map(|n: u32| n.to_string()).collect();
    let json = format!("{{\"a\":[{}]}}", items.join(","));
    let run = bantam_with(&["convert", "-", "-", "--to", "json"], json.as_bytes()).ok();
    assert!(run.out == json.as_bytes());
}

#[test]
fn files_that_are_none() {
    let folder = Folder::new();
    let input = folder.file("a.json", r#"{"a":1}"#);
    folder.file("sub/b.json", "{}");
    let (missing, sub) = (folder.path("missing.json"), folder.path("sub"));
    let nowhere = folder.path("nowhere/a.csv");
    for (args, what) in [
        (&["convert", &missing, "-", "--to", "csv"][..], "missing.json: "),
        (&["weigh", &missing], "missing.json: "),
        (&["weigh", &sub], "sub: "),
        (&["schema", "infer", &sub], "sub: "),
        (&["convert", &input, &sub, "--to", "csv"], "sub: it is a folder; name a file in it"),
        (&["convert", &input, &nowhere], "there is no folder"),
        (&["sample", "dns", "-o", &nowhere], "there is no folder"),
    ] {
        let err = bantam(args).fails(1);
        assert!(err.contains(what), "{args:?}: {err}");
    }
    assert_eq!(folder.files(), ["a.json", "sub/b.json"]);
}

#[test]
fn schema_files_that_are_wrong() {
    let folder = Folder::new();
    let input = folder.file("a.json", r#"{"a":1}"#);
    let file = |name: &str, text: &str| folder.file(name, text);
    let broken = file("broken.proto", "syntax = \"proto3\";\nmessage S { int32 a = 1\n string b = 2; }");
    let import = file("import.proto", "syntax = \"proto3\";\nimport \"x/missing.proto\";\nmessage S {}");
    let thrift = file("broken.thrift", "struct S {\n 1: i32 a\n");
    let missing = folder.path("missing.proto");
    for (schema, parts) in [
        (&broken, &["broken.proto: line 3 column 2", "expected"][..]),
        (&import, &["import.proto: line 2 column", "x/missing.proto"]),
        (&thrift, &["broken.thrift: line 3 column 1", "the end of the file"]),
        (&missing, &["cannot read", "missing.proto"]),
        (&input, &["a.json: ", "no schema that Bantam knows"]),
    ] {
        for args in [&["schema", "show", schema][..], &["convert", &input, "-", "--to", "json", "--schema", schema]] {
            let err = bantam(args).fails(1);
            for part in parts {
                assert!(err.contains(part), "{args:?}: `{part}` is not in: {err}");
            }
            assert_eq!(err.matches(&schema[..]).count(), 1, "{err}");
        }
    }
}

#[test]
fn wrong_usage_is_2_and_says_what_there_is() {
    let folder = Folder::new();
    let input = folder.file("a.json", r#"{"a":1}"#);
    let two = folder.file("two.proto", "syntax = \"proto3\"; message S { int32 a = 1; } message T { int32 a = 1; }");
    let one = folder.file("one.proto", PROTO);
    let binary = folder.file("binary", b"\x08\x01");
    for (args, what) in [
        (&["weigh", &input, "--formats", ""][..], "the list of formats is empty"),
        (&["weigh", &input, "--formats", "jsn"], "no format `jsn`; there are: protobuf"),
        (&["weigh", &input, "--formats", "json/serde"], "json has no codec `serde`; it has: bantam"),
        (&["weigh", &input, "--compress", "foo:99"], "no compressor is called \"foo\"; there are none"),
        (&["weigh", &input, "--compress", "zstd:99"], "levels go from 1 to 22"),
        (&["weigh", &input, "--compress", ""], "no compressor is called"),
        (&["weigh", &input, "--framing", "lines"], "possible values: list, stream, each"),
        (&["weigh", &input, "--sample", "dns"], "cannot be used with"),
        (&["weigh"], "required"),
        (&["convert", &input, "-"], "Name it with --to"),
        (&["convert", &input, "a.zzz"], "which format shall a.zzz have? Name it with --to"),
        (&["convert", &binary, "-", "--to", "json"], "name it with --from"),
        (&["convert", &input, "-", "--to", "json", "-s", &two], "Name one with --message: S, T"),
        (&["convert", &input, "-", "--to", "json", "-s", &one, "-s", &one], "a second schema file of this kind"),
        (&["convert", &input, "-", "--to", "json", "-s", &one, "-m", "U"], "no message `U`; there are: S"),
        (&["schema", "show", "sample:foo"], "no sample `foo`; there are: dns"),
        (&["sample", "foo"], "possible values: dns"),
    ] {
        let err = bantam(args).fails(2);
        assert!(err.contains(what), "{args:?}: {err}");
    }
}

#[test]
fn no_records_and_one_record() {
    let err = bantam(&["weigh", "--sample", "dns", "--records", "0"]).fails(1);
    assert!(err.contains("dns: there are no records to weigh"), "{err}");
    let args = ["weigh", "--sample", "dns", "--records", "1", "--quick", "--formats", "protobuf", "--compress", "none"];
    assert!(bantam(&args).ok().text().contains("1 record"));
    assert_eq!(bantam(&["sample", "dns", "--records", "0"]).ok().text(), "[]");
}
