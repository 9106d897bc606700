//! Bantam's codecs against other libraries' generated code: one run, the same records, interleaved rounds.
//!
//! `cargo run --release --manifest-path bench/Cargo.toml` prints a line for each pair and exits with 1 if a
//! ratio is below its aim; with `-- PART` only those with PART in their name. The types are what the libraries'
//! generators write for the samples' schemas, put down by hand, since the generators need `protoc` and the Thrift
//! compiler. Allocator of the whole program: mimalloc, which favours the contenders: they allocate each string, Bantam allocates nothing.
//!
//! Decoding includes dropping what was decoded before; Bantam reuses its batch. Encoding writes into a buffer
//! that is reused by both. Each contender's output is compared with Bantam's before anything is timed.

mod pair;
mod prost_types;
mod quake_message;
mod quake_serde;
mod quake_types;
mod serde_types;
mod thrift_types;

use bantam_formats::{Codec, Framing, find};
use bantam_model::source::read;
use bantam_model::{Batch, Layout};
use bantam_sample::Sample;
use pair::Pairs;
use std::sync::Arc;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    let mut pairs = Pairs::only(std::env::args().nth(1).unwrap_or_default());
    for name in ["dns", "dns-text"] {
        let sample = bantam_sample::find(name).expect("a sample");
        prost_types::pairs(&mut pairs, sample);
        serde_types::pairs(&mut pairs, sample);
        thrift_types::pairs(&mut pairs, sample);
    }
    quake_types::pairs(&mut pairs);
    pairs.run()
}

/// The layout of a sample's own schema file.
fn layout(sample: &Sample, extension: &str) -> Arc<Layout> {
    let file = sample.schema(extension).expect("samples have both schemas");
    let source = read(file.name, file.text.as_bytes(), &[]).expect("samples' schemas are right");
    let root = source.schema.root().expect("samples have one message");
    Arc::new(Layout::new(source.schema, root).expect("samples' schemas are sound"))
}

/// The records of a sample, and their bytes by Bantam's own codec.
fn records(sample: &Sample, extension: &str, format: &str) -> (Batch<'static>, Vec<u8>) {
    let batch = sample.generate(1, sample.records, &layout(sample, extension)).expect("samples fit");
    let mut bytes = Vec::new();
    codec(&batch, format).encode(&batch, Framing::List, &mut bytes).expect("samples can be written");
    (batch, bytes)
}

fn codec(batch: &Batch<'_>, format: &str) -> Box<dyn Codec> {
    (find(format).expect("a format").engines[0].build)(batch.layout()).expect("samples are supported")
}

/// Bantam decoding `bytes` into a batch that it reuses.
fn decoding(batch: &Batch<'_>, format: &str, bytes: &'static [u8]) -> impl FnMut() + use<> {
    let mut codec = codec(batch, format);
    let mut back = Batch::new(batch.layout().clone()).renew();
    move || codec.decode(bytes, Framing::List, &mut back).expect("read before")
}

/// Bantam encoding the records into a buffer that it reuses.
fn encoding(batch: &'static Batch<'static>, format: &str) -> impl FnMut() + use<> {
    let mut codec = codec(batch, format);
    let mut out = Vec::new();
    move || {
        out.clear();
        codec.encode(batch, Framing::List, &mut out).expect("written before");
    }
}
