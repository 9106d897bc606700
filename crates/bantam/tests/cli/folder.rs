//! `bantam convert` of folders.

use crate::command::{Folder, bantam, values};
use serde_json::json;

const GOOD: &str = r#"[{"a":1},{"a":2}]"#;

#[test]
fn goes_on_past_a_bad_file_and_lists_it() {
    let folder = Folder::new();
    folder.file("in/a.json", GOOD);
    folder.file("in/bad.json", r#"[{"a":1},{"a":"#);
    folder.file("in/sub/deep/c.csv", "a\n1\n2\n");
    folder.file("in/z.ndjson", "{\"a\":1}\n{\"a\":2}\n");
    let run = bantam(&["convert", &folder.path("in"), &folder.path("out"), "--to", "protobuf"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("3 of 4 files converted"), "{}", run.err);
    assert!(run.err.contains("in/bad.json: record 1, line 1 column"), "{}", run.err);
    let out: Vec<_> = folder.files().into_iter().filter(|f| f.starts_with("out")).collect();
    assert_eq!(out, ["out/a.pb", "out/sub/deep/c.pb", "out/z.pb"]);
    for file in out {
        assert_eq!(folder.read(&file), b"\x0a\x02\x08\x01\x0a\x02\x08\x02", "{file}");
    }
}

#[test]
fn all_well_is_0_and_notes_are_said_once() {
    let folder = Folder::new();
    let schema = folder.file("s.proto", "syntax = \"proto2\"; message S { required int32 a = 1; }");
    for name in ["in/a.pb", "in/b.pb", "in/c.pb"] {
        folder.file(name, b"\x0a\x02\x08\x01\x0a\x02\x08\x02");
    }
    let args = ["convert", &folder.path("in"), &folder.path("out"), "--to", "json", "--schema", &schema];
    let run = bantam(&args).ok();
    assert_eq!(run.err.matches("the framing `list`").count(), 1, "{}", run.err);
    assert!(run.err.contains("in/a.pb and 2 more: read as protobuf"), "{}", run.err);
    assert!(run.err.contains("3 of 3 files converted"), "{}", run.err);
    assert_eq!(values(&folder.read("out/b.json")), values(GOOD.as_bytes()));
}

#[test]
fn never_overwrites_an_input_or_another_output() {
    let folder = Folder::new();
    folder.file("in/a.csv", "a\n7\n");
    folder.file("in/a.json", GOOD);
    folder.file("in/b.csv", "a\n8\n");
    folder.file("in/b.ndjson", "{\"a\":9}\n");
    let input = folder.path("in");
    let run = bantam(&["convert", &input, &input, "--to", "json"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("in/a.csv: its output would overwrite the input"), "{}", run.err);
    assert!(run.err.contains("in/b.ndjson: ") && run.err.contains("is another file's output"), "{}", run.err);
    assert_eq!(values(&folder.read("in/a.json")), values(GOOD.as_bytes()));
    assert_eq!(values(&folder.read("in/b.json")), json!({"a": 8}));
}

#[test]
fn a_second_run_does_not_read_its_own_outputs() {
    let folder = Folder::new();
    folder.file("in/a.json", GOOD);
    folder.file("in/b.json.gz", gzip(GOOD.as_bytes()));
    for _ in 0..2 {
        let run = bantam(&["convert", &folder.path("in"), &folder.path("in/./out"), "--to", "csv"]).ok();
        assert!(run.err.contains("2 of 2 files converted"), "{}", run.err);
    }
    assert_eq!(folder.files(), ["in/a.json", "in/b.json.gz", "in/out/a.csv", "in/out/b.csv"]);
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    packed("gzip", bytes)
}

/// Bytes under a compressor.
pub(crate) fn packed(compressor: &str, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    bantam::compress::by_name(compressor).unwrap().compress(bytes, None, &mut out).unwrap();
    out
}

#[test]
fn each_makes_a_folder_a_file() {
    let folder = Folder::new();
    folder.file("in/a.json", GOOD);
    folder.file("in/one.json", r#"{"a":3}"#);
    let args = ["convert", &folder.path("in"), &folder.path("out"), "--to", "json", "--framing", "each"];
    bantam(&args).ok();
    let out: Vec<_> = folder.files().into_iter().filter(|f| f.starts_with("out")).collect();
    assert_eq!(out, ["out/a/0.json", "out/a/1.json", "out/one.json"]);
}

#[cfg(unix)]
#[test]
fn passes_over_nothing_silently() {
    let folder = Folder::new();
    folder.file("in/a.json", GOOD);
    folder.file("in/README", "word");
    for (to, link) in [("a.json", "in/link.json"), ("nowhere", "in/dead.json"), (".", "in/round")] {
        std::os::unix::fs::symlink(to, folder.path(link)).unwrap();
    }
    let run = bantam(&["convert", &folder.path("in"), &folder.path("out"), "--to", "csv"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("2 of 4 files converted"), "{}", run.err);
    for part in ["in/README: the format shows neither", "in/dead.json: ", "in/round: a link to a folder, not followed"]
    {
        assert!(run.err.contains(part), "{part}: {}", run.err);
    }
    assert_eq!(folder.read("out/link.csv"), b"a\n1\n2\n");
}

#[test]
fn needs_a_format_and_a_folder() {
    let folder = Folder::new();
    let file = folder.file("in/a.json", GOOD);
    let input = folder.path("in");
    let err = bantam(&["convert", &input, &folder.path("out")]).fails(2);
    assert!(err.contains("--to"), "{err}");
    let err = bantam(&["convert", &input, "-", "--to", "csv"]).fails(2);
    assert!(err.contains("a folder is converted into a folder or a file"), "{err}");
    let err = bantam(&["convert", &input, &file, "--to", "csv"]).fails(2);
    assert!(err.contains("in/a.json is one of the inputs"), "{err}");
}
