//! `bantam convert` of archives: many files, by several threads, into files or one document, again and again.

use crate::command::{Folder, bantam, values};
use crate::folder::{gzip, packed};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

/// A document with one event, modified at this second of a minute; none without a number.
fn quake(id: &str, modified: Option<u32>, depth: u32) -> String {
    let modified =
        modified.map_or_else(String::new, |s| format!("<modificationTime>2024-11-05T06:15:{s:02}Z</modificationTime>"));
    format!(
        "<seiscomp version=\"0.13\"><EventParameters><origin publicID=\"o\"><time><value>2024-11-05T06:07:08.125Z</value>\
         </time><latitude><value>-12.25</value></latitude><longitude><value>-77.5</value></longitude><depth><value>{depth}\
         </value></depth></origin><event publicID=\"{id}\"><preferredOriginID>o</preferredOriginID><type>earthquake</type>\
         <creationInfo>{modified}</creationInfo></event></EventParameters></seiscomp>"
    )
}

/// An archive of `count` quakes in two folders.
fn archive(count: u32) -> Folder {
    let folder = Folder::new();
    for n in 0..count {
        folder.file(&format!("in/{}/{n:03}.xml", n % 2), quake(&format!("q{n}"), Some(1), n));
    }
    folder
}

/// The depths of quakes in JSON lines, which tell them apart.
fn depths(lines: &[u8]) -> Vec<f64> {
    let lines = std::str::from_utf8(lines).unwrap().lines();
    lines.map(|line| values(line.as_bytes())["depth"].as_f64().unwrap_or_default()).collect()
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = archive(40);
    folder.file("in/0/bad.xml", "<seiscomp><EventParameters>");
    folder.file("in/1/none.xml", "<seiscomp><EventParameters/></seiscomp>");
    let mut said = BTreeSet::new();
    for jobs in ["1", "4"] {
        let (files, document) = (folder.path(&format!("files{jobs}")), folder.path(&format!("all{jobs}.pb")));
        for args in [vec![&*files, "--to", "protobuf"], vec![&*document]] {
            let input = folder.path("in");
            let run = bantam(&[&["convert", &input, "--jobs", jobs][..], &args].concat());
            assert_eq!(run.code, 1, "{}", run.err);
            assert!(run.err.contains("41 of 42 files converted, 1 failed\nevents   40\nbytes    "), "{}", run.err);
            assert!(run.err.contains("bad.xml: "), "{}", run.err);
            let lines = run.err.lines().filter(|l| !l.starts_with("time"));
            said.insert(lines.collect::<Vec<_>>().join("\n"));
        }
    }
    // What is said differs only between files and a document, whose bytes are framed.
    assert_eq!(said.len(), 2, "{said:#?}");
    assert_eq!(folder.read("all1.pb"), folder.read("all4.pb"));
    let files = folder.files();
    let of = |jobs: &str| files.iter().filter_map(|f| f.strip_prefix(jobs)).collect::<Vec<_>>();
    assert_eq!(of("files1/"), of("files4/"));
    assert_eq!(of("files1/").len(), 41);
    // A thread that has learned from other files writes what a run for one file does.
    bantam(&["convert", &folder.path("in/1/039.xml"), &folder.path("one.pb")]).ok();
    assert_eq!(folder.read("one.pb"), folder.read("files4/1/039.pb"));
    assert!(of("files1/").iter().all(|f| folder.read(&format!("files1/{f}")) == folder.read(&format!("files4/{f}"))));
}

