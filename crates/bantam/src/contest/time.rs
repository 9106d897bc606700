//! The tasks that are timed, and the rows that their times go to.

use super::floor::Way;
use super::{Entry, Packed, Timed, read, spare, write};
use crate::formats::Codec;
use crate::model::Batch;
use crate::weigh::{Clock, Compressed, Plan, Progress, Row, Task, Timing, measure};

/// Which timing a task is for.
#[derive(Clone, Copy)]
enum Slot {
    Encode(usize),
    Decode(usize),
    RoundTrip(usize),
    Compress(usize),
    Decompress(usize),
}

pub(super) struct Timings(Vec<(Slot, Timing)>);

pub(super) fn time<'t>(
    entries: &'t [Entry<'_>],
    packed: &'t [Packed],
    floors: Vec<Vec<(Way, Task<'t>)>>,
    plan: &Plan,
    clock: &dyn Clock,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Timings {
    let mut slots = Vec::new();
    let mut tasks = Vec::new();
    let bytes: Vec<&[u8]> = entries.iter().map(|e| &e.bytes[..]).collect();
    for (at, entry) in entries.iter().enumerate() {
        let Some(timed) = &entry.timed else { continue };
        let name = format!("{}/{}", timed.format.name, timed.engine.name);
        if timed.files.is_empty() {
            slots.push(Slot::Encode(at));
            tasks.push(Task::new(format!("{name} encode"), encode_task(timed)));
        }
        slots.push(Slot::Decode(at));
        tasks.push(Task::new(format!("{name} decode"), decode_task(timed, bytes[at])));
        if timed.files.is_empty() {
            slots.push(Slot::RoundTrip(at));
            tasks.push(Task::new(format!("{name} round trip"), round_trip_task(timed)));
        }
    }
    for (at, (way, task)) in
        (entries.len()..).zip(floors).flat_map(|(at, tasks)| tasks.into_iter().map(move |t| (at, t)))
    {
        slots.push(if way == Way::Encode { Slot::Encode(at) } else { Slot::Decode(at) });
        tasks.push(task);
    }
    for (at, one) in packed.iter().enumerate() {
        let name = format!("{} {}", entries[one.rows[0]].row.format, one.choice);
        let plain = bytes[one.rows[0]];
        slots.push(Slot::Compress(at));
        let mut out = Vec::new();
        tasks.push(Task::new(format!("{name} compress"), move || {
            let _ = one.choice.compress(plain, &mut out);
        }));
        slots.push(Slot::Decompress(at));
        let mut back = Vec::new();
        tasks.push(Task::new(format!("{name} decompress"), move || {
            let _ = one.choice.decompress(&one.bytes, plain.len(), &mut back);
        }));
    }
    let timings = measure(tasks, plan, clock, progress);
    Timings(slots.into_iter().zip(timings).collect())
}

/// A codec that was built for these records before, so building cannot fail now.
pub(super) fn build(timed: &Timed<'_>) -> Box<dyn Codec> {
    (timed.engine.build)(timed.given.batch().layout()).expect("the codec was built for this layout before")
}

// What a task does succeeded once while the row was prepared, on the same records or bytes; its result is not
// looked at again, so that checking costs no time.

fn encode_task<'t>(timed: &'t Timed<'_>) -> impl FnMut() + 't {
    let mut codec = build(timed);
    let (mut out, mut ends) = (Vec::new(), Vec::new());
    move || encode_with(&mut *codec, timed, &mut out, &mut ends)
}

fn decode_task<'t>(timed: &'t Timed<'_>, bytes: &'t [u8]) -> impl FnMut() + 't {
    let mut codec = build(timed);
    let mut batch = spare(timed.given.batch());
    move || decode_with(&mut *codec, timed, bytes, &mut batch)
}

pub(super) fn encode_with(codec: &mut dyn Codec, timed: &Timed<'_>, out: &mut Vec<u8>, ends: &mut Vec<usize>) {
    let _ = write(codec, timed.given.batch(), timed.framing, out, ends);
}

pub(super) fn decode_with<'t>(codec: &mut dyn Codec, timed: &Timed<'_>, bytes: &'t [u8], batch: &mut Batch<'t>) {
    if timed.files.is_empty() {
        let _ = read(codec, bytes, timed.framing, &timed.ends, batch);
    }
    for (part, framing) in &timed.files {
        let _ = codec.decode(&bytes[part.clone()], *framing, batch);
    }
}

fn round_trip_task<'t>(timed: &'t Timed<'_>) -> impl FnMut() + 't {
    let mut codec = build(timed);
    let (mut out, mut ends) = (Vec::new(), Vec::new());
    let mut kept = Some(spare(timed.given.batch()));
    move || {
        let _ = write(&mut *codec, timed.given.batch(), timed.framing, &mut out, &mut ends);
        if let Some(batch) = kept.take() {
            let mut batch = batch.renew();
            let _ = read(&mut *codec, &out, timed.framing, &ends, &mut batch);
            kept = Some(batch.renew());
        }
    }
}

impl Timings {
    pub(super) fn into_rows(self, rows: &mut [Row], packed: &[Packed]) {
        let mut done: Vec<Compressed> = packed
            .iter()
            .map(|p| Compressed {
                compressor: p.choice.compressor.name.to_owned(),
                level: p.choice.level,
                bytes: p.bytes.len() as u64,
                compress: None,
                decompress: None,
            })
            .collect();
        for (slot, timing) in self.0 {
            match slot {
                Slot::Encode(at) => rows[at].encode = Some(timing),
                Slot::Decode(at) => rows[at].decode = Some(timing),
                Slot::RoundTrip(at) => rows[at].round_trip = Some(timing),
                Slot::Compress(at) => done[at].compress = Some(timing),
                Slot::Decompress(at) => done[at].decompress = Some(timing),
            }
        }
        for (one, packed) in done.into_iter().zip(packed) {
            for &row in &packed.rows {
                rows[row].compressed.push(one.clone());
            }
        }
    }
}
