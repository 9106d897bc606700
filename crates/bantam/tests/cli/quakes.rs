//! Earthquakes on the command line: found by content, converted into every format, weighed with the source first.

use crate::command::{Folder, bantam};
use bantam::all_formats;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A sample's file, and the quakes in it as JSON.
fn sample(folder: &Folder) -> (String, Value) {
    let file = folder.path("quakes.xml");
    bantam(&["sample", "quake", "--events", "2", "-o", &file]).ok();
    let json = bantam(&["convert", &file, "-", "--to", "json"]).ok().json();
    assert_eq!(json.as_array().unwrap().len(), 2);
    (file, json)
}

#[test]
fn quakes_come_back_from_every_format_that_holds_them() {
    let folder = Folder::new();
    let (file, json) = sample(&folder);
    for format in all_formats().filter(|f| f.only().is_none() && f.name != "csv") {
        let written = folder.path(&format!("to-{}", format.name));
        bantam(&["convert", &file, &written, "--to", format.name]).ok();
        let schema = ["--schema", "sample:quake"];
        let back = ["convert", &written, "-", "--from", format.name, "--to", "json"];
        assert_eq!(bantam(&[&back[..], &schema].concat()).ok().json(), json, "{}", format.name);
    }
}

#[test]
fn a_format_of_quakes_brings_its_schema() {
    let folder = Folder::new();
    let (file, json) = sample(&folder);
    let protobuf = folder.path("quakes.pb");
    bantam(&["convert", &file, &protobuf]).ok();
    for (output, starts) in [
        ("a.geojson", "{\"type\":\"FeatureCollection\""),
        ("a.qml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"),
        ("a.csv", "event_id,"),
        ("a.txt", "#EventID|Time|Latitude|Longitude|Depth/km|"),
    ] {
        let (from_xml, from_protobuf) = (folder.path(&format!("1-{output}")), folder.path(&format!("2-{output}")));
        bantam(&["convert", &file, &from_xml]).ok();
        assert!(fs::read_to_string(&from_xml).unwrap().starts_with(starts), "{output}");
        // A CSV of anything may be meant, so the schema has to be named.
        let schema = if output == "a.csv" { &["--schema", "sample:quake"][..] } else { &[] };
        bantam(&[&["convert", &protobuf, &from_protobuf][..], schema].concat()).ok();
        assert_eq!(fs::read(&from_xml).unwrap(), fs::read(&from_protobuf).unwrap(), "{output}");
    }
    // What QuakeML holds comes back.
    let back = bantam(&["convert", &folder.path("1-a.qml"), "-", "--to", "json"]).ok().json();
    for (quake, back) in json.as_array().unwrap().iter().zip(back.as_array().unwrap()) {
        for field in ["time", "latitude", "depth", "magnitude", "quake_type", "region", "used_phase_count"] {
            assert_eq!(quake[field], back[field], "{field}");
        }
    }
}

#[test]
fn formats_that_go_one_way_say_so() {
    let folder = Folder::new();
    let (file, _) = sample(&folder);
    assert!(bantam(&["convert", &file, "-", "--to", "seiscompml"]).fails(2).contains("possible values"));
    assert!(bantam(&["convert", &file, "-", "--from", "geojson", "--to", "json"]).fails(2).contains("possible values"));
    let flows = folder.path("flows.json");
    bantam(&["sample", "dns", "-n", "2", "-o", &flows]).ok();
    let err = bantam(&["convert", &flows, "-", "--to", "geojson"]).fails(1);
    assert!(err.contains("quake"), "{err}");
}

#[test]
fn files_are_recognised_by_content_in_any_wrapping() {
    let folder = Folder::new();
    let (file, json) = sample(&folder);
    let text = fs::read_to_string(&file).unwrap();
    let utf16: Vec<u8> = text.replace("UTF-8", "UTF-16").encode_utf16().flat_map(u16::to_be_bytes).collect();
    fs::write(folder.path("a.data"), [&b"\xfe\xff"[..], &utf16].concat()).unwrap();
    for name in ["b.xml.gz", "c.xml.zst", "d.xml.lz4"] {
        let compressor = bantam::compress::by_extension(name.rsplit_once('.').unwrap().1).unwrap();
        let mut out = Vec::new();
        compressor.compress(text.as_bytes(), None, &mut out).unwrap();
        fs::write(folder.path(name), out).unwrap();
    }
    for name in ["a.data", "b.xml.gz", "c.xml.zst", "d.xml.lz4"] {
        assert_eq!(bantam(&["convert", &folder.path(name), "-", "--to", "json"]).ok().json(), json, "{name}");
    }
    // By a schema for other records, it is XML as any other.
    let schema = folder.file("own.proto", "syntax = \"proto3\"; message seiscomp { string version = 1; }");
    let own = bantam(&["convert", &file, "-", "--to", "json", "--schema", &schema]).ok();
    assert!(own.text().contains("version"), "{}", own.text());
}