#[test]
fn one_document_holds_all_records_in_the_order_of_the_files() {
    let folder = archive(20);
    let expected: Vec<f64> = (0..20).step_by(2).chain((1..20).step_by(2)).map(f64::from).collect();
    let input = folder.path("in");
    for name in
        ["a.ndjson", "a.ndjson.gz", "a.ndjson.zz", "a.ndjson.bz2", "a.pb", "a.pb.zst", "a.json", "a.yaml", "a.bin"]
    {
        let out = folder.path(name);
        let to: &[&str] = if name == "a.bin" { &["--to", "thrift-compact"] } else { &[] };
        let run = bantam(&[&["convert", &input, &out][..], to].concat()).ok();
        assert!(run.err.contains("20 of 20 files converted\nevents   20\n"), "{name}: {}", run.err);
        let from: &[&str] = if name == "a.bin" { &["--from", "thrift-compact"] } else { &[] };
        let args = [&["convert", &out, "-", "--to", "ndjson", "--schema", "sample:quake"][..], from].concat();
        assert_eq!(depths(&bantam(&args).ok().out), expected, "{name}");
    }
    // What is binary is a stream, what is text a list where the format has one.
    assert!(values(&folder.read("a.json")).is_array());
    let list = folder.path("list.pb");
    bantam(&["convert", &input, &list, "--framing", "list"]).ok();
    assert_eq!(folder.read("list.pb")[0], 0x0a);
    assert_ne!(folder.read("list.pb"), folder.read("a.pb"));
    let err = bantam(&["convert", &input, &list, "--framing", "each"]).fails(2);
    assert!(err.contains("the output of a folder is a folder"), "{err}");
}

