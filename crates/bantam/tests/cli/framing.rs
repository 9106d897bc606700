//! How records lie in a file: asked for, and found.

use crate::command::{Folder, bantam, bantam_with, sample, values};
use bantam::formats::{FORMATS, Framing};

#[test]
fn every_framing_of_every_format_reads_back() {
    let json = values(&sample("dns-text", "3", "json"));
    for format in FORMATS {
        for framing in format.framings {
            let name = format!("{} {framing}", format.name);
            let args = ["convert", "-", "-", "--from", "json", "--to", format.name, "--to-framing", framing.name()];
            let there = bantam_with(&[&args[..], &["-s", "sample:dns-text"]].concat(), json.to_string().as_bytes());
            let bytes = there.ok().out;
            let back = ["convert", "-", "-", "--from", format.name, "--to", "json", "-s", "sample:dns-text"];
            let told = [&back[..], &["--from-framing", framing.name()]].concat();
            assert_eq!(bantam_with(&told, &bytes).ok().json(), json, "{name}, told");
            let run = bantam_with(&back, &bytes).ok();
            assert_eq!(run.json(), json, "{name}, found");
            let noted = run.err.contains(&format!("with the framing `{framing}`"));
            assert_eq!(noted, !format.text, "{name}: {}", run.err);
        }
        for missing in Framing::ALL.into_iter().filter(|&f| !format.has(f)) {
            let args = ["convert", "-", "-", "--from", "json", "--to", format.name, "--to-framing", missing.name()];
            let err = bantam_with(&args, json.to_string().as_bytes()).fails(2);
            assert!(err.contains(&format!("{} has no framing `{missing}`", format.name)), "{err}");
        }
    }
}

#[test]
fn a_record_by_itself_is_found() {
    for format in ["protobuf", "thrift-binary", "thrift-compact"] {
        let args = ["sample", "dns", "--records", "1", "--to", format, "--framing", "each"];
        let bytes = bantam(&args).ok().out;
        let run =
            bantam_with(&["convert", "-", "-", "--from", format, "--to", "json", "-s", "sample:dns"], &bytes).ok();
        assert!(run.json().is_object() && run.err.contains("the framing `each`"), "{format}: {}", run.err);
    }
}

#[test]
fn from_protobuf_to_protobuf_unknown_fields_still_tell() {
    let folder = Folder::new();
    let schema = folder.file("s.proto", "syntax = \"proto3\"; message S { int32 a = 1; string b = 2; }");
    // Two records of a list; as one record, they would be unknown fields.
    let bytes = b"\x0a\x02\x08\x01\x0a\x02\x08\x02";
    let run = bantam_with(&["convert", "-", "-", "--from", "protobuf", "--to", "protobuf", "-s", &schema], bytes).ok();
    assert!(run.err.contains("the framing `list`"), "{}", run.err);
    assert_eq!(run.out, bytes);
}

#[test]
fn a_tie_asks() {
    let folder = Folder::new();
    let schema = folder.file("s.proto", "syntax = \"proto3\"; message S { string a = 1; }");
    // A list of one record whose text is "x", or a record whose text is "\n\x01x".
    let input = folder.file("tie.pb", b"\x0a\x03\x0a\x01x");
    let args = ["convert", &input, "-", "--to", "json", "--schema", &schema];
    let err = bantam(&args).fails(2);
    assert!(err.contains("tie.pb: the bytes fit the framings list and each"), "{err}");
    assert!(err.contains("--framing"), "{err}");
    for (option, framing, text) in [
        ("--from-framing", "list", r#"{"a":"x"}"#),
        ("--from-framing", "each", r#"{"a":"\n\u0001x"}"#),
        ("--framing", "each", r#"{"a":"\n\u0001x"}"#),
    ] {
        assert_eq!(bantam(&[&args[..], &[option, framing]].concat()).ok().text(), text);
    }
}

#[test]
fn an_empty_file_is_no_records_or_an_empty_one() {
    let folder = Folder::new();
    let input = folder.file("empty.pb", b"");
    let run = bantam(&["convert", &input, "-", "--to", "json", "--schema", "sample:dns"]).ok();
    assert_eq!((run.text(), run.err.contains("there are no records in it")), ("[]", true));
    // Without required fields, it may be a record.
    let schema = folder.file("s.proto", "syntax = \"proto3\"; message S { string a = 1; }");
    let args = ["convert", &input, "-", "--to", "json", "--schema", &schema];
    let err = bantam(&args).fails(2);
    assert!(err.contains("list and stream and each"), "{err}");
    assert_eq!(bantam(&[&args[..], &["--framing", "each"]].concat()).ok().text(), "{}");
}

#[test]
fn bytes_that_fit_no_framing_say_why_for_each() {
    let err = bantam_with(
        &["convert", "-", "-", "--from", "thrift-binary", "--to", "json", "-s", "sample:dns"],
        b"\x0a\x03\x0a\x01x",
    )
    .fails(1);
    for part in ["standard input: no thrift-binary by this schema", "as list: ", "as stream: ", "as each: ", "byte "] {
        assert!(err.contains(part), "{part}: {err}");
    }
}
