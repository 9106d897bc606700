//! `bantam schema`: what is shown and inferred reads back.

use crate::command::{Folder, bantam, bantam_with, sample, values};
use bantam::sample::SAMPLES;

#[test]
fn what_is_shown_reads_back_the_same() {
    let folder = Folder::new();
    for sample in SAMPLES {
        for schema in sample.schemas {
            let file = folder.file(schema.name, schema.text);
            let shown = bantam(&["schema", "show", &file]).ok();
            let again = folder.file("again.proto", &shown.out);
            assert_eq!(bantam(&["schema", "show", &again]).ok().text(), shown.text(), "{}", schema.name);
        }
        // A document has none.
        let Some(first) = sample.schemas.first() else { continue };
        let by_name = bantam(&["schema", "show", &format!("sample:{}", sample.name)]).ok();
        let file = folder.path(first.name);
        assert_eq!(by_name.text(), bantam(&["schema", "show", &file]).ok().text());
    }
}

#[test]
fn one_message_with_what_it_needs() {
    let folder = Folder::new();
    let text = "syntax = \"proto3\"; message A { B b = 1; } message B { int32 x = 1; } message C {}";
    let file = folder.file("abc.proto", text);
    let shown = bantam(&["schema", "show", &file, "--message", "A"]).ok();
    assert!(shown.text().contains("message B") && !shown.text().contains("message C"), "{}", shown.text());
    let err = bantam(&["schema", "show", &file, "--message", "D"]).fails(2);
    assert!(err.contains("no message `D`; there are: A, B, C"), "{err}");
}

#[test]
fn an_inferred_schema_reads_the_records_it_came_from() {
    let folder = Folder::new();
    let records = r#"[
        {"id":1,"name":"a","tags":["x"],"pos":{"lat":1.5,"lon":-2},"big":9007199254740993,"code":"007"},
        {"id":-2,"tags":[],"pos":{"lat":2.25,"lon":3},"big":1,"code":"8","grid":[[1,2],[3]],"off":true}
    ]"#;
    let input = folder.file("places.json", records);
    let shown = bantam(&["schema", "infer", &input]).ok();
    for line in ["message Places {", "required sint32 id", "optional string name", "repeated string tags", "uint64 big"]
    {
        assert!(shown.text().contains(line), "{line}:\n{}", shown.text());
    }
    let schema = folder.file("places.proto", &shown.out);
    let binary = folder.path("places.pb");
    bantam(&["convert", &input, &binary, "--schema", &schema]).ok();
    let back = bantam(&["convert", &binary, "-", "--to", "json", "--schema", &schema]).ok();
    let (mut back, mut given) = (back.json(), values(records.as_bytes()));
    for record in back.as_array_mut().unwrap().iter_mut().chain(given.as_array_mut().unwrap()) {
        // Protocol Buffers know no empty list, and whole numbers beside floats are doubles.
        let record = record.as_object_mut().unwrap();
        if record.get("tags").is_some_and(|t| t == &serde_json::json!([])) {
            record.remove("tags");
        }
        let lon = &mut record["pos"]["lon"];
        *lon = lon.as_f64().unwrap().into();
    }
    assert_eq!(back, given);
}

#[test]
fn the_same_records_in_every_text_have_the_same_schema() {
    let infer = |format: &str, bytes: &[u8]| {
        let run = bantam_with(&["schema", "infer", "-", "--from", format], bytes).ok();
        run.text().to_owned()
    };
    for name in ["dns", "dns-text"] {
        let json = infer("json", &sample(name, "50", "json"));
        for format in ["json-spaced", "json-pretty", "ndjson", "yaml", "yaml-flow", "csv"] {
            assert_eq!(infer(format, &sample(name, "50", format)), json, "{name}: {format}");
        }
        let args = ["sample", name, "--records", "50", "--to", "yaml", "--framing", "stream"];
        assert_eq!(infer("yaml", &bantam(&args).ok().out), json, "{name}: yaml stream");
    }
}

#[test]
fn records_at_a_place() {
    let json = br#"{"took":3,"result":{"items":[{"a":1},{"a":2}]}}"#;
    let run = bantam_with(&["schema", "infer", "-", "--at", "result.items"], json).ok();
    assert!(run.text().contains("uint32 a = 1;") && !run.text().contains("took"), "{}", run.text());
    // A place counts from the start of the document.
    let json = b"{\"items\":[\n{\"a\":1},\n{\"a\":}]}";
    let err = bantam_with(&["schema", "infer", "-", "--at", "items"], json).fails(1);
    assert!(err.contains("line 3 column"), "{err}");
}

#[test]
fn what_needs_a_schema_says_so() {
    for format in ["protobuf", "thrift-binary", "thrift-compact", "xml"] {
        let input = sample("dns", "2", format);
        for args in [
            &["schema", "infer", "-", "--from", format][..],
            &["convert", "-", "-", "--to", "json", "--from", format],
            &["weigh", "-", "--from", format],
        ] {
            let err = bantam_with(args, &input).fails(2);
            assert!(err.contains(&format!("{format} is read by a schema; give one with --schema FILE")), "{err}");
        }
    }
}

#[test]
fn much_yaml_is_data_and_no_settings() {
    let text = sample("dns", "60000", "yaml-flow");
    assert!(text.len() > 3_000_000);
    let run = bantam_with(&["schema", "infer", "-"], &text).ok();
    assert!(run.text().contains("required uint32 sip = 1;"), "{}", run.text());
}