#[test]
fn notes_are_shown_and_strictness_makes_errors_of_warnings() {
    let folder = Folder::new();
    let document = "<seiscomp>\n<EventParameters><event publicID=\"e\"/></EventParameters></seiscomp>";
    let file = folder.file("a.xml", document);
    let done = bantam(&["convert", &file, "-", "--to", "json"]).ok();
    assert_eq!(done.json()["public_iD"], "e");
    assert!(done.err.contains("1 event without any origin, kept without a place; e, line 2"), "{}", done.err);
    let err = bantam(&["convert", &file, "-", "--to", "json", "--strict"]).fails(1);
    assert!(err.contains("line 2") && err.contains("refused, as asked"), "{err}");
    let none = folder.file("b.xml", "<seiscomp><Inventory/></seiscomp>");
    let done = bantam(&["convert", &none, "-", "--to", "ndjson"]).ok();
    assert!(done.out.is_empty() && done.err.contains("it holds Inventory"), "{}", done.err);
}

#[test]
fn a_weigh_in_has_the_source_first_and_its_notes() {
    let folder = Folder::new();
    let (file, _) = sample(&folder);
    let options = ["--quick", "--json", "--formats", "protobuf,json/bantam,xml", "--compress", "zlib"];
    let weighing = bantam(&[&["weigh", &file][..], &options].concat()).ok().json();
    let mut rows = weighing["rows"].as_array().unwrap().clone();
    rows.retain(|row| row["floor"] == false);
    let names: Vec<_> = rows.iter().map(|row| row["format"].as_str().unwrap()).collect();
    assert_eq!(names, ["seiscompml", "protobuf", "json", "xml"]);
    assert!(rows[0]["source"] == true && rows[0]["bytes"] == fs::metadata(&file).unwrap().len());
    assert!(rows.iter().all(|row| row["decode"]["median_ns"].is_number()));
    assert!(rows[1..].iter().all(|row| row["fidelity"] == "exact"), "{rows:?}");
    let notes = weighing["notes"].as_array().unwrap();
    let unused = notes.iter().find(|note| note["kind"] == "unused-arrival").unwrap();
    assert!(unused["count"].as_u64().unwrap() > 10 && unused["warning"] == false && unused["line"].is_number());
}

/// Real files, where they are: every one is converted, and comes back from the exact formats.
#[test]
fn real_files_come_back() {
    let root = std::env::var_os("BANTAM_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), std::path::PathBuf::from);
    let mut files = Vec::new();
    for folder in ["data/seiscompml", "data/quakeml"] {
        let Ok(entries) = fs::read_dir(root.join(folder)) else {
            println!("skipped: there is no {}", root.join(folder).display());
            return;
        };
        files.extend(entries.map(|entry| entry.unwrap().path()));
    }
    assert!(files.len() > 40);
    for path in files {
        let input = bantam::Input::new(path.to_string_lossy(), fs::read(&path).unwrap()).unwrap();
        let dataset = bantam::Dataset::read(&input, &bantam::Request::default()).unwrap();
        for format in bantam::formats::FORMATS.iter().filter(|f| f.name != "csv") {
            let mut codec = (format.engines[0].build)(dataset.batch.layout()).unwrap();
            let (mut bytes, framing) = (Vec::new(), format.framings[0]);
            codec.encode(&dataset.batch, framing, &mut bytes).unwrap();
            let mut back = bantam::model::Batch::new(dataset.batch.layout().clone());
            codec.decode(&bytes, framing, &mut back).unwrap();
            let same = bantam::model::compare(&dataset.batch, &back, format.forgets);
            assert!(same.is_ok(), "{} {}: {}", path.display(), format.name, same.unwrap_err());
        }
    }
}
