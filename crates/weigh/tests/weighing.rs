//! The document's keys, and the rankings drawn from it.

use bantam_weigh::{
    AdviceKind, Column, Compressed, Environment, Fidelity, Input, Lane, Place, Row, SCHEMA_VERSION, Timing, Weighing,
};

fn timing(low_ns: f64, median_ns: f64, high_ns: f64) -> Timing {
    Timing { median_ns, low_ns, high_ns, rounds: 21, coverage: 0.96, iterations_per_round: 1, below_precision: false }
}

fn row(format: &str, bytes: u64, decode: Timing) -> Row {
    Row {
        format: format.into(),
        codec: "bantam".into(),
        adapter: false,
        floor: false,
        memory: None,
        fields: vec![],
        each: None,
        lane: Lane::Runtime,
        allocator: None,
        framing: "list".into(),
        source: format == "json",
        fidelity: Fidelity::Exact,
        profile: vec![],
        reason: None,
        bytes: Some(bytes),
        encode: None,
        decode: Some(decode),
        round_trip: None,
        compressed: vec![Compressed {
            compressor: "zlib".into(),
            level: Some(6),
            bytes: bytes / 4,
            compress: None,
            decompress: None,
        }],
    }
}

fn weighing(rows: Vec<Row>) -> Weighing {
    Weighing {
        schema_version: SCHEMA_VERSION,
        environment: Environment { bantam: "0.1.0".into(), ..Default::default() },
        input: Input { name: "dns.json".into(), bytes: Some(1_000), records: 10, ..Default::default() },
        includes: vec![],
        rows,
        notes: vec![],
        advice: vec![],
        links: vec![],
        front: vec![],
        crossovers: vec![],
    }
}

#[test]
fn the_keys_are_those_promised_and_missing_values_are_null() {
    let document = serde_json::to_value(weighing(vec![row("json", 1_000, timing(9.0, 10.5, 11.0))])).unwrap();
    let expected = serde_json::json!({
        "schema_version": 1,
        "environment": {
            "bantam": "0.1.0", "rustc": null, "target": null, "profile": null, "os": null, "cpu": null,
            "cores": null, "allocator": null, "clock_precision_ns": null, "date": null,
            "busy_cores": null,
        },
        "input": {
            "name": "dns.json", "format": null, "bytes": 1000, "records": 10, "message": null,
            "seed": null, "hash": null,
        },
        "includes": [],
        "rows": [{
            "format": "json", "codec": "bantam", "adapter": false, "floor": false, "lane": "runtime", "allocator": null, "framing": "list", "source": true,
            "fidelity": "exact", "profile": [], "reason": null, "bytes": 1000, "encode": null,
            "decode": {
                "median_ns": 10.5, "low_ns": 9.0, "high_ns": 11.0, "rounds": 21, "coverage": 0.96,
                "iterations_per_round": 1, "below_precision": false,
            },
            "round_trip": null,
            "compressed": [
                {"compressor": "zlib", "level": 6, "bytes": 250, "compress": null, "decompress": null},
            ],
            "memory": null,
            "fields": [], "each": null,
        }],
        "notes": [],
        "advice": [],
        "links": [],
        "front": [],
        "crossovers": [],
    });
    assert_eq!(document, expected);
}

#[test]
fn a_saved_weighing_reads_back_equal() {
    let saved = weighing(vec![row("json", 1_000, timing(0.1, 0.2, 1e15 / 3.0)), row("xml", 7, timing(1.0, 2.0, 3.0))]);
    let text = serde_json::to_string(&saved).unwrap();
    assert_eq!(serde_json::from_str::<Weighing>(&text).unwrap(), saved);
}

#[test]
fn keys_that_are_null_may_be_left_out() {
    let text = r#"{"schema_version": 1, "environment": {"bantam": "0.1.0"}, "input": {"name": "x", "records": 1},
        "rows": [{"format": "csv", "codec": "csv", "lane": "native", "framing": "list", "fidelity": "unsupported"}]}"#;
    let read: Weighing = serde_json::from_str(text).unwrap();
    assert_eq!(read.rows[0].bytes, None);
    assert_eq!(read.rows[0].lane, Lane::Native);
    assert!(serde_json::from_str::<Weighing>(&text.replace("unsupported", "perfect")).is_err());
}

#[test]
fn only_what_came_back_equal_is_ranked_and_lanes_are_apart() {
    let mut lossy = row("lossy", 1, timing(0.1, 0.2, 0.3));
    lossy.fidelity = Fidelity::Lossy;
    let mut native = row("native", 2, timing(0.1, 0.2, 0.3));
    native.lane = Lane::Native;
    let mut lowered = row("lowered", 400, timing(2.0, 3.0, 4.0));
    lowered.fidelity = Fidelity::Profile;
    let weighing = weighing(vec![row("json", 1_000, timing(9.0, 10.0, 11.0)), lossy, native, lowered]);
    let places = |lane| weighing.ranking(Column::Bytes, lane);
    assert_eq!(places(Lane::Runtime), [Place { row: 3, group: 1 }, Place { row: 0, group: 2 }]);
    assert_eq!(places(Lane::Native), [Place { row: 2, group: 1 }]);
    assert_eq!(weighing.lanes(), [Lane::Runtime, Lane::Native]);
}