#[test]
fn a_document_needs_one_schema() {
    let folder = Folder::new();
    folder.file("in/a.json", r#"[{"sip":1,"dip":2,"sport":3,"dport":4}]"#);
    folder.file("in/b.csv", "sip,dip,sport,dport\n5,6,7,8\n");
    let (input, out) = (folder.path("in"), folder.path("out.csv"));
    let err = bantam(&["convert", &input, &out]).fails(2);
    assert!(err.contains("need one schema; name it with --schema"), "{err}");
    assert!(!folder.files().contains(&"out.csv".to_owned()));
    let run = bantam(&["convert", &input, &out, "--schema", "sample:dns"]).ok();
    assert!(run.err.contains("2 of 2 files converted\nrecords  2\n"), "{}", run.err);
    assert_eq!(folder.read("out.csv"), b"sip,dip,sport,dport\n1,2,3,4\n5,6,7,8\n");
}

#[test]
fn the_latest_update_of_each_quake() {
    let folder = Folder::new();
    for (name, id, modified, depth) in [
        ("in/1.xml", "a", Some(30), 1),
        ("in/2.xml", "a", Some(20), 2),
        ("in/3.xml", "b", None, 3),
        ("in/4.xml", "b", Some(5), 4),
        ("in/5.xml", "c", Some(7), 5),
        ("in/6.xml", "c", Some(7), 6),
        ("in/7.xml", "", Some(1), 7),
        ("in/8.xml", "", None, 8),
    ] {
        folder.file(name, quake(id, modified, depth));
    }
    let (input, expected) = (folder.path("in"), [1., 4., 6., 7., 8.]);
    for jobs in ["1", "4"] {
        for framing in ["stream", "list"] {
            let (name, to) = if framing == "list" { ("x.json", "json") } else { ("x.ndjson", "ndjson") };
            let out = folder.path(name);
            let args = ["convert", &input, &out, "--latest", "--jobs", jobs, "--to", to, "--framing", framing];
            let run = bantam(&args).ok();
            assert!(run.err.contains("5 of 8 files converted, 3 without a latest update\n"), "{}", run.err);
            let updates = "updates  3 superseded, 2 without identifier, 2 without modification time\nevents   5\n";
            assert!(run.err.contains(updates), "{}", run.err);
            let lines = bantam(&["convert", &out, "-", "--to", "ndjson"]).ok().out;
            assert_eq!(depths(&lines), expected, "{framing}");
        }
    }
    bantam(&["convert", &input, &folder.path("out"), "--latest", "--to", "json"]).ok();
    let out: Vec<_> = folder.files().into_iter().filter(|f| f.starts_with("out/")).collect();
    assert_eq!(out, ["out/1.json", "out/4.json", "out/6.json", "out/7.json", "out/8.json"]);
    let document = bantam(&["convert", &input, &folder.path("x.pb"), "--latest", "--json"]).ok().json();
    assert_eq!(document["latest"]["superseded"], 3);

    // Protobuf keeps fields that it does not know, and they are quakes all the same.
    let (again, one) = (folder.path("again"), folder.path("again.pb"));
    bantam(&["convert", &input, &again, "--to", "protobuf"]).ok();
    bantam(&["convert", &again, &one, "--latest", "--schema", "sample:quake"]).ok();
    assert_eq!(folder.read("again.pb"), folder.read("x.pb"));
}

#[test]
fn only_quakes_have_updates() {
    let folder = Folder::new();
    folder.file("in/a.json", r#"{"a":1}"#);
    let (input, out) = (folder.path("in"), folder.path("out.pb"));
    for schema in [&[][..], &["--schema", "sample:dns"]] {
        let err = bantam(&[&["convert", &input, &out, "--latest"][..], schema].concat()).fails(2);
        assert!(err.contains("only quakes have updates"), "{err}");
    }
    let file = folder.path("in/a.json");
    for option in [&["--latest"][..], &["--newer"], &["--only", "json"]] {
        let err = bantam(&[&["convert", &file, &out][..], option].concat()).fails(2);
        assert!(err.contains(" is for folders"), "{err}");
    }
}

fn touch(path: &str, seconds: u64, nanoseconds: u32) {
    let time = SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds);
    File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

#[test]
fn what_is_up_to_date_is_passed_over() {
    let folder = archive(3);
    let (input, out, all) = (folder.path("in"), folder.path("out"), folder.path("all.pb"));
    for (args, files) in [
        (vec!["convert", &*input, &*out, "--to", "protobuf", "--newer"], ["out/0/000.pb", "out/1/001.pb"]),
        (vec!["convert", &*input, &*all, "--newer"], ["all.pb", "all.pb"]),
    ] {
        bantam(&args).ok();
        let run = bantam(&args).ok();
        assert!(run.err.contains("0 of 3 files converted, 3 up to date\n"), "{}", run.err);
        // Equal times count as up to date, and a nanosecond is enough.
        for (nanoseconds, converted) in [(8, false), (9, false), (10, true)] {
            touch(&folder.path("in/0/000.xml"), 1_600_000_000, nanoseconds);
            touch(&folder.path("in/0/002.xml"), 1_600_000_000, 0);
            touch(&folder.path("in/1/001.xml"), 1_600_000_000, 0);
            for file in files {
                touch(&folder.path(file), 1_600_000_000, 9);
            }
            let run = bantam(&args).ok();
            assert_eq!(!run.err.contains("0 of 3 files converted"), converted, "{nanoseconds}: {}", run.err);
        }
    }
    let mut args = vec!["convert", &*input, "", "--to", "json", "--framing", "each", "--newer"];
    let each = folder.path("each");
    args[2] = &each;
    folder.file("in/two.xml", quake("a", None, 1).replace("</event>", "</event><event publicID=\"b\"/>"));
    bantam(&args).ok();
    assert!(folder.files().contains(&"each/two/1.json".to_owned()));
    let run = bantam(&args).ok();
    assert!(run.err.contains("0 of 4 files converted, 4 up to date\n"), "{}", run.err);
}

#[test]
fn a_run_that_is_killed_leaves_whole_files_and_the_next_goes_on() {
    let folder = archive(400);
    let (input, out) = (folder.path("in"), folder.path("out"));
    let args = ["convert", &input, &out, "--to", "protobuf", "--newer"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_bantam"))
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let written = || folder.files().into_iter().filter(|f| f.starts_with("out/") && !f.contains("/.bantam-"));
    while written().count() < 5 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before: Vec<_> = written().map(|file| (folder.read(&file), file)).collect();
    let run = bantam(&args).ok();
    let up_to_date = format!("{} of 400 files converted, {} up to date\n", 400 - before.len(), before.len());
    assert!(before.len() == 400 || run.err.contains(&up_to_date), "{}: {}", before.len(), run.err);
    assert_eq!(written().count(), 400);
    let whole = folder.path("whole");
    bantam(&["convert", &input, &whole, "--to", "protobuf"]).ok();
    for (bytes, file) in before {
        assert_eq!(bytes, folder.read(&file.replacen("out/", "whole/", 1)), "{file}");
    }

    // What a killed run may leave is no input of the next.
    folder.file("out/.bantam-x1", "");
    let run = bantam(&["convert", &out, &folder.path("back"), "--to", "json", "--schema", "sample:quake"]).ok();
    assert!(run.err.contains("400 of 400 files") && run.err.contains("left by a run that was stopped"), "{}", run.err);
}

#[test]
fn a_document_appears_whole_or_not_at_all() {
    let folder = archive(2);
    folder.file("all.pb", "as it was");
    folder.file("bad/x.xml", "<seiscomp");
    let run = bantam(&["convert", &folder.path("bad"), &folder.path("all.pb")]);
    assert_eq!((run.code, folder.read("all.pb").as_slice()), (1, &b"as it was"[..]), "{}", run.err);
    let err = bantam(&["convert", &folder.path("in"), &folder.path("no/where.pb")]).fails(1);
    assert!(err.contains("there is no folder"), "{err}");
    let limit = ["convert", &folder.path("in"), &folder.path("in/0/000.xml"), "--to", "protobuf"];
    let err = bantam(&limit).fails(2);
    assert!(err.contains("is one of the inputs"), "{err}");
    assert!(folder.files().iter().all(|f| !f.contains(".bantam-")));
}

#[test]
fn compressed_files_and_only_some_extensions() {
    let folder = Folder::new();
    for (n, name) in ["gzip", "zstd", "bzip2", "lz4", "zlib"].into_iter().enumerate() {
        folder.file(&format!("in/{n}.xml.{name}"), packed(name, quake("q", None, n as u32).as_bytes()));
    }
    folder.file("in/5.XML", quake("q", None, 5));
    folder.file("in/6.xml.gz", gzip(quake("q", None, 6).as_bytes()));
    folder.file("in/README.txt", "words");
    folder.file("in/.DS_Store", "\0\0");
    let (input, out) = (folder.path("in"), folder.path("all.ndjson"));
    let run = bantam(&["convert", &input, &out]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("7 of 9 files converted, 2 failed\n"), "{}", run.err);
    assert_eq!(depths(&folder.read("all.ndjson")), [0., 1., 2., 3., 4., 5., 6.]);
    for (only, files, expected) in [
        // `.gzip` is no compressor's extension.
        ("xml", "6 of 6 files converted, 3 others passed over\n", &[1., 2., 3., 4., 5., 6.][..]),
        (".xml.gz,zstd", "2 of 2 files converted, 7 others passed over\n", &[1., 6.]),
    ] {
        let run = bantam(&["convert", &input, &out, "--only", only]).ok();
        assert!(run.err.contains(files), "{only}: {}", run.err);
        assert_eq!(depths(&folder.read("all.ndjson")), expected, "{only}");
    }
}

#[test]
fn many_failures_are_cut_short_but_for_programs() {
    let folder = archive(2);
    for n in 0..23 {
        folder.file(&format!("in/bad{n:02}.xml"), "<seiscomp");
    }
    let (input, out) = (folder.path("in"), folder.path("out"));
    let args = ["convert", &*input, &out, "--to", "json"];
    let run = bantam(&args);
    assert_eq!((run.code, run.err.matches("error").count()), (1, 21), "{}", run.err);
    assert!(run.err.contains("bad19.xml: ") && !run.err.contains("bad20.xml"), "{}", run.err);
    assert!(run.err.ends_with("and 3 more (--json lists all)\n"), "{}", run.err);
    let run = bantam(&[&args[..], &["--json"]].concat());
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    assert_eq!(run.json()["failed"].as_array().unwrap().len(), 23);
}

/// The keys of a document, lists as `name[]`.
fn keys(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            let at = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
            keys(value, &at, found);
            found.insert(at);
        }),
        Value::Array(items) => items.iter().for_each(|item| keys(item, &format!("{at}[]"), found)),
        _ => {}
    }
}

