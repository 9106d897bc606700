//! `bantam convert` between formats, files and streams.

use crate::command::{Folder, bantam, bantam_with, sample, values};
use bantam::formats::FORMATS;
use std::io::Read;
use std::process::{Command, Stdio};

#[test]
fn every_pair_of_formats() {
    for name in ["dns", "dns-text"] {
        let schema = format!("sample:{name}");
        let json = values(&sample(name, "3", "json"));
        let written: Vec<_> = FORMATS.iter().map(|f| (f.name, sample(name, "3", f.name))).collect();
        for (from, bytes) in &written {
            let back = bantam_with(&["convert", "-", "-", "--from", from, "--to", "json", "-s", &schema], bytes).ok();
            assert_eq!(back.json(), json, "{name}: {from} to json");
            for (to, expected) in &written {
                let args = ["convert", "-", "-", "--from", from, "--to", to, "--schema", &schema];
                let out = bantam_with(&args, bytes).ok().out;
                assert!(out == *expected, "{name}: {from} to {to}");
            }
        }
    }
}

#[test]
fn one_record_is_the_bare_message_and_several_are_a_list() {
    for format in FORMATS {
        let convert = |json: &str| {
            let args = ["convert", "-", "-", "--from", "json", "--to", format.name, "--schema", "sample:dns"];
            bantam_with(&args, json.as_bytes()).ok().out
        };
        let record = r#"{"sip":1,"dip":2,"sport":3,"dport":4}"#;
        let expected = |framing: &str, count: &str| {
            let args = ["sample", "dns", "--records", count, "--to", format.name, "--framing", framing];
            bantam(&args).ok().out.len()
        };
        let (one, two) = (convert(record), convert(&format!("[{record},{record}]")));
        // By length: the sample's records are larger numbers.
        assert!(one.len() <= expected("each", "1") && one.len() < two.len(), "{}", format.name);
        match format.name {
            "protobuf" => {
                assert_eq!(one, b"\x0d\x01\0\0\0\x15\x02\0\0\0\x18\x03\x20\x04");
                assert_eq!(two, [&b"\x0a\x0e"[..], &one, &b"\x0a\x0e"[..], &one].concat());
            }
            "json" => assert_eq!(one, record.as_bytes()),
            _ => {}
        }
    }
}

#[test]
fn each_makes_a_folder_with_a_file_a_record() {
    let folder = Folder::new();
    let json = values(&sample("dns", "11", "json"));
    let input = folder.file("in.json", json.to_string());
    for format in FORMATS {
        let out = folder.path(format.name);
        let args = ["convert", &input, &out, "--to", format.name, "--to-framing", "each", "--schema", "sample:dns"];
        bantam(&args).ok();
        let mut files: Vec<_> =
            folder.files().into_iter().filter(|f| f.starts_with(&format!("{}/", format.name))).collect();
        files.sort();
        assert_eq!(files.len(), 11, "{}", format.name);
        assert!(files[0].contains("/00.") && files[10].contains("/10."), "{files:?}");
        for (at, file) in files.iter().enumerate() {
            let path = folder.path(file);
            let args = ["convert", &path, "-", "--from", format.name, "--from-framing", "each", "--to", "json"];
            let back = bantam(&[&args[..], &["--schema", "sample:dns"]].concat()).ok();
            assert_eq!(back.json(), json[at], "{file}");
        }
    }
}

#[test]
fn each_never_mixes_with_what_is_there() {
    let folder = Folder::new();
    let input = folder.file("in.json", sample("dns", "2", "json"));
    folder.file("out/old.json", "{}");
    let out = folder.path("out");
    let err = bantam(&["convert", &input, &out, "--to", "json", "--framing", "each"]).fails(1);
    assert!(err.contains("out: the folder is not empty"), "{err}");
    assert_eq!(folder.files(), ["in.json", "out/old.json"]);
    let err = bantam(&["convert", &input, "-", "--to", "json", "--framing", "each"]).fails(2);
    assert!(err.contains("2 records each by itself need a folder"), "{err}");
}

