//! The weigh-in: every format writes the records, is read back and compared, and only then timed.

mod floor;
mod memory;
mod time;

use crate::compress::Choice;
use crate::dataset::left_out;
use crate::each::{self, Queue};
use crate::fields;
use crate::formats::{Codec, Engine, Format, Framing};
use crate::model::{Batch, Layout, Lowerings, Result, compare};
use crate::weigh::{Clock, Environment, Fidelity, Input, Lane, Note, Plan, Progress, Row, SCHEMA_VERSION, Weighing};
use crate::{Dataset, Selection};
use sha2::{Digest as _, Sha256};
use std::ops::Range;
use std::sync::Arc;
use time::time;

/// Weighs the records of a dataset. `Weighing::environment` is left for the caller to fill.
///
/// # Errors
/// Only if the dataset's own schema does not compile. What goes wrong with a format stands in its row.
pub fn weigh_in(
    dataset: &Dataset<'_>,
    selection: &Selection,
    plan: &Plan,
    clock: &dyn Clock,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Weighing> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    if !dataset.files.is_empty() {
        entries.push(Entry::of_source(dataset)?);
    }
    let of = selection.formats.len();
    for (done, &(format, engine)) in selection.formats.iter().enumerate() {
        progress(Progress::Check { task: format.name, done, of });
        let framing = selection.framing.unwrap_or_else(|| usual_framing(format));
        entries.push(Entry::prepare(dataset, format, engine, framing, selection.fields_under));
    }
    if dataset.files.is_empty()
        && let Some(at) = entries.iter().position(|e| e.row.format == dataset.format.name)
    {
        let mut source = entries.remove(at);
        source.row.source = true;
        entries.insert(0, source);
    }
    memory::count(&mut entries);
    let packed = pack(&entries, &selection.compressors);
    let hash = entries.first().filter(|e| e.row.source).map(|e| hashed(&e.bytes));
    let bytes = floor::bytes(dataset);
    let held = floor::held(dataset, &bytes);
    let (floors, tasks) = floor::floors(&entries, &held).into_iter().map(|floor| (floor.row, floor.tasks)).unzip();
    let (plan, plan_each) = &each::plans(plan, selection.each.as_ref());
    let timings = time(&entries, &packed, tasks, plan, clock, progress);
    let messages = selection.each.as_ref().map(|options| {
        let queues: Vec<_> = entries.iter().map(Entry::queue).collect();
        each::weigh(&queues, options, &selection.compressors, plan_each, clock, progress)
    });
    let mut rows: Vec<Row> = entries.into_iter().map(|e| e.row).chain::<Vec<Row>>(floors).collect();
    timings.into_rows(&mut rows, &packed);
    let mut includes = includes(rows.iter().any(|row| row.memory.is_some()));
    if let Some(messages) = messages {
        includes.extend(each::INCLUDES.map(str::to_owned));
        rows.iter_mut().zip(messages).for_each(|(row, each)| row.each = each);
    }
    let (schema, root) = dataset.schemas.main()?;
    let input = Input {
        name: dataset.name.clone(),
        format: Some(dataset.format.name.to_owned()),
        bytes: rows.first().filter(|r| r.source).and_then(|r| r.bytes),
        records: dataset.batch.len() as u64,
        message: Some(schema.message(root).name.clone()),
        seed: dataset.seed,
        hash,
    };
    Ok(Weighing {
        schema_version: SCHEMA_VERSION,
        environment: Environment::default(),
        input,
        includes,
        rows,
        notes: dataset.notes.iter().map(noted).collect(),
        advice: Vec::new(),
        links: Vec::new(),
        front: Vec::new(),
        crossovers: Vec::new(),
    })
}

/// The format's usual framing for several records.
fn usual_framing(format: &Format) -> Framing {
    format.framings[0]
}