#[test]
fn the_summary_as_data_has_the_keys_that_are_documented() {
    let folder = archive(2);
    folder.file("in/bad.xml", "<seiscomp><EventParameters>");
    folder.file("in/.bantam-x", "");
    folder.file("in/note.txt", "");
    let (input, out) = (folder.path("in"), folder.path("out.pb"));
    let run = bantam(&["convert", &input, &out, "--json", "--latest", "--only", "xml"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    let document = run.json();
    let mut found = BTreeSet::new();
    keys(&document, "", &mut found);
    let page = include_str!("../../../../docs/converting-json.md");
    let named =
        page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`')).map(|(key, _)| key.to_owned());
    assert_eq!(found, named.collect());
    for (key, value) in [("files", 3), ("converted", 2), ("up_to_date", 0), ("records", 2), ("other_files", 1)] {
        assert_eq!(document[key], value, "{key}");
    }
    assert_eq!(document["format"], "protobuf");
    assert_eq!(document["failed"][0]["file"], folder.path("in/bad.xml"));
    let size = |name| fs::metadata(folder.path(name)).unwrap().len();
    assert_eq!(document["bytes_before"], size("in/0/000.xml") + size("in/1/001.xml"));
    assert_eq!(document["bytes_after"], size("out.pb"));
    let note = &document["notes"][0];
    assert_eq!((&note["kind"], &note["count"], &note["files"]), (&"no-magnitude".into(), &2.into(), &2.into()));
    assert_eq!((&note["warning"], &note["line"]), (&true.into(), &1.into()));
    assert_eq!(note["first_file"], folder.path("in/0/000.xml"));

    // One file gives the same keys, and standard output cannot be both.
    let file = folder.path("in/0/000.xml");
    let one = bantam(&["convert", &file, &out, "--json"]).ok().json();
    assert_eq!((&one["files"], &one["records"], &one["failed"]), (&1.into(), &1.into(), &Value::Array(Vec::new())));
    assert_eq!(one["bytes_before"], size("in/0/000.xml"));
    let bad = bantam(&["convert", &folder.path("in/bad.xml"), &out, "--json"]);
    assert_eq!((bad.code, bad.json()["failed"].as_array().unwrap().len()), (1, 1));
    let err = bantam(&["convert", &file, "-", "--to", "json", "--json"]).fails(2);
    assert!(err.contains("standard output is for the summary"), "{err}");
}

/// Real files, where they lie beside the checkout.
#[test]
fn real_archives() {
    let folder = Folder::new();
    for name in ["seiscompml", "quakeml"] {
        let data = crate::real_data::shared().join("data").join(name);
        if !data.is_dir() {
            println!("skipped: there is no {}", data.display());
            continue;
        }
        let (input, one, four) = (data.to_str().unwrap(), folder.path("1.pb"), folder.path("4.pb"));
        let first = bantam(&["convert", input, &one, "--jobs", "1", "--json"]).json();
        let second = bantam(&["convert", input, &four, "--jobs", "4", "--json"]).json();
        assert_eq!((&first["notes"], &first["failed"]), (&second["notes"], &second["failed"]), "{name}");
        assert!(first["records"].as_u64().unwrap() > 20, "{first}");
        assert_eq!(folder.read("1.pb"), folder.read("4.pb"), "{name}");
    }
}
