//! `docs/weighing-json.md` is a promise: it names every key and column, and none that is not there.

use bantam_report::{Options, by_name};
use bantam_weigh::{
    Advice, AdviceKind, Allocations, Best, Compressed, CompressedEach, Crossover, DictionaryCost, Each, Environment,
    Fidelity, FieldCost, Input, Lane, Link, Memory, MessageTimes, NamedWay, Note, Row, SCHEMA_VERSION, Timing,
    Weighing,
};
use serde_json::Value;
use std::collections::BTreeSet;

const DOCUMENT: &str = include_str!("../../../docs/weighing-json.md");

/// A weighing in which every part is there.
fn weighing() -> Weighing {
    let timing = Timing::of_sorted(&[1_000, 2_000, 3_000]);
    let compressed =
        Compressed { compressor: "zlib".into(), level: Some(6), bytes: 1, compress: timing, decompress: timing };
    let counted = Some(Allocations::default());
    let row = Row {
        format: "json".into(),
        codec: "bantam".into(),
        adapter: false,
        floor: false,
        lane: Lane::Runtime,
        allocator: None,
        framing: "list".into(),
        source: true,
        fidelity: Fidelity::Exact,
        profile: vec![],
        reason: None,
        bytes: Some(1),
        encode: timing,
        decode: timing,
        round_trip: timing,
        compressed: vec![compressed],
        memory: Some(Memory { first_encode: counted, encode: counted, decode: counted, first_decode: counted }),
        fields: vec![FieldCost::default()],
        each: Some(each()),
    };
    let way = NamedWay {
        lane: Lane::Runtime,
        format: "json".into(),
        codec: "bantam".into(),
        framing: "list".into(),
        compressor: None,
        level: None,
        bytes: 1,
        work_ns: 1.0,
    };
    Weighing {
        schema_version: SCHEMA_VERSION,
        environment: Environment::default(),
        input: Input::default(),
        includes: vec![],
        rows: vec![row],
        notes: vec![Note::default()],
        advice: vec![Advice { kind: AdviceKind::Noisy, value: 1.0, bound: 0.2, text: "x".into() }],
        links: vec![Link { bits_per_second: 1, best: Some(Best { way: way.clone(), total_ns: 1.0 }) }],
        crossovers: vec![Crossover { bits_per_second: 1.0, below: way.clone(), above: way.clone() }],
        front: vec![way],
    }
}

fn each() -> Each {
    let times = Some(MessageTimes::default());
    let dictionary = Some(DictionaryCost::default());
    let compressed = CompressedEach { dictionary, compress: times, decompress: times, ..CompressedEach::default() };
    Each { encode: times, decode: times, compressed: vec![compressed], ..Each::default() }
}

fn rendered(report: &str) -> String {
    let mut out = Vec::new();
    let report = by_name(report).expect("a report");
    report.render(&weighing(), &Options::default(), &mut out).expect("a vector takes everything");
    String::from_utf8(out).expect("text")
}

/// The paths of all keys, as the document writes them: the parts of a timing stand under `timing`, those of the sizes and times of
/// messages under `sizes` and `times`.
fn paths(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            let path = match members {
                _ if members.contains_key("median_ns") => "timing",
                _ if members.contains_key("p99") && members.contains_key("total") => "sizes",
                _ if members.contains_key("p99") => "times",
                _ => path,
            };
            for (key, value) in members {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                paths(value, &path, found);
                found.insert(path);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| paths(item, &format!("{path}[]"), found)),
        _ => {}
    }
}

/// What stands between backticks in the first column of the tables with this heading, in order.
fn documented(heading: &str) -> Vec<&'static str> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in DOCUMENT.lines() {
        if line.starts_with('|') && line.contains("---") {
            continue;
        }
        match line.strip_prefix("| ") {
            Some(row) if row.starts_with(heading) => inside = true,
            Some(row) if inside => {
                let first = row.split(" | ").next().expect("a first part");
                found.extend(first.split('`').skip(1).step_by(2));
            }
            Some(_) => {}
            None => inside = false,
        }
    }
    found
}

#[test]
fn every_key_is_documented_and_every_documented_key_is_there() {
    let mut found = BTreeSet::new();
    paths(&serde_json::from_str(&rendered("json")).expect("a document"), "", &mut found);
    let documented: BTreeSet<String> = documented("key |").into_iter().map(str::to_owned).collect();
    assert_eq!(documented, found);
}

#[test]
fn every_column_is_documented_in_its_place() {
    let table = rendered("csv");
    let columns: Vec<_> = table.lines().next().expect("a header").split(',').collect();
    assert_eq!(documented("column |"), columns);
}

#[test]
fn the_version_is_documented() {
    assert!(DOCUMENT.contains(&format!("The version of these keys: {SCHEMA_VERSION}")));
}
