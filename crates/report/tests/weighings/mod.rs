//! Weighings made by hand, for the tests of reports.

use bantam_weigh::{
    Allocations, Compressed, CompressedEach, DictionaryCost, Each, Environment, Fidelity, FieldCost, Input, Lane,
    Memory, MessageSizes, MessageTime, MessageTimes, Note, Row, SCHEMA_VERSION, Timing, Weighing,
};

/// A time of the batch, ± so many percent.
fn time(nanos: u64, spread: f64) -> Timing {
    let median_ns = nanos as f64;
    Timing {
        median_ns,
        low_ns: (median_ns * (1.0 - spread / 100.0)).round(),
        high_ns: (median_ns * (1.0 + spread / 100.0)).round(),
        rounds: 41,
        coverage: 0.956,
        iterations_per_round: 1,
        below_precision: false,
    }
}

/// Format, bytes, those under zlib, zstd and lz4, encode and decode in microseconds.
fn row(format: &str, bytes: u64, small: [u64; 3], encode: u64, decode: u64) -> Row {
    let compressors =
        [("none", None, bytes), ("zlib", Some(6), small[0]), ("zstd", Some(3), small[1]), ("lz4", None, small[2])];
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
        source: false,
        fidelity: Fidelity::Exact,
        profile: vec![],
        reason: None,
        bytes: Some(bytes),
        encode: Some(time(encode * 1_000, 1.2)),
        decode: Some(time(decode * 1_000, 0.8)),
        round_trip: Some(time((encode + decode) * 1_010, 1.0)),
        compressed: compressors
            .into_iter()
            .map(|(compressor, level, size)| Compressed {
                compressor: compressor.into(),
                level,
                bytes: size,
                compress: Some(time(bytes * if level == Some(6) { 40 } else { 2 } / 10, 2.0)),
                decompress: Some(time(bytes * if level == Some(6) { 8 } else { 1 } / 10, 2.0)),
            })
            .collect(),
    }
}

fn weighing(name: &str, bytes: Option<u64>, records: u64, rows: Vec<Row>) -> Weighing {
    Weighing {
        schema_version: SCHEMA_VERSION,
        environment: Environment {
            bantam: "0.1.0".into(),
            rustc: Some("rustc 1.95.0".into()),
            target: Some("x86_64-unknown-linux-gnu".into()),
            profile: Some("release".into()),
            os: Some("Linux".into()),
            cpu: Some("Example 9000".into()),
            cores: Some(2),
            allocator: Some("system".into()),
            clock_precision_ns: Some(28.0),
            date: None,
            busy_cores: None,
        },
        input: Input {
            name: name.into(),
            format: rows.iter().find(|row| row.source).map(|row| row.format.clone()),
            bytes,
            records,
            message: Some("dns.Record".into()),
            ..Default::default()
        },
        includes: vec!["Encoding goes to a reused buffer; decoding to a reused batch, strings borrowed.".into()],
        rows,
        notes: vec![],
        advice: vec![],
        links: vec![],
        front: vec![],
        crossovers: vec![],
    }
}

/// The main job: DNS records in every format.
pub(crate) fn dns() -> Weighing {
    let source = Row { source: true, ..row("json-spaced", 680_680, [124_919, 104_310, 231_118], 701, 812) };
    let yaml = Row {
        fidelity: Fidelity::Profile,
        profile: vec!["u64 above 2^63 as text".into()],
        ..row("yaml", 640_680, [122_480, 103_900, 220_004], 9_120, 31_650)
    };
    let flow =
        Row { profile: yaml.profile.clone(), ..row("yaml-flow", 610_680, [121_065, 102_222, 219_870], 9_140, 32_118) };
    let flow = Row { fidelity: Fidelity::Profile, ..flow };
    let lossy = Row {
        fidelity: Fidelity::Lossy,
        reason: Some("record 3, dport: 80 came back as absent".into()),
        ..row("csv", 320_411, [101_000, 99_000, 170_000], 410, 402)
    };
    let unsupported = Row {
        fidelity: Fidelity::Unsupported,
        reason: Some("field `answers` is repeated; a table has one value a field".into()),
        bytes: None,
        encode: None,
        decode: None,
        round_trip: None,
        compressed: vec![],
        ..row("xml-table", 0, [0; 3], 0, 0)
    };
    let rows = vec![
        source,
        row("json", 600_680, [122_663, 101_870, 219_555], 640, 745),
        yaml,
        flow,
        row("thrift-binary", 370_009, [111_326, 96_040, 201_442], 131, 133),
        row("protobuf", 171_650, [98_571, 92_113, 150_800], 120, 142),
        row("thrift-compact", 205_880, [99_320, 92_900, 158_123], 150, 171),
        row("xml", 1_120_412, [139_002, 110_408, 288_410], 2_210, 3_415),
        lossy,
        unsupported,
    ];
    weighing("dns", Some(680_680), 10_000, rows)
}

