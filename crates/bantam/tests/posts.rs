//! The sizes that two posts about Thrift, Protocol Buffers, JSON and YAML gave for DNS records, worked out
//! from the records by formula and held against what the formats write.

use bantam::compress::Choice;
use bantam::formats::{Framing, find};
use bantam::model::{Batch, Row, Value};
use bantam::sample::Rng;
use bantam::{Schemas, Target};

/// A list's own bytes in Thrift's binary protocol: the header of field 1 (type 1, id 2), that of the list (type of
/// the items 1, count 4), and the stop of the struct (1).
const THRIFT_LIST: usize = 3 + 5 + 1;

fn schemas(sample: &str) -> Schemas {
    let mut schemas = Schemas::none();
    schemas.add(&format!("sample:{sample}"), &[]).unwrap();
    schemas
}

fn generate(sample: &str, seed: u64) -> Batch<'static> {
    let sample = bantam::sample::find(sample).unwrap();
    sample.generate(seed, sample.records, &schemas(sample.name).layout().unwrap()).unwrap()
}

/// The records as a list, each format by its own schema file.
fn written(sample: &str, batch: &Batch<'_>, format: &str) -> Vec<u8> {
    let target = Target { format: find(format).unwrap(), framing: Some(Framing::List) };
    target.write(batch, &schemas(sample)).unwrap().documents.remove(0)
}

fn number(row: Row<'_>, field: &str) -> u64 {
    match row.field(field) {
        Some(Value::Int(v)) => v.try_into().unwrap(),
        Some(Value::Uint(v)) => v,
        other => panic!("{field}: {other:?}"),
    }
}

fn text<'b>(row: Row<'b>, field: &str) -> &'b str {
    match row.field(field) {
        Some(Value::String(text)) => text,
        other => panic!("{field}: {other:?}"),
    }
}

/// Bytes of a number as text.
fn digits(number: u64) -> usize {
    number.to_string().len()
}

/// Bytes of a number as a varint, 7 bits each.
fn varint(number: u64) -> usize {
    (64 - (number | 1).leading_zeros() as usize).div_ceil(7)
}

fn sum(batch: &Batch<'_>, of: impl Fn(Row<'_>) -> usize) -> usize {
    batch.rows().map(of).sum()
}

const SEEDS: [u64; 4] = [1, 2, 42, 20_150_517];

#[test]
fn dns_in_thrift() {
    for seed in SEEDS {
        let batch = generate("dns", seed);
        // A field's header is its type (1) and id (2); two i64, two i32, the stop of the struct.
        let record = (3 + 8) + (3 + 8) + (3 + 4) + (3 + 4) + 1;
        let expected = THRIFT_LIST + batch.len() * record;
        assert_eq!(written("dns", &batch, "thrift-binary").len(), expected);
        assert_eq!(expected, 370_009);
    }
}

#[test]
fn dns_in_protobuf() {
    for seed in SEEDS {
        let batch = generate("dns", seed);
        let expected = sum(&batch, |row| {
            // Tag and length in the list; two tags with fixed32; two tags with varints, of which the source
            // port's has 2 bytes and the destination port's has 1 below 128.
            let ports = 1 + varint(number(row, "sport")) + 1 + varint(number(row, "dport"));
            2 + (1 + 4) + (1 + 4) + ports
        });
        assert_eq!(written("dns", &batch, "protobuf").len(), expected);
        assert!((171_100..=172_200).contains(&expected), "seed {seed}: {expected}");
    }
}

fn dns_digits(row: Row<'_>) -> usize {
    ["sip", "dip", "sport", "dport"].map(|field| digits(number(row, field))).iter().sum()
}

#[test]
fn dns_in_json_and_yaml() {
    for seed in SEEDS {
        let batch = generate("dns", seed);
        // The texts around the numbers, and the comma and space behind a record; the brackets of the list are as long
        // as the comma and space that the last record has not.
        let around = r#"{"sip": , "dip": , "sport": , "dport": }, "#.len();
        let json = sum(&batch, |row| around + dns_digits(row));
        assert_eq!(written("dns", &batch, "json-spaced").len(), json);
        assert!((680_000..=681_300).contains(&json), "seed {seed}: {json}");
        // Each record on a line of its own, without eight quotes. JSON's comma and space became dash, space and line
        // feed, one byte more: 7 bytes less a record, and no end terms.
        let around = "- {sip: , dip: , sport: , dport: }\n".len();
        let yaml = sum(&batch, |row| around + dns_digits(row));
        assert_eq!(written("dns", &batch, "yaml-flow").len(), yaml);
        assert_eq!(yaml, json - 70_000);
    }
}