#[test]
fn formats_by_extension_and_by_name() {
    let folder = Folder::new();
    let json = values(&sample("dns", "3", "json"));
    let input = folder.file("in.json", json.to_string());
    for extension in FORMATS.iter().flat_map(|f| f.extensions).copied().chain(["PB", "json.gz", "csv.zst"]) {
        let between = folder.path(&format!("a.{extension}"));
        bantam(&["convert", &input, &between, "--schema", "sample:dns"]).ok();
        let back = bantam(&["convert", &between, "-", "--to", "json", "--schema", "sample:dns"]).ok();
        assert_eq!(back.json(), json, "{extension}");
    }
    // A name that says nothing, or something wrong.
    for name in ["a", "a.txt", "a.json"] {
        let between = folder.path(name);
        bantam(&["convert", &input, &between, "--to", "protobuf", "--schema", "sample:dns"]).ok();
        let args = ["convert", &between, "-", "--from", "protobuf", "--to", "json", "--schema", "sample:dns"];
        assert_eq!(bantam(&args).ok().json(), json, "{name}");
    }
}

#[test]
fn compressed_input_is_read_as_it_is() {
    let folder = Folder::new();
    let json = sample("dns", "3", "json");
    for name in ["gzip", "zstd"] {
        let mut bytes = Vec::new();
        let compressor = bantam::compress::by_name(name).unwrap();
        compressor.compress(&json, None, &mut bytes).unwrap();
        let named = folder.file(&format!("a.json.{}", compressor.extensions[0]), &bytes);
        assert_eq!(bantam(&["convert", &named, "-", "--to", "json"]).ok().out, json, "{name}");
        // By content alone, as standard input has no extension.
        assert_eq!(bantam_with(&["convert", "-", "-", "--to", "json"], &bytes).ok().out, json, "{name}");
    }
}

#[test]
fn a_compressed_output_by_its_extension() {
    let folder = Folder::new();
    let json = sample("dns", "50", "json");
    for (extension, name) in [("gz", "gzip"), ("zst", "zstd"), ("lz4", "lz4")] {
        let out = folder.path(&format!("a.json.{extension}"));
        bantam_with(&["convert", "-", &out], &json).ok();
        let bytes = folder.read(&format!("a.json.{extension}"));
        assert_eq!(bantam::compress::recognise(&bytes).map(|c| c.name), Some(name));
        assert_eq!(bantam(&["convert", &out, "-", "--to", "json"]).ok().out, json);
    }
}

#[test]
fn a_second_schema_file_is_for_its_own_formats() {
    let folder = Folder::new();
    // Other ids, another order, and another name, as it has only this struct.
    let thrift = "struct Flow { 9: i32 dport, 3: i64 dip, 4: i32 sport, 1: i64 sip }";
    let (thrift, proto) = (folder.file("flow.thrift", thrift), folder.path("dns.proto"));
    let schema = bantam::sample::find("dns").unwrap().schema("proto").unwrap();
    std::fs::write(&proto, schema.text).unwrap();
    let json = values(&sample("dns", "2", "json"));
    let input = folder.file("in.json", json.to_string());
    let both = ["--schema", &proto, "--schema", &thrift];
    for (to, bytes) in [("protobuf", 2 * 17), ("thrift-binary", 9 + 2 * 37)] {
        let out = folder.path(to);
        bantam(&[&["convert", &input, &out, "--to", to][..], &both[..]].concat()).ok();
        assert_eq!(folder.read(to).len(), bytes, "{to}");
        let args = ["convert", &out, "-", "--from", to, "--to", "json"];
        assert_eq!(bantam(&[&args[..], &both[..]].concat()).ok().json(), json, "{to}");
    }
    // A record starts behind the 8 bytes of the list: sip and dip with ids 1 and 3 as i64, then ids 4 and 9 as i32.
    let bytes = folder.read("thrift-binary");
    let headers = [8, 19, 30, 37].map(|at| [bytes[at], bytes[at + 1], bytes[at + 2]]);
    assert_eq!(headers, [[10, 0, 1], [10, 0, 3], [8, 0, 4], [8, 0, 9]]);
    // By the .proto alone, the unsigned ports are i64: 8 bytes more a record.
    let out = folder.path("alone");
    bantam(&["convert", &input, &out, "--to", "thrift-binary", "--schema", &proto]).ok();
    assert_eq!(folder.read("alone").len(), 9 + 2 * 45);
}