/// What tells one input from another: SHA-256, as `sha256:HEX`.
fn hashed(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    Sha256::digest(bytes).iter().fold("sha256:".to_owned(), |mut text, byte| {
        // Text takes all that is written.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn noted(note: &crate::Note) -> Note {
    let (line, column) = note.first().unzip();
    Note {
        kind: note.kind().map(str::to_owned),
        warning: note.is_warning(),
        text: note.to_string(),
        count: note.count(),
        line,
        column,
    }
}

fn includes(counted: bool) -> Vec<String> {
    let mut includes = vec![
        "Times are of all records at once, in one thread, shown for one; buffers and batches are used again, so that nothing is \
         allocated or freed while measuring but what a library itself allocates.",
        "Decoded text stays a range of the input wherever the codec can leave it there.",
        "Codecs other than Bantam's own go through the serde adapter, which costs time of its own: the row `adapter`, a \
         library that writes nothing and has nothing to parse. The row `copy` copies the bytes of the source, or of the first row. Neither is ranked.",
        "Every compressor's time includes setting up its state.",
    ];
    if counted {
        includes.push(
            "Allocations are counted in a pass of their own, before anything is timed: `allocs` a record when reading \
             again, `peak` what is held at most when all is read for the first time.",
        );
    }
    includes.into_iter().map(str::to_owned).collect()
}

/// A row on its way: what is needed to time it.
struct Entry<'d> {
    row: Row,
    /// What the codec writes; for the source, the input itself.
    bytes: Vec<u8>,
    timed: Option<Timed<'d>>,
}

struct Timed<'d> {
    format: &'static Format,
    engine: &'static Engine,
    framing: Framing,
    /// The ends of the records in `bytes` where each is by itself.
    ends: Vec<usize>,
    given: Given<'d>,
    /// The files that the bytes are, of the source: reading is timed file by file, and writing not at all,
    /// as another program wrote them.
    files: Vec<(Range<usize>, Framing)>,
}

/// The records that a format is given: the dataset's, or copies by the format's own schema file.
enum Given<'d> {
    Main(&'d Batch<'d>),
    Own(Batch<'static>),
}

impl Given<'_> {
    fn batch(&self) -> &Batch<'_> {
        match self {
            Self::Main(batch) => batch,
            Self::Own(batch) => batch,
        }
    }
}

fn new_row(format: &Format, engine: &Engine, framing: Framing) -> Row {
    Row {
        format: format.name.to_owned(),
        codec: engine.name.to_owned(),
        adapter: engine.adapter,
        floor: false,
        lane: Lane::Runtime,
        allocator: None,
        framing: framing.name().to_owned(),
        source: false,
        fidelity: Fidelity::Unsupported,
        profile: Vec::new(),
        reason: None,
        bytes: None,
        encode: None,
        decode: None,
        round_trip: None,
        compressed: Vec::new(),
        memory: None,
        fields: Vec::new(),
        each: None,
    }
}

impl<'d> Entry<'d> {
    /// The input as it came, read by the format's first codec.
    fn of_source(dataset: &'d Dataset<'_>) -> Result<Self> {
        let (format, engine) = (dataset.format, &dataset.format.engines[0]);
        let framing = dataset.files[0].1;
        let mut row = new_row(format, engine, framing);
        row.source = true;
        row.fidelity = if dataset.lowered.is_empty() { Fidelity::Exact } else { Fidelity::Profile };
        row.profile = dataset.lowered.texts().map(str::to_owned).collect();
        if dataset.skipped > 0 {
            row.fidelity = Fidelity::Profile;
            row.profile.push(left_out(dataset.skipped));
        }
        if format.only().is_some() {
            row.fidelity = Fidelity::Profile;
            row.profile.push("holds more than its records: reading takes what they have a place for".to_owned());
        }
        row.bytes = Some(dataset.bytes.len() as u64);
        let given = match dataset.schemas.own_layout(format)? {
            Some(layout) => Given::Own(dataset.batch.converted(&layout)?),
            None => Given::Main(&dataset.batch),
        };
        let files = dataset.files.clone();
        let timed = Timed { format, engine, framing, ends: Vec::new(), given, files };
        Ok(Self { row, bytes: dataset.bytes.to_vec(), timed: Some(timed) })
    }

    /// Writes, reads back, compares.
    fn prepare(
        dataset: &'d Dataset<'_>,
        format: &'static Format,
        engine: &'static Engine,
        framing: Framing,
        fields_under: Option<Choice>,
    ) -> Self {
        let row = new_row(format, engine, framing);
        let mut entry = Self { row, bytes: Vec::new(), timed: None };
        if let Err(error) = entry.try_prepare(dataset, format, engine, framing, fields_under) {
            entry.row.reason = Some(error.to_string());
            entry.bytes.clear();
        }
        entry
    }

