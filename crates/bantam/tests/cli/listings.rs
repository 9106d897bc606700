//! Samples, formats, completions, the man page.

use crate::command::{Folder, bantam, values};
use bantam::all_formats;
use bantam::sample::{Make, SAMPLES, Sample};

fn samples_of_records() -> impl Iterator<Item = &'static Sample> {
    SAMPLES.iter().copied().filter(|s| matches!(s.make, Make::Records(_)))
}

#[test]
fn a_seed_makes_the_same_records() {
    for sample in samples_of_records() {
        let make = |seed: &str| bantam(&["sample", sample.name, "--records", "20", "--seed", seed]).ok().out;
        assert_eq!(make("7"), make("7"), "{}", sample.name);
        assert_ne!(make("7"), make("8"), "{}", sample.name);
        let usual = bantam(&["sample", sample.name]).ok().json();
        assert_eq!(usual.as_array().unwrap().len(), sample.records);
        assert_eq!(usual.as_array().unwrap()[..20], values(&make("1")).as_array().unwrap()[..20]);
    }
}

#[test]
fn a_sample_goes_to_a_file_of_any_format() {
    let folder = Folder::new();
    for (name, format) in [("a.pb", "protobuf"), ("a.yaml", "yaml"), ("a", "json"), ("a.csv", "csv")] {
        bantam(&["sample", "dns", "--records", "5", "-o", &folder.path(name)]).ok();
        let expected = bantam(&["sample", "dns", "--records", "5", "--to", format]).ok().out;
        assert!(folder.read(name) == expected, "{name}");
    }
    let err = bantam(&["sample", "dns", "-o", &folder.path("a.zzz")]).fails(2);
    assert!(err.contains("which format shall"), "{err}");
    let args = ["sample", "dns", "--records", "3", "--to", "protobuf", "--framing", "each"];
    let err = bantam(&args).fails(2);
    assert!(err.contains("need a folder"), "{err}");
    bantam(&[&args[..], &["-o", &folder.path("each")]].concat()).ok();
    assert_eq!(folder.files(), ["a", "a.csv", "a.pb", "a.yaml", "each/0.pb", "each/1.pb", "each/2.pb"]);
}

/// The document of a sample, by its generator.
fn document(name: &str, events: std::ops::Range<usize>) -> Vec<u8> {
    let mut out = Vec::new();
    match bantam::sample::find(name).unwrap().make {
        Make::Document { write, .. } => write(7, events, &mut out),
        Make::Records(_) => panic!("{name} is no document"),
    }
    out
}

#[test]
fn a_document_is_written_as_it_is() {
    let folder = Folder::new();
    let sample = ["sample", "quake", "--seed", "7"];
    assert!(bantam(&sample).ok().out == document("quake", 0..1));
    for (name, count) in [("a.xml", "--events"), ("a.scml", "--records"), ("a", "-n")] {
        bantam(&[&sample[..], &[count, "2", "-o", &folder.path(name)]].concat()).ok();
        assert!(folder.read(name) == document("quake", 0..2), "{name}");
    }
    bantam(&[&sample[..], &["-o", &folder.path("a.xml.gz")]].concat()).ok();
    assert!(folder.read("a.xml.gz").starts_with(b"\x1f\x8b"));
    assert_eq!(folder.files(), ["a", "a.scml", "a.xml", "a.xml.gz"]);
}

#[test]
fn a_document_an_event() {
    let folder = Folder::new();
    let sample = ["sample", "quake", "--seed", "7", "--framing", "each", "--events"];
    bantam(&[&sample[..], &["11", "-o", &folder.path("each")]].concat()).ok();
    let names: Vec<_> = (0..11).map(|at| format!("each/{at:02}.xml")).collect();
    assert_eq!(folder.files(), names);
    for (at, name) in names.iter().enumerate() {
        assert!(folder.read(name) == document("quake", at..at + 1), "{name}");
    }
    assert!(bantam(&[&sample[..], &["1"]].concat()).ok().out == document("quake", 0..1));
    let err = bantam(&[&sample[..], &["2"]].concat()).fails(2);
    assert!(err.contains("need a folder"), "{err}");
    let err = bantam(&["sample", "quake", "--framing", "stream"]).fails(2);
    assert!(err.contains("no framing stream"), "{err}");
}

#[test]
fn a_document_has_the_schema_of_its_format() {
    let shown = bantam(&["schema", "show", "sample:quake"]).ok();
    for line in ["package quake;", "  optional double depth = 17;", "message StationMagnitude {"] {
        assert!(shown.text().contains(line), "{line}");
    }
}

#[test]
fn the_records_of_a_document_are_written_in_any_format() {
    let folder = Folder::new();
    let quakes = bantam(&["sample", "quake", "--events", "2", "--to", "json"]).ok().json();
    assert_eq!(quakes.as_array().unwrap().len(), 2);
    bantam(&["sample", "quake", "--events", "2", "-o", &folder.path("a.pb")]).ok();
    bantam(&["sample", "quake", "--events", "2", "-o", &folder.path("a.xml")]).ok();
    bantam(&["convert", &folder.path("a.xml"), &folder.path("b.pb")]).ok();
    assert_eq!(folder.read("a.pb"), folder.read("b.pb"));
    let shown = bantam(&["convert", &folder.path("a.pb"), "-", "--to", "json", "--schema", "sample:quake"]).ok().json();
    assert_eq!(shown, quakes);
}

#[test]
fn listings_are_the_tables() {
    let formats = bantam(&["formats", "--json"]).ok().json();
    let names: Vec<_> = formats.as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    assert_eq!(names, all_formats().map(|f| f.name).collect::<Vec<_>>());
    for (row, format) in formats.as_array().unwrap().iter().zip(all_formats()) {
        assert_eq!(row["about"], format.about);
        assert_eq!(row["text"], format.text);
        assert_eq!(row["codecs"].as_array().unwrap().len(), format.engines.len());
        assert_eq!(row["framings"].as_array().unwrap().last().unwrap(), "each");
    }
    let text = bantam(&["formats"]).ok();
    assert!(all_formats().all(|f| text.text().contains(f.about)));
    let samples = bantam(&["sample", "--json"]).ok().json();
    assert_eq!(samples.as_array().unwrap().len(), SAMPLES.len());
    assert!(SAMPLES.iter().all(|s| bantam(&["sample"]).ok().text().contains(s.about)));
}

#[test]
fn completions_and_man_page_know_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = bantam(&["completions", shell]).ok();
        assert!(["weigh", "convert", "from-framing"].iter().all(|w| run.text().contains(w)), "{shell}");
    }
    let man = bantam(&["man"]).ok();
    for page in ["bantam", "bantam-weigh", "bantam-convert", "bantam-schema-show", "bantam-schema-infer"] {
        assert!(man.text().contains(&format!(".TH {page} ")), "{page}");
    }
    assert!(bantam(&["--help"]).ok().text().contains("Exit codes: 0 all well, 1 some input failed, 2 wrong usage"));
}
