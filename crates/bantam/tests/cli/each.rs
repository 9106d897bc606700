//! `bantam weigh --each`: every record by itself, and dictionaries that are trained on others.

use crate::command::{Folder, bantam, bantam_with, sample};
use serde_json::Value;

/// The row of this format, by Bantam's own codec; not the source's, which may be a file of all.
#[track_caller]
fn row<'d>(document: &'d Value, format: &str) -> &'d Value {
    let mut rows = document["rows"].as_array().unwrap().iter().rev();
    rows.find(|row| row["format"] == format && row["codec"] == "bantam").unwrap()
}

fn number(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or_else(|| panic!("{key}: {value}"))
}

fn weighed(args: &[&str]) -> Value {
    bantam(&[&["weigh", "--quick", "--json", "--each"], args].concat()).ok().json()
}

#[test]
fn the_messages_are_those_of_the_file() {
    let formats = "protobuf,json/bantam,thrift-binary,xml,csv";
    let document = weighed(&["--sample", "dns-text", "--records", "2000", "--formats", formats]);
    for format in ["protobuf", "json", "thrift-binary", "xml"] {
        let row = row(&document, format);
        let each = &row["each"];
        assert_eq!(row["framing"], "each", "{row}");
        assert_eq!((number(&each["bytes"], "messages"), &each["bytes"]["total"]), (2_000, &row["bytes"]));
        for sizes in [&each["bytes"], &each["test"]] {
            let of = ["min", "median", "p99", "max"].map(|key| number(sizes, key));
            assert!(of.is_sorted() && of[0] > 0, "{sizes}");
        }
        for times in [&each["encode"], &each["decode"]] {
            let [median, p99] = ["median", "p99"].map(|key| times[key]["ns"].as_f64().unwrap());
            assert!(0.0 < median && median <= p99, "{times}");
        }
        // One half of the records is to test, the other to train on, both cut for a first look.
        assert_eq!((number(each, "training_messages"), number(&each["test"], "messages")), (1_000, 200));
        check_dictionary(each);
    }
}

/// What the dictionary costs and saves follows from the sizes.
#[track_caller]
fn check_dictionary(each: &Value) {
    let compressed = each["compressed"].as_array().unwrap();
    let with = compressed.iter().position(|c| c["dictionary"].is_object()).expect("enough to train on");
    let (with, without) = (&compressed[with], &compressed[with - 1]);
    assert_eq!((&with["compressor"], &with["level"]), (&without["compressor"], &without["level"]));
    assert_eq!(with["compressor"], "zstd");
    let (dictionary, messages) = (&with["dictionary"], number(&with["bytes"], "messages"));
    let (size, total, plain) =
        (number(dictionary, "bytes"), number(&with["bytes"], "total"), number(&without["bytes"], "total"));
    assert!((256..=112_640).contains(&size), "{dictionary}");
    let charged = (size + total) as f64 / messages as f64;
    assert!((dictionary["bytes_per_message"].as_f64().unwrap() - charged).abs() < 1e-9, "{dictionary}");
    // Names and answers have much in common: with the dictionary they are smaller, and from that number on it pays.
    assert!(total < plain, "{with} {without}");
    let from = number(dictionary, "pays_from");
    let pays = |n: u64| size * messages + n * total < n * plain;
    assert!(pays(from) && !pays(from - 1), "{dictionary}");
}

#[test]
fn the_size_of_a_dictionary_can_be_chosen() {
    let args = ["--sample", "dns-text", "--records", "1000", "--formats", "json/bantam", "--compress", "zstd"];
    let document = weighed(&[&args[..], &["--dictionary", "4096"]].concat());
    let each = &row(&document, "json")["each"];
    let with = each["compressed"].as_array().unwrap().iter().find(|c| c["dictionary"].is_object()).unwrap();
    assert_eq!(number(&with["dictionary"], "bytes"), 4_096);
    let err = bantam(&["weigh", "--sample", "dns", "--dictionary", "4096"]).fails(2);
    assert!(err.contains("--each"), "{err}");
    let err = bantam(&["weigh", "--sample", "dns", "--each", "--dictionary", "1"]).fails(2);
    assert!(err.contains("256"), "{err}");
    let err = bantam(&["weigh", "--sample", "dns", "--each", "--framing", "list"]).fails(2);
    assert!(err.contains("--each weighs every record by itself"), "{err}");
}

/// Too few, empty, all the same, one that is huge: figures, or the reason why there is no dictionary.
#[test]
fn odd_messages_have_figures_and_reasons() {
    let huge = format!(r#"[{{"s":"{}"}},{{"s":"b"}},{{"s":"c"}}]"#, "abcdefgh".repeat(50_000));
    let same = format!("[{}]", vec![r#"{"s":"the same"}"#; 500].join(","));
    for (name, input, reason) in [
        ("one", r#"{"s":"x"}"#, Some("are too few")),
        ("empty", "[{},{},{}]", Some("are too few")),
        ("huge", &huge, Some("are too few")),
        ("same", &same, None),
    ] {
        let args = ["weigh", "-", "--quick", "--json", "--each", "--formats", "protobuf,json/bantam"];
        let document = bantam_with(&args, input.as_bytes()).ok().json();
        for format in ["protobuf", "json"] {
            let each = &row(&document, format)["each"];
            assert_eq!(each["bytes"]["total"], row(&document, format)["bytes"], "{name}");
            match reason {
                Some(reason) => {
                    assert!(each["no_dictionary"].as_str().is_some_and(|why| why.contains(reason)), "{name}: {each}");
                }
                // zstd may find nothing to keep in messages that are all the same; then it says so.
                None => assert!(
                    each["no_dictionary"].is_string()
                        || each["compressed"].as_array().unwrap().iter().any(|c| c["dictionary"].is_object()),
                    "{name}: {each}"
                ),
            }
        }
    }
}

#[test]
fn all_reports_show_the_messages() {
    let folder = Folder::new();
    let file = folder.file("d.json", String::from_utf8(sample("dns-text", "400", "json")).unwrap());
    let args = ["weigh", &file, "--quick", "--each", "--formats", "protobuf,json/bantam", "--compress", "zlib,zstd"];
    let shown = |report: &str| bantam(&[&args[..], &["--report", report]].concat()).ok();
    assert!(shown("terminal").text().contains("each message, "), "{}", shown("terminal").text());
    assert!(shown("terminal").text().lines().all(|line| line.chars().count() <= 100));
    assert!(shown("markdown").text().contains("| each message, "), "{}", shown("markdown").text());
    assert!(shown("html").text().contains("id=\"each\""));
    let csv = shown("csv");
    let head = csv.text().lines().next().unwrap();
    assert!(head.contains(",each_bytes_median,") && head.contains("each_dictionary_pays_from"), "{head}");
    let without = bantam(&["weigh", &file, "--quick", "--formats", "protobuf"]).ok();
    assert!(!without.text().contains("each message"), "{}", without.text());
}
