//! Comparing two weighings, and budgets, on figures made by hand.

use bantam_weigh::budget::{Bound, Outcome};
use bantam_weigh::{
    Allocations, Compressed, Doubt, Environment, Fidelity, Input, Lane, Memory, Row, SCHEMA_VERSION, Timing, Unit,
    Verdict, Weighing,
};

fn timing(nanos: [u64; 3]) -> Option<Timing> {
    Timing::of_sorted(&nanos.map(|n| n * 1_000))
}

fn row(format: &str, codec: &str, bytes: u64, decode: [u64; 3]) -> Row {
    let zlib =
        Compressed { compressor: "zlib".into(), level: Some(6), bytes: bytes / 2, compress: None, decompress: None };
    Row {
        format: format.into(),
        codec: codec.into(),
        adapter: false,
        floor: false,
        allocator: None,
        lane: Lane::Runtime,
        framing: "list".into(),
        source: false,
        fidelity: Fidelity::Exact,
        profile: vec![],
        reason: None,
        bytes: Some(bytes),
        encode: None,
        decode: timing(decode),
        round_trip: None,
        compressed: vec![zlib],
        memory: None,
        fields: vec![],
        each: None,
    }
}

fn weighing(rows: Vec<Row>) -> Weighing {
    Weighing {
        schema_version: SCHEMA_VERSION,
        environment: Environment { cpu: Some("A".into()), ..Environment::default() },
        input: Input { records: 10, hash: Some("x:1".into()), ..Input::default() },
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
fn sizes_are_compared_exactly_and_times_by_interval() {
    let before = weighing(vec![row("a", "own", 100, [90, 100, 110]), row("gone", "own", 1, [1, 1, 1])]);
    let after = weighing(vec![row("new", "own", 1, [1, 1, 1]), row("a", "own", 101, [105, 115, 125])]);
    let found = after.against(&before);
    assert_eq!((found.new, found.gone, found.rows.len(), found.doubts), (vec![0], vec![1], 1, vec![]));
    let verdicts: Vec<_> = found.rows[0].changes.iter().map(|c| (c.figure.as_str(), c.verdict)).collect();
    assert_eq!(verdicts, [("bytes", Verdict::Worse), ("zlib:6", Verdict::Same), ("decode", Verdict::Same)]);
    for (decode, verdict) in [
        ([111, 112, 113], Verdict::Worse),
        ([80, 85, 89], Verdict::Better),
        // Beyond the interval, but no more than another run of the same program may be.
        ([1_041, 1_041, 1_041], Verdict::Same),
        ([1_051, 1_051, 1_051], Verdict::Worse),
    ] {
        let before = if decode[0] > 1_000 {
            weighing(vec![row("a", "own", 100, [1_000, 1_000, 1_000])])
        } else {
            before.clone()
        };
        let after = weighing(vec![row("a", "own", 100, decode)]);
        assert_eq!(after.against(&before).rows[0].changes[2].verdict, verdict);
    }
}

#[test]
fn allocations_are_compared_exactly() {
    let counted = |count, peak_bytes| Some(Allocations { count, bytes: 0, peak_bytes });
    let with = |count, peak| {
        let mut found = weighing(vec![row("a", "own", 1, [1, 1, 1])]);
        let memory = Memory { decode: counted(count, 0), first_decode: counted(9, peak), ..Memory::default() };
        found.rows[0].memory = Some(memory);
        found
    };
    let changes = with(3, 70).against(&with(4, 69)).rows.remove(0).changes;
    let found: Vec<_> = changes[2..4].iter().map(|c| (c.figure.as_str(), c.unit, c.verdict)).collect();
    let expected =
        [("decode allocations", Unit::Allocations, Verdict::Better), ("decode memory", Unit::Bytes, Verdict::Worse)];
    assert_eq!(found, expected);
}

#[test]
fn what_cannot_be_compared_is_said() {
    let before = weighing(vec![]);
    let mut after = before.clone();
    assert!(after.against(&before).times_hold());
    after.environment.cpu = Some("B".into());
    let found = after.against(&before);
    assert!(found.sizes_hold() && !found.times_hold());
    let other = Doubt::OtherEnvironment { what: "cpu", before: "A".into(), after: "B".into() };
    assert_eq!(found.doubts, [other]);
    after.input.hash = Some("x:2".into());
    assert!(!after.against(&before).sizes_hold());
}

fn outcome(budget: &str) -> Outcome {
    let mut before = weighing(vec![row("protobuf", "bantam", 100, [90, 100, 110])]);
    let mut after =
        weighing(vec![row("protobuf", "bantam", 120, [105, 115, 125]), row("protobuf", "slow", 130, [500, 500, 500])]);
    let counted = |count, peak_bytes| Some(Allocations { count, bytes: 5_000, peak_bytes });
    let memory = |peak| Memory {
        first_encode: counted(9, 1_000),
        encode: counted(0, 0),
        first_decode: counted(70, peak),
        decode: counted(7, 0),
    };
    before.rows[0].memory = Some(memory(2_000));
    after.rows[0].memory = Some(memory(2_001));
    Bound::parse_all(budget).expect(budget)[0].check(&after, Some(&before))
}

#[test]
fn bounds_are_kept_or_broken() {
    for (budget, kept) in [
        ("protobuf<=120B", true),
        ("protobuf <= 119", false),
        ("size protobuf<=0.12KB", true),
        ("protobuf<=1.1x", false),
        ("protobuf<=1.2x", true),
        ("protobuf+zlib<=60", true),
        ("protobuf+zlib:6<=59B", false),
        ("protobuf/slow<=0.1KiB", false),
        // Beyond the bound, but not beyond doubt: its interval begins at 105, and the earlier one ended at 110.
        ("decode protobuf<=0.96x", true),
        ("decode protobuf<=0.95x", false),
        ("decode protobuf<=110ns", true),
        ("decode-allocations protobuf<=7", true),
        ("decode-allocations protobuf<=6", false),
        ("encode-allocations protobuf<=0", true),
        ("decode-memory protobuf<=1.0x", false),
        ("encode-memory protobuf<=1KB", true),
        ("decode protobuf<=0.11us", true),
        ("decode protobuf/slow<=499ns", false),
    ] {
        let found = outcome(budget);
        let right = if kept { matches!(found, Outcome::Kept { .. }) } else { matches!(found, Outcome::Broken { .. }) };
        assert!(right, "{budget}: {found:?}");
    }
    for budget in ["json<=1B", "protobuf+lz4<=1B", "encode protobuf<=1s", "decode-memory protobuf/slow<=1B"] {
        assert!(matches!(outcome(budget), Outcome::Unknown(_)), "{budget}");
    }
    let relative = &Bound::parse_all("protobuf<=2x").unwrap()[0];
    assert!(
        relative.is_relative()
            && matches!(relative.check(&weighing(vec![row("protobuf", "b", 1, [1; 3])]), None), Outcome::Unknown(_))
    );
}

#[test]
fn budgets_that_say_nothing_are_refused() {
    for budget in [
        "",
        ",",
        "protobuf",
        "protobuf<=",
        "protobuf<=fast",
        "<=1B",
        "decode protobuf<=1KB",
        "protobuf<=1ms",
        "read protobuf<=1s",
        "protobuf+zlib:x<=1B",
        "decode protobuf+zlib<=1ms",
        "protobuf<=1parsec",
        "decode-allocations protobuf<=1KB",
        "decode-memory protobuf<=1ms",
    ] {
        let error = Bound::parse_all(budget).expect_err(budget).to_string();
        assert!(!error.is_empty());
    }
    assert_eq!(Bound::parse_all("a<=1B, decode b<=2x,").unwrap().len(), 2);
}