#[test]
fn dns_under_zlib() {
    let zlib: Choice = "zlib:6".parse().unwrap();
    for seed in SEEDS {
        let batch = generate("dns", seed);
        for (format, post) in
            [("thrift-binary", 111_326), ("protobuf", 98_571), ("json-spaced", 124_919), ("yaml-flow", 121_065)]
        {
            let mut out = Vec::new();
            zlib.compress(&written("dns", &batch, format), &mut out).unwrap();
            let off = (out.len() as f64 / f64::from(post) - 1.0) * 100.0;
            assert!(off.abs() <= 2.0, "seed {seed}: {format} has {} bytes, the post {post}: {off:+.2} %", out.len());
        }
    }
}

/// The counts of the post's records: 2,576 of 5,000 are CNAME; the times to live.
const CNAMES: usize = 2_576;
const TTLS: [(u64, usize); 3] = [(86_400, 1_672), (3_600, 1_660), (60, 1_668)];

/// Records with the post's counts, in an order that a seed shuffles.
fn dns_text(seed: u64) -> Batch<'static> {
    let mut batch = generate("dns-text", seed);
    let mut types: Vec<&[u8]> = vec![b"CNAME"; CNAMES];
    types.resize(batch.len(), b"A");
    let mut ttls: Vec<u64> = TTLS.iter().flat_map(|&(ttl, count)| vec![ttl; count]).collect();
    let mut rng = Rng::new(seed);
    shuffle(&mut types, &mut rng);
    shuffle(&mut ttls, &mut rng);
    let layout = batch.layout().clone();
    let slot = |name: &str| layout.root().by_name(name.as_bytes()).unwrap().clone();
    let (type_slot, ttl_slot) = (slot("type"), slot("ttl"));
    for (at, (name, ttl)) in types.into_iter().zip(ttls).enumerate() {
        let row = batch.get(at).unwrap().offset();
        let name = batch.store(name).unwrap().word();
        batch.set(row, &type_slot, name);
        batch.set(row, &ttl_slot, ttl);
    }
    let cnames = batch.rows().filter(|&row| text(row, "type") == "CNAME").count();
    assert_eq!((batch.len(), cnames), (5_000, CNAMES));
    for (ttl, count) in TTLS {
        assert_eq!(batch.rows().filter(|&row| number(row, "ttl") == ttl).count(), count);
    }
    batch
}

fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, rng.between(0, last as u64) as usize);
    }
}

const TEXTS: [&str; 5] = ["key", "value", "type", "first", "last"];

#[test]
fn dns_text_in_thrift() {
    let batch = dns_text(1);
    let expected = THRIFT_LIST
        + sum(&batch, |row| {
            // Header (3) and length (4) of each text, header and i32 of the time to live, the stop.
            let texts: usize = TEXTS.iter().map(|field| 3 + 4 + text(row, field).len()).sum();
            texts + (3 + 4) + 1
        });
    assert_eq!(written("dns-text", &batch, "thrift-binary").len(), expected);
    assert_eq!(expected, 555_313);
}

#[test]
fn dns_text_in_protobuf() {
    // Type and time to live are written though they may equal their defaults, as they are set.
    let batch = dns_text(1);
    let expected = sum(&batch, |row| {
        let texts: usize = TEXTS.iter().map(|field| 1 + 1 + text(row, field).len()).sum();
        let record = texts + 1 + varint(number(row, "ttl"));
        1 + varint(record as u64) + record
    });
    assert_eq!(written("dns-text", &batch, "protobuf").len(), expected);
    assert_eq!(expected, 415_308);
}

fn dns_text_values(row: Row<'_>) -> usize {
    TEXTS.iter().map(|field| text(row, field).len()).sum::<usize>() + digits(number(row, "ttl"))
}

#[test]
fn dns_text_in_json_and_yaml() {
    let batch = dns_text(1);
    // As with dns, the brackets make up for the comma and space that the last record has not.
    let around = r#"{"key": "", "value": "", "first": "", "last": "", "type": "", "ttl": }, "#.len();
    let json = sum(&batch, |row| around + dns_text_values(row));
    assert_eq!(written("dns-text", &batch, "json-spaced").len(), json);
    assert_eq!(json, 718_640);
    // No text is quoted, as none of 15 different letters and digits reads as a number. The post's 623,640 bytes have 2
    // more a record: its library folds lines at 80 columns, and a fold is a line feed and two spaces in the place
    // of one space.
    let around = "- {key: , value: , first: , last: , type: , ttl: }\n".len();
    let yaml = sum(&batch, |row| around + dns_text_values(row));
    assert_eq!(written("dns-text", &batch, "yaml-flow").len(), yaml);
    assert_eq!(yaml, 613_640);
}
