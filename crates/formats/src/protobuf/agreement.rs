//! The fast reader and writer against the plain ones, on random schemas, records, and bytes that are neither.

use super::{Protobuf, reference};
use crate::codec::{Codec, Framing};
use bantam_model::{Batch, Field, Int, Kind, Layout, Limits, Lowerings, MessageId, Schema, Shape, compare};
use bantam_sample::Rng;
use bantam_sample::random::Options;
use std::sync::Arc;

const CASES: u64 = 300;

fn limits() -> Limits {
    Limits::default().depth(12).batch_bytes(16 << 20)
}

/// The schema as an older or newer program might have it: fields gone, of other kinds, packed or not.
fn evolved(schema: &Schema, rng: &mut Rng) -> Schema {
    let mut other = schema.clone();
    for message in other.messages.iter_mut().filter(|m| m.shape == Shape::Record) {
        message.fields.retain(|_| !rng.one_in(5));
        message.fields.iter_mut().for_each(|field| change(field, rng));
    }
    for of in &mut other.enums {
        of.values.truncate(1 + rng.below(6) as usize);
        of.open = rng.one_in(2);
    }
    other
}

fn change(field: &mut Field, rng: &mut Rng) {
    let whole = [Int::I32, Int::I64, Int::U32, Int::U64].map(Kind::Int);
    match (rng.below(12), field.kind) {
        (0, Kind::Int(_)) => field.kind = *rng.pick(&whole),
        (1, kind) if !matches!(kind, Kind::Message(_) | Kind::String | Kind::Bytes) => field.packed = !field.packed,
        (2, Kind::Message(_)) if !field.cardinality.is_many() => field.group = !field.group,
        (3, Kind::String) => field.kind = Kind::Bytes,
        (4, Kind::Bytes) => field.kind = Kind::String,
        (5, Kind::Int(_)) => field.kind = Kind::Bool,
        _ => {}
    }
}

fn layout(schema: &Arc<Schema>, keeps: bool) -> Arc<Layout> {
    let build = if keeps { Layout::keeping_unknown } else { Layout::new };
    Arc::new(build(schema.clone(), MessageId(0)).expect("a valid schema"))
}

/// Random schemas and records, each with a layout to write by and another one to read by.
fn cases() -> impl Iterator<Item = (u64, Batch<'static>, Arc<Layout>)> {
    (0..CASES).map(|seed| {
        let mut rng = Rng::new(seed);
        let schema = Arc::new(Options::default().schema(&mut rng, 1 + (seed % 14) as usize));
        let batch = Options::default().batch(&layout(&schema, false), 3, seed).expect("random records fit");
        let schema = if seed % 3 == 0 { schema } else { Arc::new(evolved(&schema, &mut rng)) };
        (seed, batch, layout(&schema, seed % 2 == 0))
    })
}

/// Bytes damaged in a few places.
fn damaged(bytes: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bad = bytes.to_vec();
    for _ in 0..=rng.below(3) {
        let at = rng.below(bad.len() as u64 + 1) as usize;
        match rng.below(8) {
            0 => bad.truncate(at),
            1 => bad.insert(at, rng.next_u64() as u8),
            2 => bad.splice(at..at, [rng.next_u64() as u8 | 0x80, rng.below(3) as u8]).for_each(drop),
            // Records that follow each other are merged.
            3 => bad.extend_from_slice(other),
            4 if at < bad.len() => drop(bad.remove(at)),
            5 if at < bad.len() => bad[at] ^= 1 << rng.below(8),
            6 if at < bad.len() => bad[at] = bad[at].wrapping_add(1),
            _ if at < bad.len() => bad[at] = rng.next_u64() as u8,
            _ => {}
        }
    }
    bad
}

/// Reads with the plain reader, a fresh codec and one that has read much else, and compares.
fn agree(input: &[u8], layout: &Arc<Layout>, warm: &mut Protobuf, seed: u64) -> bool {
    let mut plain = Batch::with_limits(layout.clone(), limits());
    plain.reset(input).unwrap();
    let expected = reference::read(input, &mut plain);
    let mut fresh = Protobuf::new(layout).unwrap();
    for (name, codec) in [("fresh", &mut fresh), ("warm", warm)] {
        let mut fast = Batch::with_limits(layout.clone(), limits());
        let found = codec.decode(input, Framing::Each, &mut fast);
        let name = format!("{name}, seed {seed}, {} bytes", input.len());
        match (&expected, &found) {
            (Ok(()), Ok(())) => {
                compare(&plain, &fast, Lowerings::NONE).unwrap_or_else(|d| panic!("{name}: {d}\n{input:02x?}"));
                assert_eq!(plain.skipped(), fast.skipped(), "{name}: unknown fields left out");
            }
            (Err(_), Err(_)) => {}
            _ => panic!("{name}: the plain reader says {expected:?}, the fast one {found:?}\n{input:02x?}"),
        }
    }
    expected.is_ok()
}

#[test]
fn the_fast_reader_agrees_with_the_plain_one() {
    let (mut read, mut refused) = (0, 0);
    for (seed, batch, layout) in cases() {
        let mut rng = Rng::new(seed);
        let mut warm = Protobuf::new(&layout).unwrap();
        let records: Vec<Vec<u8>> = batch
            .rows()
            .map(|row| {
                let mut bytes = Vec::new();
                reference::write(row, &mut bytes);
                bytes
            })
            .collect();
        for bytes in &records {
            agree(bytes, &layout, &mut warm, seed);
            for _ in 0..60 {
                let bad = damaged(bytes, &rng.pick(&records).clone(), &mut rng);
                if agree(&bad, &layout, &mut warm, seed) { read += 1 } else { refused += 1 }
            }
        }
    }
    assert!(read > 1_000 && refused > 1_000, "{read} read, {refused} refused");
    println!("{read} damaged records read alike, {refused} refused alike");
}

#[test]
fn every_cut_is_judged_alike() {
    for (seed, batch, layout) in cases().step_by(5) {
        let mut warm = Protobuf::new(&layout).unwrap();
        let mut bytes = Vec::new();
        reference::write(batch.get(0).unwrap(), &mut bytes);
        for cut in 0..bytes.len().min(600) {
            agree(&bytes[..cut], &layout, &mut warm, seed);
        }
    }
}

#[test]
fn the_fast_writer_writes_the_plain_ones_bytes() {
    for (seed, batch, other) in cases() {
        let mut warm = Protobuf::new(batch.layout()).unwrap();
        for row in batch.rows() {
            let (mut plain, mut fast, mut first) = (Vec::new(), Vec::new(), Vec::new());
            reference::write(row, &mut plain);
            warm.encode_each(row, &mut fast).unwrap();
            Protobuf::new(batch.layout()).unwrap().encode_each(row, &mut first).unwrap();
            assert!(plain == fast && plain == first, "seed {seed}");
            // What another schema kept of it, unknown fields and all.
            let mut kept = Batch::with_limits(other.clone(), limits());
            if Protobuf::new(&other).unwrap().decode(&plain, Framing::Each, &mut kept).is_ok() {
                let (mut plain, mut fast) = (Vec::new(), Vec::new());
                reference::write(kept.get(0).unwrap(), &mut plain);
                Protobuf::new(&other).unwrap().encode_each(kept.get(0).unwrap(), &mut fast).unwrap();
                assert!(plain == fast, "seed {seed}, kept\n{plain:02x?}\n{fast:02x?}");
            }
        }
    }
}