/// Two codecs of one format, two framings, two lanes, in a debug build.
fn lanes() -> Weighing {
    let mut rows = vec![
        Row { source: true, ..row("json", 5_000, [900, 800, 1_500], 60, 70) },
        Row { codec: "serde_json".into(), ..row("json", 5_000, [900, 800, 1_500], 61, 120) },
        Row { framing: "stream".into(), ..row("protobuf", 1_400, [700, 690, 1_100], 20, 24) },
        Row { codec: "prost".into(), lane: Lane::Native, ..row("protobuf", 1_400, [700, 690, 1_100], 18, 40) },
        Row { codec: "serde_json".into(), lane: Lane::Native, ..row("json", 5_000, [900, 800, 1_500], 50, 77) },
    ];
    for row in &mut rows {
        row.compressed.truncate(2);
    }
    let mut weighing = weighing("events.json", Some(5_100), 12, rows);
    weighing.environment.profile = Some("debug".into());
    weighing
}

/// One record, times below the clock's precision, single rounds, and a hostile name.
fn tiny() -> Weighing {
    let mut json = Row { source: true, ..row("json", 31, [36, 40, 44], 1, 1) };
    json.compressed.clear();
    let mut protobuf = row("protobuf", 9, [17, 18, 24], 1, 1);
    protobuf.compressed.clear();
    for timing in [&mut json.encode, &mut protobuf.encode, &mut protobuf.decode].into_iter().flatten() {
        (timing.median_ns, timing.low_ns, timing.high_ns) = (0.4, 0.0, 1.2);
        timing.below_precision = true;
    }
    json.decode = Some(Timing { rounds: 1, coverage: 0.0, ..time(52, 0.0) });
    (json.round_trip, protobuf.round_trip) = (None, None);
    weighing("a|b\u{1b}[31m*.json", Some(31), 1, vec![json, protobuf])
}

/// Sizes and times far beyond the usual.
fn huge() -> Weighing {
    let big = 40_000_000_000_000;
    weighing(
        "archive",
        Some(big),
        2,
        vec![
            Row { source: true, ..row("xml", big, [big / 20, big / 24, big / 9], big / 900, big / 100) },
            row("protobuf", big / 35, [big / 70, big / 72, big / 60], big / 9_000, big / 8_000),
        ],
    )
}

/// Fields, memory, notes and links: all that a weigh-in may have besides sizes and times.
fn full() -> Weighing {
    let field = |path: &str, count: u64, bytes: [u64; 3], compressed_bytes: Option<i64>| FieldCost {
        path: path.into(),
        count,
        tag_bytes: bytes[0],
        length_bytes: bytes[1],
        value_bytes: bytes[2],
        compressed_bytes,
    };
    let mut protobuf = row("protobuf", 1_400, [700, 690, 1_100], 20, 24);
    protobuf.fields = vec![
        field("phases[].time.secs", 40, [40, 0, 600], Some(310)),
        field("phases[].<name>&\"", 40, [40, 40, 420], Some(-2)),
        field("", 0, [0, 200, 0], None),
        field("id", 4, [4, 0, 56], None),
    ];
    let counted = |count: u64| Some(Allocations { count, bytes: count * 64, peak_bytes: 64 });
    protobuf.memory =
        Some(Memory { first_encode: counted(4), encode: counted(0), first_decode: counted(30), decode: counted(3) });
    protobuf.framing = "a\"b' <i>".into();
    let source =
        Row { source: true, encode: None, round_trip: None, ..row("xml", 90_000, [9_000, 8_000, 15_000], 0, 900) };
    let json = row("json", 5_000, [900, 800, 1_500], 60, 70);
    let floor = Row { floor: true, adapter: true, ..row("empty", 0, [8, 9, 15], 1, 1) };
    let mut weighing =
        weighing("<script>alert(1)</script> & \"'.xml", Some(90_000), 4, vec![source, json, protobuf, floor]);
    weighing.notes = vec![
        Note { text: "2 picks without a phase, left out".into(), count: Some(2), ..Default::default() },
        Note {
            warning: true,
            text: "magnitude <assumed> & kept".into(),
            line: Some(7),
            column: Some(3),
            ..Default::default()
        },
    ];
    let speeds = ["2Mbit/s", "100Mbit/s", "40Gbit/s"].map(|speed| speed.parse().unwrap());
    weighing.weigh_links(&speeds);
    weighing.environment.busy_cores = Some(1.26);
    for row in &mut weighing.rows[1..2] {
        row.decode = row.decode.map(|decode| Timing { rounds: 1, coverage: 0.0, ..decode });
    }
    weighing.advise();
    weighing
}

