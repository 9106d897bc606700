//! Which way is best over which link, on figures that can be worked out by hand.

use bantam_weigh::links::{best_at, crossovers, front, tied_at, ways, ways_to_read};
use bantam_weigh::{Compressed, Environment, Fidelity, Input, Lane, Row, SCHEMA_VERSION, Speed, Timing, Weighing};

const LANE: Lane = Lane::Runtime;

fn exactly(nanos: f64) -> Timing {
    Timing {
        median_ns: nanos,
        low_ns: nanos,
        high_ns: nanos,
        rounds: 21,
        coverage: 0.96,
        iterations_per_round: 1,
        below_precision: false,
    }
}

/// A row that takes half of `nanos` to encode and half to decode.
fn row(format: &str, bytes: u64, nanos: f64) -> Row {
    Row {
        format: format.into(),
        codec: "bantam".into(),
        adapter: false,
        floor: false,
        allocator: None,
        memory: None,
        fields: vec![],
        each: None,
        lane: LANE,
        framing: "list".into(),
        source: false,
        fidelity: Fidelity::Exact,
        profile: vec![],
        reason: None,
        bytes: Some(bytes),
        encode: Some(exactly(nanos / 2.0)),
        decode: Some(exactly(nanos / 2.0)),
        round_trip: None,
        compressed: vec![],
    }
}

fn packed(row: Row, bytes: u64, nanos: f64) -> Row {
    let half = Some(exactly(nanos / 2.0));
    let compressed = Compressed { compressor: "zstd".into(), level: Some(3), bytes, compress: half, decompress: half };
    Row { compressed: vec![compressed], ..row }
}

fn weighing(rows: Vec<Row>) -> Weighing {
    Weighing {
        schema_version: SCHEMA_VERSION,
        environment: Environment::default(),
        input: Input { records: 1, ..Default::default() },
        includes: vec![],
        rows,
        notes: vec![],
        advice: vec![],
        links: vec![],
        front: vec![],
        crossovers: vec![],
    }
}

/// Ways of (bytes, work): a (1000, 100), a+zstd (400, 700), b (900, 650), c (200, 5000), d (1000, 120).
fn example() -> Weighing {
    weighing(vec![
        packed(row("a", 1_000, 100.0), 400, 600.0),
        row("b", 900, 650.0),
        row("c", 200, 5_000.0),
        row("d", 1_000, 120.0),
    ])
}

fn speed(bits_per_second: u64) -> Speed {
    Speed::new(bits_per_second).unwrap()
}

/// The speed of a link on which a byte takes so many nanoseconds.
fn per_byte(nanos: f64) -> Speed {
    speed((8e9 / nanos).round() as u64)
}

#[test]
fn the_front_is_what_no_way_beats_in_both() {
    let weighing = example();
    let front: Vec<_> = front(&weighing, LANE).iter().map(|way| (way.bytes, way.nanos)).collect();
    assert_eq!(front, [(200, 5_000.0), (400, 700.0), (900, 650.0), (1_000, 100.0)]);
    assert_eq!(ways(&weighing, LANE).len(), 5);
    assert!(ways(&weighing, Lane::Native).is_empty());
}

#[test]
fn of_equal_ways_the_first_is_on_the_front() {
    let weighing = weighing(vec![row("a", 10, 10.0), row("b", 10, 10.0), row("c", 10, 9.0), row("d", 11, 9.0)]);
    assert_eq!(front(&weighing, LANE).iter().map(|way| way.row).collect::<Vec<_>>(), [2]);
}

#[test]
fn the_best_way_depends_on_the_link() {
    let weighing = example();
    let best = |nanos: f64| {
        let way = best_at(&weighing, LANE, per_byte(nanos)).unwrap();
        (way.row, way.compressor, way.total_nanos(per_byte(nanos)))
    };
    assert_eq!(best(0.5), (0, None, 600.0));
    assert_eq!(best(2.0), (0, Some(("zstd", Some(3))), 1_500.0));
    assert_eq!(best(100.0), (2, None, 25_000.0));
}

#[test]
fn crossovers_are_the_corners_of_the_lower_envelope() {
    let weighing = example();
    // From a to a+zstd at 600 ns for 600 bytes, from there to c at 4300 ns for 200 bytes; b is on the front, but never best.
    let found: Vec<_> =
        crossovers(&weighing, LANE).iter().map(|c| (c.bits_per_second, c.below.bytes, c.above.bytes)).collect();
    assert_eq!(found, [(8e9 / 21.5, 200, 400), (8e9, 400, 1_000)]);
    for (at, below, above) in found {
        assert_eq!(best_at(&weighing, LANE, speed((at * 0.99) as u64)).unwrap().bytes, below);
        assert_eq!(best_at(&weighing, LANE, speed((at * 1.01) as u64)).unwrap().bytes, above);
    }
}

#[test]
fn a_row_that_was_never_written_can_only_be_read() {
    let source = Row { encode: None, source: true, ..packed(row("xml", 500, 80.0), 100, 20.0) };
    let lossy = Row { fidelity: Fidelity::Lossy, ..row("csv", 1, 1.0) };
    let weighing = weighing(vec![source, lossy]);
    assert!(front(&weighing, LANE).is_empty() && crossovers(&weighing, LANE).is_empty());
    assert_eq!(best_at(&weighing, LANE, Speed::USUAL[0]), None);
    let read: Vec<_> = ways_to_read(&weighing, LANE).iter().map(|way| (way.bytes, way.nanos)).collect();
    assert_eq!(read, [(500, 40.0), (100, 50.0)]);
}

#[test]
fn ways_whose_intervals_overlap_are_tied() {
    let blurred = Timing { low_ns: 40.0, high_ns: 60.0, ..exactly(50.0) };
    let close = Row { encode: Some(blurred), ..row("b", 1_001, 100.0) };
    let weighing = weighing(vec![row("a", 1_000, 100.0), close, row("c", 900, 300.0)]);
    let fast = per_byte(0.1);
    let best = best_at(&weighing, LANE, fast).unwrap();
    assert_eq!(best.row, 0);
    assert_eq!(tied_at(&weighing, &best, fast).iter().map(|way| way.row).collect::<Vec<_>>(), [1]);
    // What a byte more costs over a slow link is beyond the interval.
    assert_eq!(tied_at(&weighing, &best, per_byte(50.0)), []);
}

#[test]
fn the_document_names_the_ways() {
    let mut weighing = example();
    weighing.weigh_links(&[per_byte(0.5), per_byte(2.0)]);
    let document = serde_json::to_value(&weighing).unwrap();
    assert_eq!(
        document["links"][1],
        serde_json::json!({
            "bits_per_second": 4_000_000_000_u64,
            "best": {
                "lane": "runtime", "format": "a", "codec": "bantam", "framing": "list",
                "compressor": "zstd", "level": 3, "bytes": 400, "work_ns": 700.0, "total_ns": 1_500.0,
            },
        })
    );
    assert_eq!((weighing.front.len(), weighing.crossovers.len()), (4, 2));
    assert_eq!(weighing.crossovers[1].above.compressor, None);
    assert_eq!(serde_json::from_value::<Weighing>(document).unwrap(), weighing);
}

#[test]
fn without_times_nothing_is_best() {
    let mut weighing = weighing(vec![Row { encode: None, decode: None, ..row("a", 5, 0.0) }]);
    weighing.weigh_links(&[Speed::USUAL[0]]);
    assert_eq!(weighing.links.len(), 1);
    assert_eq!(weighing.links[0].best, None);
    assert!(weighing.front.is_empty() && weighing.crossovers.is_empty());
}
