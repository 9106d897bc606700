//! Rows that are no formats: what copying the input costs, and what going through the adapter costs by itself.
//!
//! Whatever reads all bytes of the input takes about as long as copying them at least, and every row that goes
//! through the adapter has the adapter's time in its own. Neither is ranked.

use super::{Entry, new_row, spare};
use crate::Dataset;
use crate::formats::{self, Engine, Format, Framing};
use crate::model::adapter::{Discard, Reader, Records, Replay, Style};
use crate::model::{Batch, Lowerings, Result, compare};
use crate::weigh::{Fidelity, Row, Task};
use serde::Serialize as _;
use serde::de::DeserializeSeed as _;

/// The records as bytes, of which [`held`] makes records whose text lies in those bytes.
pub(super) fn bytes(dataset: &Dataset<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    match build(dataset).and_then(|mut codec| codec.encode(&dataset.batch, Framing::List, &mut bytes).ok()) {
        Some(()) => bytes,
        None => Vec::new(),
    }
}

/// The records for the adapter to read: their text is a range of `bytes`, as a library would have it, so that no
/// text is copied. The dataset's own, if they cannot be had like that.
pub(super) fn held<'a>(dataset: &Dataset<'a>, bytes: &'a [u8]) -> Batch<'a> {
    let mut batch = spare(&dataset.batch);
    match build(dataset).and_then(|mut codec| codec.decode(bytes, Framing::List, &mut batch).ok()) {
        Some(()) if batch.len() == dataset.batch.len() => batch,
        _ => dataset.batch.clone(),
    }
}

fn build(dataset: &Dataset<'_>) -> Option<Box<dyn formats::Codec>> {
    (formats::find("protobuf")?.engines[0].build)(dataset.batch.layout()).ok()
}

/// Which way a task goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Encode,
    Decode,
}

/// A row and its tasks.
pub(super) struct Floor<'t> {
    pub(super) row: Row,
    pub(super) tasks: Vec<(Way, Task<'t>)>,
}

/// The rows for these entries: copying what is the source, and the adapter if any of them goes through it.
pub(super) fn floors<'t>(entries: &'t [Entry<'_>], held: &'t Batch<'t>) -> Vec<Floor<'t>> {
    let mut floors = Vec::new();
    if let Some(source) = entries.iter().find(|e| e.timed.is_some()) {
        floors.push(copy(&source.bytes));
    }
    if entries.iter().any(|e| e.row.adapter) {
        floors.extend(adapter(held));
    }
    floors
}

fn copy(bytes: &[u8]) -> Floor<'_> {
    let task = |name: &str| {
        let mut out = Vec::new();
        Task::new(format!("copy {name}"), move || {
            out.clear();
            out.extend_from_slice(bytes);
            std::hint::black_box(&mut out);
        })
    };
    let tasks = vec![(Way::Encode, task("there")), (Way::Decode, task("back"))];
    Floor { row: Row { bytes: Some(bytes.len() as u64), ..row("copy", "memcpy", false) }, tasks }
}

/// Like every row, it is compared before it is timed; without all records there is no such row.
fn adapter<'t>(held: &'t Batch<'t>) -> Option<Floor<'t>> {
    let mut batch = spare(held);
    Records::new(held).serialize(Discard).ok()?;
    replay(held, &mut batch).ok()?;
    // A bare list that is absent goes through serde as an empty one.
    compare(held, &batch, Lowerings::EMPTY_LIST_ABSENT).ok()?;
    let encode = || drop(Records::new(held).serialize(Discard));
    // What was replayed once is replayed again.
    let decode = move || drop(replay(held, &mut batch));
    let tasks =
        vec![(Way::Encode, Task::new("adapter encode", encode)), (Way::Decode, Task::new("adapter decode", decode))];
    Some(Floor { row: row("adapter", "serde", true), tasks })
}

fn replay<'t>(held: &'t Batch<'t>, batch: &mut Batch<'t>) -> Result<()> {
    batch.reset(held.input())?;
    Reader::new(held.layout(), batch, Style::default()).records().deserialize(Replay::new(held))
}

fn row(format: &str, codec: &str, adapter: bool) -> Row {
    let like = formats::find("protobuf").expect("protobuf is in the table");
    let (like, engine): (&Format, &Engine) = (like, &like.engines[0]);
    Row {
        format: format.to_owned(),
        codec: codec.to_owned(),
        adapter,
        floor: true,
        fidelity: Fidelity::Exact,
        ..new_row(like, engine, Framing::List)
    }
}