#[test]
fn times_that_overlap_are_tied_and_bytes_only_when_equal() {
    let mut blurred = row("blurred", 500, timing(29.0, 30.0, 31.0));
    blurred.decode.as_mut().unwrap().below_precision = true;
    let weighing = weighing(vec![
        row("json", 1_000, timing(9.0, 10.0, 11.0)),
        row("protobuf", 400, timing(8.0, 8.5, 9.5)),
        row("thrift", 400, timing(20.0, 21.0, 22.0)),
        blurred,
    ]);
    assert_eq!(weighing.winners(Column::Decode, Lane::Runtime), [1, 0, 3]);
    assert_eq!(weighing.winners(Column::Bytes, Lane::Runtime), [1, 2]);
    assert_eq!(weighing.winners(Column::CompressedBytes("zlib", Some(6)), Lane::Runtime), [1, 2]);
    assert_eq!(weighing.winners(Column::CompressedBytes("zlib", Some(9)), Lane::Runtime), [0; 0]);
    assert_eq!(weighing.winners(Column::Encode, Lane::Runtime), [0; 0]);
}

#[test]
fn ratios_and_times_per_record_have_no_value_where_there_is_none() {
    let mut weighing = weighing(vec![row("json", 2_000, timing(9.0, 10.0, 11.0))]);
    assert_eq!(weighing.ratio(250), Some(0.25));
    assert_eq!(weighing.per_record(10.0), Some(1.0));
    assert_eq!(weighing.compressors(), [("zlib", Some(6))]);
    weighing.input.bytes = None;
    assert_eq!(weighing.ratio(250), Some(0.125));
    weighing.rows.clear();
    weighing.input.records = 0;
    assert_eq!((weighing.ratio(250), weighing.per_record(10.0)), (None, None));
}

/// Times that are wide by so much, so many of each.
fn advised(spreads: &[(f64, usize)], change: impl FnOnce(&mut Weighing)) -> Vec<(AdviceKind, f64)> {
    let times = spreads.iter().flat_map(|&(spread, count)| std::iter::repeat_n(spread, count));
    let rows = times.map(|spread| row("json", 1, timing(100.0 * (1.0 - spread), 100.0, 100.0))).collect();
    let mut found = weighing(rows);
    found.rows.iter_mut().for_each(|row| row.compressed.clear());
    change(&mut found);
    found.advise();
    assert!(found.advice.iter().all(|advice| advice.value > advice.bound && !advice.text.is_empty()));
    found.advice.iter().map(|advice| (advice.kind, advice.value)).collect()
}

#[test]
fn a_quiet_machine_needs_no_advice() {
    assert_eq!(advised(&[], |_| ()), []);
    assert_eq!(advised(&[(0.02, 8), (0.3, 2)], |_| ()), []);
    assert_eq!(advised(&[(0.1, 10)], |w| w.environment.busy_cores = Some(0.2)), []);
}

#[test]
fn what_spoils_the_figures_is_said_as_data() {
    assert_eq!(advised(&[(0.02, 7), (0.3, 3)], |_| ()), [(AdviceKind::Noisy, 0.3)]);
    let loaded = advised(&[(0.02, 7)], |w| (w.environment.busy_cores, w.environment.cores) = (Some(1.26), Some(2)));
    assert_eq!(loaded, [(AdviceKind::Loaded, 1.26)]);
    let single = |w: &mut Weighing| w.rows[1].decode.as_mut().unwrap().rounds = 1;
    assert_eq!(advised(&[(0.02, 7)], single), [(AdviceKind::FewRounds, 1.0)]);
    let short = |w: &mut Weighing| w.rows[1].decode.as_mut().unwrap().below_precision = true;
    assert_eq!(advised(&[(0.02, 7)], short), [(AdviceKind::BelowPrecision, 1.0)]);
}

/// Rows of the same bytes share the times of their compressors: those count once.
#[test]
fn shared_times_count_once() {
    let mut found = weighing((0..3).map(|_| row("json", 1_000, timing(99.0, 100.0, 101.0))).collect());
    for row in &mut found.rows {
        row.compressed[0].compress = Some(timing(50.0, 100.0, 101.0));
    }
    found.advise();
    // One of four, not three of six.
    assert!(found.advice[0].text.starts_with("1 of 4 times"), "{}", found.advice[0].text);
}
