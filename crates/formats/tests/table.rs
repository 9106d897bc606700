//! What must hold for every row of the table, on random schemas and records.

use bantam_formats::{Engine, FORMATS, Format, Framing, Idl};
use bantam_model::adapter::{Discard, Reader, Records, Replay, Style};
use bantam_model::{
    Batch, Cardinality, Difference, ErrorKind, Field, Kind, Layout, Limits, Lowerings, Message, MessageId, Schema,
    compare,
};
use bantam_sample::Rng;
use bantam_sample::random::Options;
use serde::de::DeserializeSeed;
use serde::ser::Serialize;
use std::sync::Arc;

fn engines() -> impl Iterator<Item = (&'static Format, &'static Engine)> {
    FORMATS.iter().flat_map(|f| f.engines.iter().map(move |e| (*f, e)))
}

fn framings(format: &Format) -> impl Iterator<Item = Framing> + '_ {
    Framing::ALL.into_iter().filter(|&f| format.has(f))
}

/// Faults of libraries that Bantam cannot mend; a weighing shows such a row as lossy.
fn is_known_fault(engine: &Engine, found: &Difference) -> bool {
    // sonic-rs 0.5 reads the sign of zero away.
    engine.name == "sonic-rs" && found.left == "-0.0"
}

/// Random layouts and records; the same ones in every run.
fn cases(count: u64, records: usize) -> impl Iterator<Item = (u64, Arc<Layout>, Batch<'static>)> {
    (0..count).map(move |seed| {
        let layout = Options::default().layout(&mut Rng::new(seed), 1 + (seed % 9) as usize);
        let batch = Options::default().batch(&layout, records, seed).expect("random records fit");
        (seed, layout, batch)
    })
}

/// What the adapter costs by itself is only known if all goes through it.
#[test]
fn the_adapter_replays_all_that_there_is() {
    for (seed, layout, batch) in cases(150, 4) {
        Records::new(&batch).serialize(Discard).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let mut back = Batch::new(layout.clone());
        for _ in 0..2 {
            back.reset(batch.input()).unwrap();
            let mut reader = Reader::new(&layout, &mut back, Style::default());
            reader.records().deserialize(Replay::new(&batch)).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            assert_eq!(compare(&batch, &back, Lowerings::NONE), Ok(Lowerings::NONE), "seed {seed}");
            assert_eq!(back.skipped(), 0);
        }
    }
}

/// Whether a format may refuse what random records hold.
fn may_refuse(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Unsupported | ErrorKind::Range | ErrorKind::Text)
}

#[test]
fn every_format_gives_back_what_it_was_given() {
    for (format, engine) in engines() {
        let (mut done, mut refused) = (0, 0);
        for (seed, layout, batch) in cases(150, 4) {
            let Ok(mut codec) = (engine.build)(&layout) else {
                refused += 1;
                continue;
            };
            for framing in framings(format) {
                let name = format!("{}/{} {framing}, seed {seed}", format.name, engine.name);
                let given = if framing == Framing::Each {
                    let mut one = Batch::new(layout.clone());
                    one.append(&Options::default().batch(&layout, 1, seed).unwrap()).unwrap();
                    one
                } else {
                    batch.clone()
                };
                let mut bytes = b"before".to_vec();
                match codec.encode(&given, framing, &mut bytes) {
                    Err(e) if may_refuse(e.kind()) => {
                        refused += 1;
                        continue;
                    }
                    other => other.unwrap_or_else(|e| panic!("{name}: {e}")),
                }
                assert_eq!(&bytes[..6], b"before", "{name}");
                let bytes = &bytes[6..];
                let mut back = Batch::new(layout.clone());
                // Twice: once with what the first reading taught the codec.
                for _ in 0..2 {
                    codec.decode(bytes, framing, &mut back).unwrap_or_else(|e| panic!("{name}: {e}\n{}", shown(bytes)));
                    match compare(&given, &back, format.forgets) {
                        Ok(used) => assert!(format.forgets.contains(used)),
                        Err(d) => assert!(is_known_fault(engine, &d), "{name}: {d}\n{}", shown(bytes)),
                    }
                    assert_eq!(back.skipped(), 0, "{name}");
                    done += 1;
                }
            }
        }
        assert!(done > 0, "{} was never tested", format.name);
        println!("{}/{}: {done} round trips, {refused} refused", format.name, engine.name);
    }
}

