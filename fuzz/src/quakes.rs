//! What has to hold for any bytes that are read as quakes: a reader that has learned finds the same as a fresh one,
//! what was found can be written in every format of quakes, and comes back from the exact ones.

use bantam::formats::Framing;
use bantam::model::{Batch, Limits, Lowerings, compare};
use bantam::quake::{self, Options, Reader};
use bantam::{all_formats, find_format};
use std::cell::RefCell;

const BATCH: u64 = 16 << 20;

thread_local! {
    static LEARNED: RefCell<Reader> = RefCell::new(Reader::new(Options::default()));
}

pub(crate) fn check(data: &[u8]) {
    let limits = Limits::default().list_items(100_000).batch_bytes(BATCH);
    let batch = || Batch::with_limits(quake::layout(), limits.clone()).renew();
    let (mut fresh, mut again, mut kept) = (batch(), batch(), batch());
    let found = Reader::new(Options::default()).read(data, &mut fresh);
    let learned = LEARNED.with_borrow_mut(|reader| reader.read(data, &mut again));
    assert_eq!(found, learned);
    assert!(fresh.bytes() <= BATCH);
    let Ok(notes) = found else { return };
    compare(&fresh, &again, Lowerings::NONE).expect("the same quakes");
    let strict = Options { strict: true, ..Options::default() };
    let harmless = notes.iter().all(|n| n.kind.severity() == quake::Severity::Info);
    assert_eq!(Reader::new(strict).read(data, &mut batch()).is_ok(), harmless);
    let keep = Options { keep_unused: true, ..Options::default() };
    Reader::new(keep).read(data, &mut kept).expect("keeping more changes no reading");
    assert_eq!(kept.len(), fresh.len());
    written(&fresh);
    written(&kept);
}

/// Writes quakes in every format of quakes, and reads back what has to be the same.
fn written(quakes: &Batch<'_>) {
    for format in all_formats().filter(|f| f.only().is_some() && f.writes()) {
        let mut codec = (format.engines[0].build)(&quake::layout()).expect("quakes are supported");
        let mut bytes = Vec::new();
        codec.encode(quakes, Framing::List, &mut bytes).expect("every quake can be written");
        if format.reads() {
            let mut back = Batch::new(quake::layout()).renew();
            codec.decode(&bytes, Framing::List, &mut back).unwrap_or_else(|error| {
                panic!("{}: {error}\n{}", format.name, String::from_utf8_lossy(&bytes))
            });
            assert_eq!(back.len(), quakes.len());
        }
    }
    let mut codec = (find_format("protobuf").expect("a format").engines[0].build)(&quake::layout()).expect("supported");
    let (mut bytes, mut back) = (Vec::new(), Batch::new(quake::layout()).renew());
    codec.encode(quakes, Framing::List, &mut bytes).expect("every quake can be written");
    codec.decode(&bytes, Framing::List, &mut back).expect("what was written");
    compare(quakes, &back, Lowerings::NONE).expect("the same quakes");
}
