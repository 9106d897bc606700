//! Well-known JSON files, where they lie beside the checkout or in the folder that `BANTAM_SHARED` names.

use crate::command::{Folder, bantam};
use serde_json::Value;
use std::path::PathBuf;

pub(crate) fn shared() -> PathBuf {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    std::env::var_os("BANTAM_SHARED").map_or_else(beside, PathBuf::from)
}

/// The file, unless it is not there, which is said.
fn json_file(name: &str) -> Option<String> {
    let path = shared().join("data/json").join(name);
    if !path.is_file() {
        println!("skipped: there is no {}", path.display());
        return None;
    }
    Some(path.to_str().unwrap().to_owned())
}

/// Every row came back equal, perhaps by lowerings that it names, or says what stands in the way.
#[track_caller]
fn check_fidelity(args: &[&str], records: u64) {
    let document = bantam(&[&["weigh", "--quick", "--json", "--compress", "none"], args].concat()).ok().json();
    assert_eq!(document["input"]["records"], records, "{args:?}");
    let rows = document["rows"].as_array().unwrap();
    assert!(rows.len() > 15, "{args:?}: {} rows", rows.len());
    for row in rows {
        match row["fidelity"].as_str().unwrap() {
            "exact" => {}
            "profile" => assert!(!row["profile"].as_array().unwrap().is_empty(), "{args:?}: {row}"),
            "unsupported" => {
                // Nothing but CSV is too small for these records.
                assert_eq!(row["format"], "csv", "{args:?}: {row}");
                assert!(row["reason"].as_str().is_some_and(|reason| reason.starts_with("field ")), "{args:?}: {row}");
            }
            other => panic!("{args:?}: {other}: {row}"),
        }
    }
}

#[test]
fn no_row_is_lossy() {
    for (file, at, records) in [
        ("twitter.json", None, 1),
        ("twitter.json", Some("statuses"), 100),
        ("citm_catalog.json", None, 1),
        ("citm_catalog.json", Some("performances"), 243),
        ("canada.json", None, 1),
    ] {
        let Some(path) = json_file(file) else { continue };
        let at: Vec<&str> = at.iter().flat_map(|at| ["--at", at]).collect();
        check_fidelity(&[&[&path[..]], &at[..]].concat(), records);
    }
}

#[test]
fn no_row_of_a_sample_is_lossy() {
    for (sample, records) in [("dns", 10_000), ("dns-text", 5_000), ("quake", 1)] {
        check_fidelity(&["--sample", sample], records);
    }
}

/// Without a schema, to Protocol Buffers and back: the same JSON, but that null is absence, and so is an empty list, as
/// the profile says.
#[test]
fn json_comes_back_from_the_inferred_schema() {
    for file in ["twitter.json", "citm_catalog.json", "canada.json"] {
        let Some(path) = json_file(file) else { continue };
        let folder = Folder::new();
        let schema = folder.file("inferred.proto", bantam(&["schema", "infer", &path]).ok().text());
        let protobuf = folder.path("there.pb");
        bantam(&["convert", &path, &protobuf]).ok();
        let back = bantam(&["convert", &protobuf, "-", "--to", "json", "--schema", &schema]).ok().json();
        let there: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let (there, back) = (without_nothing(there), without_nothing(back));
        assert!(there == back, "{file}: {}", first_difference(&there, &back, ""));
    }
}

/// Without members that are null or an empty list; numbers that are equal look alike, as 47 and 47.0.
fn without_nothing(value: Value) -> Value {
    let is_nothing = |value: &Value| value.is_null() || value.as_array().is_some_and(Vec::is_empty);
    match value {
        Value::Array(items) => Value::Array(items.into_iter().map(without_nothing).collect()),
        Value::Object(members) => {
            let kept = members.into_iter().map(|(key, value)| (key, without_nothing(value)));
            Value::Object(kept.filter(|(_, value)| !is_nothing(value)).collect())
        }
        Value::Number(number) => match number.as_f64() {
            Some(value) if value.fract() == 0.0 && value.abs() < 2f64.powi(53) => (value as i64).into(),
            _ => Value::Number(number),
        },
        other => other,
    }
}

fn first_difference(a: &Value, b: &Value, path: &str) -> String {
    match (a, b) {
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => {
            let at = x.iter().zip(y).position(|(x, y)| x != y).unwrap();
            first_difference(&x[at], &y[at], &format!("{path}[{at}]"))
        }
        (Value::Object(x), Value::Object(y)) => {
            let null = Value::Null;
            let mut keys = x.keys().chain(y.keys());
            let key = keys.find(|key| x.get(*key) != y.get(*key)).unwrap();
            first_difference(x.get(key).unwrap_or(&null), y.get(key).unwrap_or(&null), &format!("{path}.{key}"))
        }
        _ => format!("{path}: {a} and {b}"),
    }
}