fn shown(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.chars().take(3_000).collect(),
        Err(_) => format!("{:02x?}", &bytes[..bytes.len().min(400)]),
    }
}

#[test]
fn two_engines_of_a_format_write_the_same_bytes_or_read_each_other() {
    for format in FORMATS.iter().filter(|f| f.engines.len() > 1) {
        for (seed, layout, batch) in cases(40, 3) {
            for writer in format.engines {
                let Ok(mut codec) = (writer.build)(&layout) else { continue };
                let mut bytes = Vec::new();
                if codec.encode(&batch, format.framings[0], &mut bytes).is_err() {
                    continue;
                }
                for reader in format.engines {
                    let Ok(mut other) = (reader.build)(&layout) else { continue };
                    let mut back = Batch::new(layout.clone());
                    let name = format!("{} {} → {}, seed {seed}", format.name, writer.name, reader.name);
                    other.decode(&bytes, format.framings[0], &mut back).unwrap_or_else(|e| panic!("{name}: {e}"));
                    if let Err(d) = compare(&batch, &back, format.forgets) {
                        assert!(is_known_fault(reader, &d), "{name}: {d}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_cut_or_corrupted_input_is_an_error_or_records_but_no_panic() {
    const BATCH: u64 = 4 << 20;
    let limits = Limits::default().depth(30).batch_bytes(BATCH).list_items(10_000);
    for (format, engine) in engines() {
        let (mut errors, mut read) = (0, 0);
        for (seed, layout, batch) in cases(12, 2) {
            let Ok(mut codec) = (engine.build)(&layout) else { continue };
            let mut rng = Rng::new(seed);
            for framing in framings(format) {
                let mut bytes = Vec::new();
                if codec.encode(&batch, framing, &mut bytes).is_err() || bytes.len() > 40_000 {
                    continue;
                }
                let mut check = |input: &[u8]| {
                    let mut back = Batch::with_limits(layout.clone(), limits.clone());
                    match codec.decode(input, framing, &mut back) {
                        Ok(()) => read += 1,
                        Err(_) => errors += 1,
                    }
                    assert!(back.bytes() <= BATCH);
                };
                let step = bytes.len() / 400 + 1;
                for cut in (0..bytes.len()).step_by(step) {
                    check(&bytes[..cut]);
                }
                for _ in 0..300 {
                    let mut bad = bytes.clone();
                    for _ in 0..=rng.below(3) {
                        if bad.is_empty() {
                            break;
                        }
                        let at = rng.below(bad.len() as u64) as usize;
                        match rng.below(3) {
                            0 => bad[at] = rng.next_u64() as u8,
                            1 => drop(bad.remove(at)),
                            _ => bad.insert(at, rng.next_u64() as u8),
                        }
                    }
                    check(&bad);
                }
            }
        }
        assert!(errors > 0, "{} accepts everything", format.name);
        println!("{}/{}: {errors} errors, {read} read", format.name, engine.name);
    }
}

#[test]
fn random_bytes_are_no_records() {
    let layout = Options::default().layout(&mut Rng::new(3), 6);
    for (format, engine) in engines() {
        let Ok(mut codec) = (engine.build)(&layout) else { continue };
        let mut rng = Rng::new(9);
        for len in 0..300 {
            let bytes: Vec<u8> = (0..len).map(|_| rng.next_u64() as u8).collect();
            for framing in framings(format) {
                let mut back = Batch::with_limits(layout.clone(), Limits::default().batch_bytes(1 << 20));
                let _ = codec.decode(&bytes, framing, &mut back);
            }
        }
    }
}

#[test]
fn a_codec_that_has_learned_reads_as_a_fresh_one() {
    for (format, engine) in engines() {
        for (seed, layout, batch) in cases(30, 3) {
            let (Ok(mut fresh), Ok(mut warm)) = ((engine.build)(&layout), (engine.build)(&layout)) else { continue };
            let mut bytes = Vec::new();
            let mut other = Vec::new();
            let framing = format.framings[0];
            let others = Options::default().batch(&layout, 5, seed + 1_000).unwrap();
            if warm.encode(&others, framing, &mut other).is_err() || fresh.encode(&batch, framing, &mut bytes).is_err()
            {
                continue;
            }
            let mut taught = Batch::new(layout.clone());
            warm.decode(&other, framing, &mut taught).unwrap();
            let mut again = Vec::new();
            warm.encode(&batch, framing, &mut again).unwrap();
            assert!(bytes == again, "{}: what was written before changes what is written", format.name);
            let (mut left, mut right) = (Batch::new(layout.clone()), Batch::new(layout.clone()));
            fresh.decode(&bytes, framing, &mut left).unwrap();
            warm.decode(&bytes, framing, &mut right).unwrap();
            compare(&left, &right, Lowerings::NONE).unwrap_or_else(|d| panic!("{}: {d}", format.name));
        }
    }
}

#[test]
fn a_framing_that_the_row_does_not_have_is_refused() {
    let schema = Schema { messages: vec![wide(1, 2)], enums: vec![] };
    let layout = Arc::new(Layout::new(Arc::new(schema), MessageId(0)).unwrap());
    for (format, engine) in engines() {
        let mut codec = (engine.build)(&layout).unwrap();
        for framing in Framing::ALL.into_iter().filter(|&f| !format.has(f)) {
            let name = format!("{}/{} {framing}", format.name, engine.name);
            let mut batch = Batch::new(layout.clone());
            let written = codec.encode(&batch, framing, &mut Vec::new()).expect_err(&name);
            let read = codec.decode(b"", framing, &mut batch).expect_err(&name);
            for error in [written, read] {
                assert_eq!(
                    (error.kind(), error.message()),
                    (ErrorKind::Unsupported, format.no_framing(framing).message()),
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn records_by_themselves_are_the_same_one_by_one() {
    for (format, engine) in engines() {
        for (seed, layout, batch) in cases(20, 3) {
            let Ok(mut codec) = (engine.build)(&layout) else { continue };
            let (mut together, mut apart) = (Vec::new(), Vec::new());
            if codec.encode(&batch, Framing::Each, &mut together).is_ok() {
                batch.rows().for_each(|row| codec.encode_each(row, &mut apart).unwrap());
                assert!(together == apart, "{}/{}, seed {seed}", format.name, engine.name);
            }
        }
    }
}

/// A message of so many bools, numbered from `first`.
fn wide(first: i32, fields: i32) -> Message {
    // Protocol Buffers has no numbers from 19,000 to 19,999.
    let number = |at: i32| if first > 0 && first + at >= 19_000 { first + at + 1_000 } else { first + at };
    let field = |at| Field::new(format!("f{at}"), number(at), Kind::Bool, Cardinality::Optional);
    Message { name: "Wide".into(), fields: (0..fields).map(field).collect(), ..Message::default() }
}

#[test]
fn a_message_with_very_many_fields_is_read_right_or_refused() {
    const MOST: i32 = 65_534;
    for count in [MOST, MOST + 1] {
        for (format, engine) in engines() {
            // Thrift's ids have 16 bits with a sign.
            let first = if format.idl == Some(Idl::Thrift) { i16::MIN.into() } else { 1 };
            let schema = Schema { messages: vec![wide(first, count)], enums: vec![] };
            let layout = Arc::new(Layout::new(Arc::new(schema), MessageId(0)).unwrap());
            let name = format!("{}/{} with {count} fields", format.name, engine.name);
            let mut codec = match (engine.build)(&layout) {
                Ok(codec) => codec,
                Err(error) => {
                    assert_eq!((error.kind(), count), (ErrorKind::Unsupported, MOST + 1), "{name}: {error}");
                    continue;
                }
            };
            let mut batch = Batch::new(layout.clone());
            for slot in [&layout.root().slots[0], &layout.root().slots[count as usize - 1]] {
                let row = batch.push_record().unwrap();
                batch.set(row, slot, 1);
            }
            let (mut bytes, mut back) = (Vec::new(), Batch::new(layout.clone()));
            codec.encode(&batch, format.framings[0], &mut bytes).unwrap();
            for _ in 0..2 {
                codec.decode(&bytes, format.framings[0], &mut back).unwrap_or_else(|e| panic!("{name}: {e}"));
                compare(&batch, &back, format.forgets).unwrap_or_else(|d| panic!("{name}: {d}"));
            }
        }
    }
}

#[test]
fn names_are_unique_and_every_row_has_an_engine() {
    let mut names: Vec<_> = FORMATS.iter().map(|f| f.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), FORMATS.len());
    for format in FORMATS {
        assert!(!format.engines.is_empty() && !format.framings.is_empty(), "{}", format.name);
        assert!(bantam_formats::find(format.name).is_some());
    }
}
