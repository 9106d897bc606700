//! What every codec is held to, over random schemas and records.

use crate::{Codec, Format, Framing};
use bantam_model::{Batch, Layout, Row, Value, compare};
use bantam_sample::Rng;
use bantam_sample::random::Options;
use std::sync::Arc;

/// The format's own codec.
pub(crate) fn codec(format: &Format, layout: &Arc<Layout>) -> Box<dyn Codec> {
    (format.engines[0].build)(layout).unwrap()
}

/// Random records of random schemas come back equal, but for the format's stated lowerings: in every framing,
/// by a codec that has read nothing before and by one that has.
pub(crate) fn round_trips(format: &Format, options: Options, seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let layout = options.layout(&mut Rng::new(seed), 1 + seed as usize % 14);
        let batch = options.batch(&layout, seed as usize % 4, seed).unwrap();
        let mut codec = codec(format, &layout);
        for &framing in format.framings {
            let mut bytes = Vec::new();
            codec.encode(&batch, framing, &mut bytes).unwrap();
            for state in ["cold", "warm"] {
                let mut back = Batch::new(layout.clone());
                codec.decode(&bytes, framing, &mut back).unwrap_or_else(|e| panic!("seed {seed}, {state}: {e}"));
                compare(&batch, &back, format.forgets).unwrap_or_else(|e| panic!("seed {seed}, {state}: {e}"));
                assert_eq!(back.skipped(), 0, "seed {seed}");
            }
        }
        let mut bytes = Vec::new();
        let mut places = Vec::new();
        for row in batch.rows() {
            let at = bytes.len();
            codec.encode_each(row, &mut bytes).unwrap();
            places.push(at..bytes.len());
        }
        let mut back = Batch::new(layout.clone());
        back.reset(&bytes).unwrap();
        for at in places {
            codec.decode_each(&bytes, at, &mut back).unwrap_or_else(|e| panic!("seed {seed}, each: {e}"));
        }
        compare(&batch, &back, format.forgets).unwrap_or_else(|e| panic!("seed {seed}, each: {e}"));
    }
}

/// Input cut at every byte, and input with random changes, gives an error or records that can be walked.
pub(crate) fn survives(format: &Format, options: Options, seeds: std::ops::Range<u64>) {
    const MOST: usize = 1_500;
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let layout = options.layout(&mut rng, 6);
        let batch = options.batch(&layout, 2, seed).unwrap();
        let mut codec = codec(format, &layout);
        for &framing in format.framings {
            let mut whole = Vec::new();
            codec.encode(&batch, framing, &mut whole).unwrap();
            for cut in 0..whole.len().min(MOST) {
                read(&mut *codec, framing, &layout, &whole[..cut]);
            }
            for _ in 0..100 {
                let bytes = corrupted(&mut rng, &whole);
                read(&mut *codec, framing, &layout, &bytes);
            }
        }
    }
}

fn corrupted(rng: &mut Rng, whole: &[u8]) -> Vec<u8> {
    const BYTES: &[u8] = b"\0\n\r\t \"'&<>/,;:=?!-[]{}0x_\xff\xef\x80";
    let mut bytes = whole.to_vec();
    for _ in 0..=rng.below(4) {
        let at = rng.below(bytes.len() as u64 + 1) as usize;
        let end = (at + rng.below(8) as usize).min(bytes.len());
        match rng.below(4) {
            0 => drop(bytes.drain(at..end)),
            1 => bytes.insert(at, *rng.pick(BYTES)),
            2 => {
                let copied = bytes[at..end].to_vec();
                bytes.splice(at..at, copied);
            }
            _ if at < bytes.len() => bytes[at] = *rng.pick(BYTES),
            _ => {}
        }
    }
    bytes
}

fn read(codec: &mut dyn Codec, framing: Framing, layout: &Arc<Layout>, bytes: &[u8]) {
    let mut batch = Batch::new(layout.clone());
    if codec.decode(bytes, framing, &mut batch).is_ok() {
        batch.rows().for_each(walk);
    }
}

fn walk(row: Row<'_>) {
    row.batch().check_required(row.offset(), row.layout()).unwrap();
    for (slot, value) in row.fields() {
        match value {
            Value::Message(inner) => walk(inner),
            Value::List(items) => items.iter().for_each(|item| {
                if let Value::Message(inner) = item {
                    walk(inner);
                }
            }),
            // A string that is no UTF-8 would show as this one character.
            Value::String(text) => assert!(text != "\u{fffd}" || row.word(slot) != 0),
            _ => {}
        }
    }
}