    fn try_prepare(
        &mut self,
        dataset: &'d Dataset<'_>,
        format: &'static Format,
        engine: &'static Engine,
        framing: Framing,
        fields_under: Option<Choice>,
    ) -> Result<()> {
        if !format.has(framing) {
            return Err(format.no_framing(framing));
        }
        let main = dataset.batch.layout();
        let given = match dataset.schemas.own_layout(format)? {
            Some(layout) => Given::Own(dataset.batch.converted(&layout)?),
            None => Given::Main(&dataset.batch),
        };
        let batch = given.batch();
        let mut codec = (engine.build)(batch.layout())?;
        let mut ends = Vec::new();
        write(&mut *codec, batch, framing, &mut self.bytes, &mut ends)?;
        let mut back = Batch::with_limits(batch.layout().clone(), batch.limits().clone());
        read(&mut *codec, &self.bytes, framing, &ends, &mut back)?;
        self.row.bytes = Some(self.bytes.len() as u64);
        let mut used = format.lowers.and(Lowerings::called_for(batch));
        let mut differs = None;
        match compare(batch, &back, format.forgets) {
            Ok(forgotten) => used |= forgotten,
            Err(difference) => differs = Some(difference),
        }
        if differs.is_none() && !Arc::ptr_eq(main, batch.layout()) {
            differs = compare(&dataset.batch, &back.converted(main)?, format.forgets).err();
        }
        if let Some(difference) = differs {
            self.row.fidelity = Fidelity::Lossy;
            self.row.reason = Some(difference.to_string());
            return Ok(());
        }
        self.row.fidelity = if used.is_empty() { Fidelity::Exact } else { Fidelity::Profile };
        self.row.profile = used.texts().map(str::to_owned).collect();
        drop(back);
        let all = [self.bytes.len()];
        let each = if framing == Framing::Each { &ends[..] } else { &all };
        let costs = fields::costs(format, batch.layout(), &self.bytes, parts(each), framing)?;
        self.row.fields = fields::figures(costs, batch, framing, &mut *codec, fields_under);
        self.timed = Some(Timed { format, engine, framing, ends, given, files: Vec::new() });
        Ok(())
    }
}

impl Entry<'_> {
    /// The messages of a row whose records are each by itself.
    fn queue(&self) -> Option<Queue<'_>> {
        let timed = self.timed.as_ref().filter(|t| t.framing == Framing::Each && t.files.is_empty())?;
        let name = format!("{}/{}", timed.format.name, timed.engine.name);
        Some(Queue { name, engine: timed.engine, batch: timed.given.batch(), bytes: &self.bytes, ends: &timed.ends })
    }
}

fn write(
    codec: &mut dyn Codec,
    batch: &Batch<'_>,
    framing: Framing,
    out: &mut Vec<u8>,
    ends: &mut Vec<usize>,
) -> Result<()> {
    out.clear();
    ends.clear();
    if framing != Framing::Each {
        return codec.encode(batch, framing, out);
    }
    for row in batch.rows() {
        codec.encode_each(row, out)?;
        ends.push(out.len());
    }
    Ok(())
}

fn read<'a>(
    codec: &mut dyn Codec,
    bytes: &'a [u8],
    framing: Framing,
    ends: &[usize],
    batch: &mut Batch<'a>,
) -> Result<()> {
    if framing != Framing::Each || ends.is_empty() {
        return codec.decode(bytes, framing, batch);
    }
    batch.reset(bytes)?;
    for part in parts(ends) {
        codec.decode_each(bytes, part, batch)?;
    }
    Ok(())
}

pub(crate) fn parts(ends: &[usize]) -> impl Iterator<Item = Range<usize>> + '_ {
    ends.iter().enumerate().map(|(at, &end)| (if at == 0 { 0 } else { ends[at - 1] })..end)
}

/// The bytes of one or several rows under one compressor.
struct Packed {
    choice: Choice,
    /// The rows whose bytes these are: engines of a format mostly write the same.
    rows: Vec<usize>,
    bytes: Vec<u8>,
}

/// Compresses each row's bytes, once for rows of the same bytes, and checks that they come back.
fn pack(entries: &[Entry<'_>], choices: &[Choice]) -> Vec<Packed> {
    let mut packed: Vec<Packed> = Vec::new();
    for (at, entry) in entries.iter().enumerate().filter(|(_, e)| e.timed.is_some()) {
        for &choice in choices {
            let same = packed.iter_mut().find(|p| p.choice == choice && entries[p.rows[0]].bytes == entry.bytes);
            if let Some(same) = same {
                same.rows.push(at);
                continue;
            }
            let (mut bytes, mut back) = (Vec::new(), Vec::new());
            let done = choice.compress(&entry.bytes, &mut bytes);
            let read = choice.decompress(&bytes, entry.bytes.len(), &mut back);
            // A compressor that does not give back its input has no figure.
            if done.is_ok() && read.is_ok() && back == entry.bytes {
                packed.push(Packed { choice, rows: vec![at], bytes });
            }
        }
    }
    packed
}

/// An empty batch for the same records.
pub(crate) fn spare<'a>(like: &Batch<'_>) -> Batch<'a> {
    let layout: Arc<Layout> = like.layout().clone();
    Batch::with_limits(layout, like.limits().clone()).renew()
}
