//! Any bytes, read by any engine of any format as records of a random schema: if they can be read, then what is
//! written of them has to come back equal.
//!
//! The first bytes are the format, the engine, the framing, and the seed and size of the schema.
#![no_main]

use bantam::formats::{FORMATS, Framing};
use bantam::model::{Batch, ErrorKind, Limits, compare};
use bantam::sample::Rng;
use bantam::sample::random::Options;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&[format, engine, framing, seed, size], input)) = data.split_first_chunk::<5>() else { return };
    let format = FORMATS[format as usize % FORMATS.len()];
    let engine = &format.engines[engine as usize % format.engines.len()];
    let framing = Framing::ALL[framing as usize % Framing::ALL.len()];
    let layout = Options::default().layout(&mut Rng::new(seed.into()), 1 + size as usize % 8);
    let Ok(mut codec) = (engine.build)(&layout) else { return };

    const BATCH: u64 = 4 << 20;
    let limits = Limits::default().depth(20).list_items(10_000).batch_bytes(BATCH);
    let mut given = Batch::with_limits(layout.clone(), limits);
    if codec.decode(input, framing, &mut given).is_err() {
        assert!(given.bytes() <= BATCH);
        return;
    }
    let mut bytes = Vec::new();
    if let Err(error) = codec.encode(&given, framing, &mut bytes) {
        assert!(matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::Range | ErrorKind::Text), "{error}");
        return;
    }
    let mut back = Batch::new(layout);
    codec.decode(&bytes, framing, &mut back).unwrap_or_else(|error| {
        panic!("{}/{} {framing}: {error}\n{}", format.name, engine.name, String::from_utf8_lossy(&bytes))
    });
    if let Err(found) = compare(&given, &back, format.forgets) {
        // sonic-rs 0.5 reads the sign of zero away.
        assert!(
            engine.name == "sonic-rs" && found.left == "-0.0",
            "{}/{} {framing}: {found}",
            format.name,
            engine.name
        );
    }
});
