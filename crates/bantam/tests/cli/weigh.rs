//! `bantam weigh`: the document that is a promise, and what takes part.

use crate::command::{Folder, bantam, bantam_with, sample};
use bantam::formats::FORMATS;
use serde_json::Value;

/// A weigh-in's document, after the checks that hold for every one.
#[track_caller]
fn weighed(args: &[&str], input: &[u8]) -> Value {
    let run = bantam_with(&[&["weigh", "--quick", "--json"], args].concat(), input).ok();
    let document = run.json();
    check_document(&document);
    document
}

#[track_caller]
fn check_document(document: &Value) {
    assert_eq!(document["schema_version"], 1);
    let environment = &document["environment"];
    assert!(environment["bantam"].is_string() && environment["clock_precision_ns"].is_f64(), "{environment}");
    assert!(environment["cores"].is_u64() && environment["profile"].is_string(), "{environment}");
    let input = &document["input"];
    assert!(input["name"].is_string() && input["format"].is_string() && input["message"].is_string(), "{input}");
    assert!(input["bytes"].is_u64() && input["records"].as_u64() > Some(0), "{input}");
    let rows = rows(document);
    assert_eq!(rows[0]["source"], true);
    assert_eq!(rows[0]["format"], input["format"]);
    assert!(rows[1..].iter().all(|row| row["source"] == false));
    rows.iter().for_each(check_row);
    check_floors(document);
    let hash = input["hash"].as_str().unwrap();
    assert!(hash.len() == 71 && hash.starts_with("sha256:"), "{hash}");
}

/// What is no format comes last: a copy of the source, and the adapter's own cost where rows have it in them.
#[track_caller]
fn check_floors(document: &Value) {
    let (rows, floors) = (rows(document), &document["rows"].as_array().unwrap()[rows(document).len()..]);
    let adapted = rows.iter().any(|row| row["adapter"] == true);
    let names: Vec<_> = floors.iter().map(|row| row["format"].as_str().unwrap()).collect();
    assert_eq!(names, if adapted { vec!["copy", "adapter"] } else { vec!["copy"] });
    assert_eq!(floors[0]["bytes"], rows[0]["bytes"]);
    for floor in floors {
        assert!(floor["floor"] == true && floor["compressed"].as_array().unwrap().is_empty(), "{floor}");
        check_timing(&floor["encode"]);
        check_timing(&floor["decode"]);
    }
}

#[track_caller]
fn check_row(row: &Value) {
    assert!(row["format"].is_string() && row["codec"].is_string(), "{row}");
    assert_eq!(row["lane"], "runtime");
    assert!(["list", "stream", "each"].contains(&row["framing"].as_str().unwrap()), "{row}");
    let profile = row["profile"].as_array().unwrap();
    assert!(profile.iter().all(Value::is_string));
    match row["fidelity"].as_str().unwrap() {
        "exact" => assert!(profile.is_empty() && row["reason"].is_null(), "{row}"),
        "profile" => assert!(!profile.is_empty() && row["reason"].is_null(), "{row}"),
        "unsupported" => {
            assert!(row["reason"].is_string() && row["bytes"].is_null(), "{row}");
            assert!(row["encode"].is_null() && row["decode"].is_null(), "{row}");
            assert_eq!(row["compressed"].as_array().unwrap().len(), 0);
            return;
        }
        other => panic!("{other}: {row}"),
    }
    assert!(row["bytes"].as_u64() > Some(0), "{row}");
    check_timing(&row["decode"]);
    if row["source"] == false {
        check_timing(&row["encode"]);
        check_timing(&row["round_trip"]);
    }
    let memory = &row["memory"];
    check_allocations(&memory["first_decode"], &memory["decode"]);
    if row["source"] == false {
        check_allocations(&memory["first_encode"], &memory["encode"]);
    }
    for compressed in row["compressed"].as_array().unwrap() {
        assert!(compressed["compressor"].is_string() && compressed["bytes"].as_u64() > Some(0), "{compressed}");
        assert!(compressed["level"].is_i64() || compressed["level"].is_null(), "{compressed}");
        check_timing(&compressed["compress"]);
        check_timing(&compressed["decompress"]);
    }
}