#[test]
fn unknown_fields_are_kept_or_dropped_by_choice() {
    let folder = Folder::new();
    let schema = folder.file("s.proto", "syntax = \"proto3\"; message S { string a = 1; }");
    let input = folder.file("in.pb", b"\x0a\x01a\x1a\x01z\x22\x01y");
    let out = folder.path("out.pb");
    bantam(&["convert", &input, &out, "--schema", &schema]).ok();
    assert_eq!(folder.read("out.pb"), b"\x0a\x01a\x1a\x01z\x22\x01y");
    let run = bantam(&["convert", &input, &out, "--schema", &schema, "--drop-unknown"]).ok();
    assert_eq!(folder.read("out.pb"), b"\x0a\x01a");
    assert!(run.err.contains("left out: 2 values of fields that the schema does not have"), "{}", run.err);
    let run = bantam(&["convert", &input, "-", "--to", "json", "--schema", &schema]).ok();
    assert_eq!((run.text(), run.err.contains("left out: 2 values")), (r#"{"a":"a"}"#, true));
}

#[test]
fn output_appears_whole_or_not_at_all() {
    let folder = Folder::new();
    let bad = folder.file("bad.json", r#"[{"a":1},{"a":"#);
    let deep = folder.file("deep.json", r#"[{"a":{"b":1}}]"#);
    let out = folder.file("out.csv", "precious");
    bantam(&["convert", &bad, &out]).fails(1);
    // The input is good, and the output cannot hold it.
    let err = bantam(&["convert", &deep, &out]).fails(1);
    assert!(err.contains("field a"), "{err}");
    assert_eq!(folder.read("out.csv"), b"precious");
    assert_eq!(folder.files(), ["bad.json", "deep.json", "out.csv"]);
    // In place.
    let same = folder.file("same.json", r#"[{"a":1}]"#);
    bantam(&["convert", &same, &same, "--to", "json-pretty"]).ok();
    assert_eq!(values(&folder.read("same.json")), serde_json::json!({"a": 1}));
}

#[cfg(unix)]
#[test]
fn a_link_stays_one() {
    let folder = Folder::new();
    let input = folder.file("in.json", r#"{"a":1}"#);
    folder.file("real.json", "old");
    for (link, to) in [("link.json", "real.json"), ("dead.json", "nowhere.json")] {
        std::os::unix::fs::symlink(to, folder.path(link)).unwrap();
    }
    bantam(&["convert", &input, &folder.path("link.json")]).ok();
    assert_eq!(folder.read("real.json"), br#"{"a":1}"#);
    assert!(std::fs::symlink_metadata(folder.path("link.json")).unwrap().is_symlink());
    let err = bantam(&["convert", &input, &folder.path("dead.json")]).fails(1);
    assert!(err.contains("a link to nothing"), "{err}");
}

#[test]
fn a_broken_pipe_ends_quietly() {
    for args in [
        &["sample", "dns", "--records", "100000"][..],
        &["convert", "-", "-", "--from", "json", "--to", "yaml", "--schema", "sample:dns"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bantam"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut stdin, &sample("dns", "5000", "json")).unwrap_or_default();
        drop(stdin);
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""), "{args:?}");
    }
}
