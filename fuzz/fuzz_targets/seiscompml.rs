//! Any bytes, read as a document of quakes: with `quakeml.rs` the same target with other seeds.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../src/quakes.rs"]
mod quakes;

fuzz_target!(|data: &[u8]| quakes::check(data));