/// Sizes of so many messages about a median, with a tail.
fn message_sizes(messages: u64, median: u64, tail: u64) -> MessageSizes {
    MessageSizes {
        messages,
        total: messages * median,
        min: median.saturating_sub(3),
        median,
        p99: median + tail,
        max: median + 3 * tail,
    }
}

fn message_times(messages: u64, nanos: f64) -> MessageTimes {
    let time = |ns: f64| MessageTime { ns, low_ns: ns * 0.98, high_ns: ns * 1.03 };
    let (median, p99) = (time(nanos), time(nanos * 1.5));
    MessageTimes { messages, rounds: 5, median, p99, below_precision: nanos < 1.0 }
}

/// A row's messages: their size, that under zlib, zstd, and zstd with a dictionary of so many bytes.
fn each(size: u64, small: [u64; 3], dictionary: u64, encode: f64) -> Each {
    let test = message_sizes(1_000, size, 4);
    let under = |compressor: &str, level, bytes, dictionary| CompressedEach {
        compressor: compressor.into(),
        level,
        dictionary,
        bytes: message_sizes(1_000, bytes, 6),
        compress: Some(message_times(1_000, bytes as f64 * 90.0)),
        decompress: Some(message_times(1_000, bytes as f64 * 11.0)),
    };
    let [zlib, zstd, with] = small;
    let sizes = |bytes: u64| message_sizes(1_000, bytes, 6);
    let cost = DictionaryCost::of(dictionary, &sizes(with), Some(&sizes(zstd)), &test);
    Each {
        bytes: message_sizes(5_000, size, 4),
        encode: Some(message_times(1_000, encode)),
        decode: Some(message_times(1_000, encode * 1.3)),
        training_messages: 2_500,
        training_bytes: 2_500 * size,
        test,
        compressed: vec![
            under("none", None, size, None),
            under("zlib", Some(6), zlib, None),
            under("zstd", Some(3), zstd, None),
            under("zstd", Some(3), with, Some(cost)),
        ],
        no_dictionary: None,
    }
}

/// Messages each by itself: a format that is small, one that a dictionary makes small, codecs that write the same, one without a
/// dictionary, and one that was not weighed so.
fn messages() -> Weighing {
    let with = |format: &str, codec: &str, bytes, each| {
        let row = row(format, bytes, [bytes / 2, bytes / 2, bytes / 2], 200, 300);
        Row { codec: codec.into(), framing: "each".into(), each: Some(each), ..row }
    };
    let source = Row { source: true, ..with("json", "bantam", 650_000, each(130, [125, 137, 79], 3_265, 84.0)) };
    let mut few = each(400, [380, 390, 0], 0, 0.4);
    few.compressed.pop();
    few.no_dictionary = Some("6 messages to train on are too few: a dictionary takes at least 7".into());
    weighing(
        "hosts <&>",
        Some(650_000),
        5_000,
        vec![
            source,
            with("json", "serde_json", 650_000, each(130, [125, 137, 79], 3_265, 213.0)),
            with("protobuf", "bantam", 405_000, each(81, [89, 90, 83], 2_023, 49.0)),
            with("thrift-binary", "bantam", 555_000, each(111, [112, 120, 78], 2_773, 48.0)),
            with("seven", "bantam", 2_000_000, few),
            Row {
                fidelity: Fidelity::Lossy,
                reason: Some("record 1: <a>".into()),
                ..row("csv", 400_000, [9, 9, 9], 1, 1)
            },
        ],
    )
}

/// Nothing but what stands in the way.
fn unsupported() -> Weighing {
    let row = Row {
        fidelity: Fidelity::Unsupported,
        reason: Some("field `answers` is repeated".into()),
        bytes: None,
        encode: None,
        decode: None,
        round_trip: None,
        compressed: vec![],
        ..row("csv", 0, [0; 3], 0, 0)
    };
    weighing("nested", None, 3, vec![row])
}

/// The weighings, each with a name.
pub(crate) fn cases() -> Vec<(&'static str, Weighing)> {
    let none = weighing("empty", None, 0, vec![]);
    let mut untimed = weighing("one", Some(9), 1, vec![Row { source: true, ..row("json", 9, [9, 9, 9], 1, 1) }]);
    for row in &mut untimed.rows {
        (row.encode, row.decode, row.round_trip) = (None, None, None);
        row.compressed.clear();
    }
    vec![
        ("dns", dns()),
        ("lanes", lanes()),
        ("tiny", tiny()),
        ("huge", huge()),
        ("none", none),
        ("untimed", untimed),
        ("unsupported", unsupported()),
        ("full", full()),
        ("messages", messages()),
    ]
}