/// Starting from nothing takes memory, at least as much as doing it again.
#[track_caller]
fn check_allocations(first: &Value, again: &Value) {
    let of = |found: &Value| ["count", "bytes", "peak_bytes"].map(|key| found[key].as_u64().unwrap());
    let (first, again) = (of(first), of(again));
    assert!(first.iter().zip(again).all(|(first, again)| *first >= again), "{first:?} {again:?}");
    assert!(first[0] > 0 && first[1] >= first[2] && first[2] > 0, "{first:?}");
}

#[track_caller]
fn check_timing(timing: &Value) {
    let [median, low, high] = ["median_ns", "low_ns", "high_ns"].map(|key| timing[key].as_f64().unwrap());
    assert!(0.0 <= low && low <= median && median <= high, "{timing}");
    assert!(timing["rounds"].as_u64() > Some(0), "{timing}");
}

/// The rows of formats.
fn rows(document: &Value) -> &[Value] {
    let rows = document["rows"].as_array().unwrap();
    &rows[..rows.iter().position(|row| row["floor"] == true).unwrap_or(rows.len())]
}

fn names(document: &Value) -> Vec<String> {
    rows(document).iter().map(|r| format!("{}/{}", r["format"], r["codec"]).replace('"', "")).collect()
}

#[test]
fn every_format_of_a_sample() {
    let document = weighed(&["--sample", "dns", "--records", "200"], b"");
    assert_eq!(document["input"]["name"], "dns");
    assert_eq!(document["input"]["records"], 200);
    assert_eq!(document["input"]["seed"], 1);
    assert_eq!(document["input"]["message"], "Dns");
    let mut expected: Vec<_> =
        FORMATS.iter().flat_map(|f| f.engines.iter().map(|e| format!("{}/{}", f.name, e.name))).collect();
    expected.retain(|name| name != "json/bantam");
    expected.insert(0, "json/bantam".to_owned());
    assert_eq!(names(&document), expected);
    for row in rows(&document) {
        assert_eq!(
            row["compressed"].as_array().unwrap().len(),
            bantam::Selection::default().compressors.len() - 1,
            "{row}"
        );
        let format = FORMATS.iter().find(|f| f.name == row["format"]).unwrap();
        let written = sample("dns", "200", format.name).len() as u64;
        assert_eq!(row["bytes"], written, "{row}");
    }
}

#[test]
fn the_formats_compressors_and_framing_asked_for() {
    let args = ["--sample", "dns-text", "--records", "50", "--formats", "protobuf, json/serde_json,protobuf"];
    let document = weighed(&[&args[..], &["--compress", "zlib,zstd:19,zlib", "--framing", "each"]].concat(), b"");
    // The source is json, which is not asked for by Bantam's own codec.
    assert_eq!(names(&document), ["json/serde_json", "protobuf/bantam"]);
    for row in rows(&document) {
        assert_eq!(row["framing"], "each");
        let compressed: Vec<_> = row["compressed"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| (c["compressor"].as_str(), c["level"].as_i64()))
            .collect();
        assert_eq!(compressed, [(Some("zlib"), Some(6)), (Some("zstd"), Some(19))]);
    }
}

#[test]
fn a_framing_that_a_format_lacks_is_a_reason() {
    let args = ["--sample", "dns", "--records", "5", "--formats", "json/bantam,csv", "--framing", "stream"];
    let document = weighed(&args, b"");
    let csv = &rows(&document)[1];
    assert_eq!(csv["fidelity"], "unsupported");
    assert!(csv["reason"].as_str().unwrap().contains("csv has no framing `stream`"), "{csv}");
}

#[test]
fn as_csv() {
    let args = ["weigh", "--sample", "dns", "--records", "50", "--quick", "--csv", "--formats", "protobuf,json"];
    let run = bantam(&[&args[..], &["--compress", "none,zlib"]].concat()).ok();
    let mut reader = csv_lines(run.text());
    let header = reader.remove(0);
    assert_eq!(header[..6], ["format", "codec", "lane", "framing", "source", "fidelity"]);
    // Four rows, each by itself and under two compressors, or under each; and two that are no formats.
    assert!(reader.len() == 10 || reader.len() == 14, "{}", run.text());
    assert!(reader.iter().all(|line| line.len() == header.len() && line[5] != "lossy"));
}

