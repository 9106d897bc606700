//! Any bytes, expanded by any compressor, and compressed and expanded again.
#![no_main]

use bantam::compress::COMPRESSORS;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    const LIMIT: usize = 1 << 20;
    let Some((&[row, level], input)) = data.split_first_chunk::<2>() else { return };
    let row = COMPRESSORS[row as usize % COMPRESSORS.len()];
    let mut out = Vec::new();
    let _ = row.decompress(input, LIMIT, &mut out);
    assert!(out.len() <= LIMIT);

    // The highest levels take seconds and hundreds of megabytes.
    let level = row.levels.map(|l| l.lowest.max(1) + i32::from(level) % (l.highest.min(12) - l.lowest.max(1) + 1));
    let (mut packed, mut back) = (Vec::new(), Vec::new());
    row.compress(input, level, &mut packed).expect("every input can be compressed");
    row.decompress(&packed, input.len(), &mut back).expect("what was compressed can be expanded");
    assert!(back == input);
});