fn csv_lines(text: &str) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn input_from_standard_input() {
    for (from, format) in [("protobuf", "protobuf"), ("yaml", "yaml"), ("csv", "csv"), ("ndjson", "ndjson")] {
        let bytes = sample("dns", "20", format);
        let args = ["-", "--from", from, "--schema", "sample:dns", "--formats", "thrift-compact", "--compress", "none"];
        let document = weighed(&args, &bytes);
        assert_eq!(document["input"]["name"], "standard input");
        assert_eq!(document["input"]["bytes"], bytes.len());
        assert_eq!(rows(&document)[0]["format"], from);
        assert_eq!(rows(&document)[0]["bytes"], bytes.len());
    }
}

#[test]
fn several_files_are_one() {
    let folder = Folder::new();
    let a = folder.file("a.json", r#"[{"n":1},{"n":2}]"#);
    let b = folder.file("b.json", r#"{"n":3,"s":"x"}"#);
    let document = weighed(&[&a, &b, "--formats", "protobuf,json/bantam", "--compress", "none"], b"");
    assert_eq!((&document["input"]["records"], &document["input"]["bytes"]), (&3.into(), &(17 + 15).into()));
    let bad = folder.file("bad.json", "[1]");
    let err = bantam(&["weigh", &a, &bad]).fails(1);
    assert!(err.contains("bad.json"), "{err}");
    let csv = folder.file("c.csv", "n\n1\n");
    let err = bantam(&["weigh", &a, &csv]).fails(2);
    assert!(err.contains("c.csv is csv, not json"), "{err}");
}

/// Nested data, maps, nulls, lists of lists, in every format without a schema.
const NESTED: &str = r#"[
    {"id":1,"pos":{"lat":1.5,"lon":2.5},"grid":[[1,2],[],[3]],"none":null,"by":{"2015":{"n":1},"2016":{"n":2}}},
    {"id":18446744073709551615,"pos":null,"grid":[],"none":"x","by":{"2017":{"n":3}}}
]"#;

#[test]
fn inferred_nested_records() {
    let folder = Folder::new();
    let json = folder.file("n.json", NESTED);
    let lines = folder.file("n.ndjson", NESTED.trim_matches(['[', ']', '\n']).replace("},\n", "}\n"));
    let yaml = folder.path("n.yaml");
    bantam(&["convert", &json, &yaml]).ok();
    for file in [&json, &lines, &yaml] {
        let document = weighed(&[file, "--compress", "none"], b"");
        assert_eq!(document["input"]["records"], 2, "{file}");
        for row in rows(&document) {
            // What is not exact or by a profile has a reason.
            let refused = match row["format"].as_str().unwrap() {
                "csv" => Some("CSV has one cell a field"),
                // 2^64 - 1 is beyond i64.
                "thrift-binary" | "thrift-compact" => Some("field id"),
                _ => None,
            };
            match refused {
                None => assert_ne!(row["fidelity"], "unsupported", "{file}: {row}"),
                Some(why) => assert!(row["reason"].as_str().is_some_and(|r| r.contains(why)), "{file}: {row}"),
            }
        }
    }
    let flat = folder.file("flat.csv", "a,b,c\n1,x,\n2,,0.5\n007,\"q, r\",1\n");
    let document = weighed(&[&flat, "--compress", "none"], b"");
    assert!(rows(&document).iter().all(|r| r["fidelity"] != "unsupported"), "{document}");
}

#[test]
fn records_at_a_place() {
    let folder = Folder::new();
    let file = folder.file("d.json", format!("{{\"meta\":1,\"result\":{{\"items\":{NESTED}}}}}"));
    let args = [&file[..], "--at", "result.items", "--formats", "protobuf", "--compress", "none"];
    let document = weighed(&args, b"");
    assert_eq!((&document["input"]["records"], &document["input"]["bytes"]), (&2.into(), &NESTED.len().into()));
    let err = bantam(&["weigh", &file, "--at", "result.nope"]).fails(1);
    assert!(err.contains("d.json") && err.contains("nope"), "{err}");
    let err = bantam(&["weigh", &file, "--at", "result..items"]).fails(2);
    assert!(err.contains("--at result..items"), "{err}");
}

#[test]
fn what_the_schema_leaves_out_stands_in_the_source_row() {
    let folder = Folder::new();
    let schema = folder.file("s.proto", "syntax = \"proto3\"; message S { int32 a = 1; }");
    let args = ["-", "--schema", &schema, "--formats", "json/bantam", "--compress", "none"];
    let document = weighed(&args, br#"[{"a":1,"b":2},{"a":2,"c":[3]}]"#);
    let expected = "left out: 2 values of fields that the schema does not have";
    assert_eq!(rows(&document)[0]["profile"], serde_json::json!([expected]));
}

#[test]
fn a_page_beside_the_report() {
    let folder = Folder::new();
    let (file, json) = (folder.path("report.html"), folder.file("n.json", NESTED));
    let args = ["weigh", &json, "--quick", "--formats", "protobuf,json/bantam", "--compress", "zlib", "--json"];
    let run = bantam(&[&args[..], &["--html", &file]].concat()).ok();
    check_document(&run.json());
    assert_eq!(run.err.lines().filter(|line| line.contains("report.html")).count(), 1, "{}", run.err);
    let page = String::from_utf8(folder.read("report.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{page}");
    assert!(
        page.contains("<h1>Weigh-in: ") && page.contains("n.json") && page.contains("What should I use?"),
        "{page}"
    );
    assert_eq!(folder.files(), ["n.json", "report.html"]);

    let run =
        bantam(&["weigh", &json, "--quick", "--formats", "protobuf", "--compress", "none", "--report", "html"]).ok();
    assert!(run.text().starts_with("<!DOCTYPE html>"));

    let err = bantam(&[&args[..], &["--html", "-"]].concat()).fails(2);
    assert!(err.contains("--report html"), "{err}");
    let err = bantam(&[&args[..], &["--html", &folder.path("nowhere/report.html")]].concat()).fails(1);
    assert!(err.contains("there is no folder"), "{err}");
}

#[test]
fn the_best_way_over_a_link() {
    let input = sample("dns", "300", "json");
    let args = ["-", "--schema", "sample:dns", "--formats", "protobuf,json/bantam", "--compress", "zlib"];
    let document = weighed(&[&args[..], &["--link", "100Mbit/s", "--link", "1MB/s"]].concat(), &input);
    let links = document["links"].as_array().unwrap();
    assert_eq!(
        links.iter().map(|link| link["bits_per_second"].as_u64()).collect::<Vec<_>>(),
        [Some(100_000_000), Some(8_000_000)]
    );
    for link in links {
        let best = &link["best"];
        let transfer = best["bytes"].as_f64().unwrap() * 8e9 / link["bits_per_second"].as_f64().unwrap();
        let total = best["work_ns"].as_f64().unwrap() + transfer;
        assert!((best["total_ns"].as_f64().unwrap() / total - 1.0).abs() < 1e-9, "{link}");
        // The input is read as JSON, but was not written here.
        assert!(["protobuf", "json"].contains(&best["format"].as_str().unwrap()), "{link}");
    }
    assert!(!document["front"].as_array().unwrap().is_empty() && document["crossovers"].is_array());

    let text = bantam_with(&[&["weigh", "--quick", "--link", "2Gbit/s"], &args[..]].concat(), &input).ok();
    assert!(text.text().lines().any(|line| line.starts_with("2 Gbit/s")), "{}", text.text());
    let without = bantam_with(&[&["weigh", "--quick"], &args[..]].concat(), &input).ok();
    assert!(!without.text().contains("best way"), "{}", without.text());
    let err = bantam_with(&[&["weigh", "--link", "fast"], &args[..]].concat(), &input).fails(2);
    assert!(err.contains("100Mbit/s"), "{err}");
}
