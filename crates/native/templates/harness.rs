//! Writes, reads back, compares, and only then times: the contest of the generated crate.

use crate::neutral::{Neutral, Reader};
use bantam_weigh::{Allocations, Fidelity, Lane, Memory, MonotonicClock, Plan, Row, Task, Timing, measure};
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// What writing or reading gives; the error is for people.
pub type Result<T> = std::result::Result<T, String>;

/// All records, as a contender holds them.
pub trait Records: Sized + 'static {
    /// One of them.
    type Record: Neutral;

    /// From a list of them.
    fn of(records: Vec<Self::Record>) -> Self;

    /// All of them.
    fn all(&self) -> &[Self::Record];
}

impl<T: Neutral + 'static> Records for Vec<T> {
    type Record = T;
    fn of(records: Self) -> Self {
        records
    }
    fn all(&self) -> &[T] {
        self
    }
}

/// The records of the neutral file.
pub fn records<R: Records>(neutral: &[u8]) -> Rc<R> {
    Rc::new(R::of(Vec::read(&mut Reader(neutral))))
}

/// Each record in the neutral form.
fn each<R: Records>(records: &R) -> Vec<Vec<u8>> {
    let write = |record: &R::Record| {
        let mut out = Vec::new();
        record.write(&mut out);
        out
    };
    records.all().iter().map(write).collect()
}

/// One library, or one way to use it.
pub struct Contender {
    format: &'static str,
    codec: &'static str,
    write: Box<dyn Fn(&mut Vec<u8>) -> Result<()>>,
    /// Reads all records and drops them.
    read: Box<dyn Fn(&[u8]) -> Result<()>>,
    /// Reads, and compares with what was written.
    check: Box<dyn Fn(&[u8]) -> Result<()>>,
}

impl Contender {
    /// A contender whose records own what they hold.
    pub fn new<R: Records>(
        format: &'static str,
        codec: &'static str,
        records: &Rc<R>,
        write: fn(&R, &mut Vec<u8>) -> Result<()>,
        read: fn(&[u8]) -> Result<R>,
    ) -> Self {
        let discard = move |bytes: &[u8]| read(bytes).map(|records| drop(black_box(records)));
        Self::checked_by(format, codec, records, write, discard, read)
    }

    /// A contender that is timed by one way of reading, and checked by another that owns what it reads.
    pub fn checked_by<R: Records>(
        format: &'static str,
        codec: &'static str,
        records: &Rc<R>,
        write: fn(&R, &mut Vec<u8>) -> Result<()>,
        read: impl Fn(&[u8]) -> Result<()> + 'static,
        check: fn(&[u8]) -> Result<R>,
    ) -> Self {
        let (written, compared) = (records.clone(), records.clone());
        Self {
            format,
            codec,
            write: Box::new(move |out| write(&written, out)),
            read: Box::new(read),
            check: Box::new(move |bytes| same(&each(&*compared), &each(&check(bytes)?))),
        }
    }
}

fn same(written: &[Vec<u8>], back: &[Vec<u8>]) -> Result<()> {
    if let Some(record) = written.iter().zip(back).position(|(a, b)| a != b) {
        return Err(format!("record {record} came back different"));
    }
    if written.len() != back.len() {
        return Err(format!("{} records became {}", written.len(), back.len()));
    }
    Ok(())
}

/// Checks every contender, counts what it allocates, and times those that give back what they were given.
pub fn contest(contenders: &[Contender], allocator: &str, quick: bool) -> Vec<Row> {
    let mut rows: Vec<Row> = contenders.iter().map(|c| new_row(c, allocator)).collect();
    // Before anything else has been written or read: what a library keeps for later is asked for the first time only.
    for (contender, row) in contenders.iter().zip(&mut rows) {
        row.memory = caught(|| memory(contender)).ok().flatten();
    }
    let bytes: Vec<Option<Vec<u8>>> = contenders.iter().zip(&mut rows).map(|(c, row)| prepare(c, row)).collect();
    let mut slots: Vec<fn(&mut Row) -> &mut Option<Timing>> = Vec::new();
    let (mut tasks, mut of) = (Vec::new(), Vec::new());
    for (at, contender) in contenders.iter().enumerate() {
        let Some(bytes) = &bytes[at] else { continue };
        let name = |what: &str| format!("{} {what}", contender.codec);
        let mut out = Vec::new();
        tasks.push(Task::new(name("encode"), move || {
            out.clear();
            let _ = black_box((contender.write)(&mut out));
        }));
        tasks.push(Task::new(name("decode"), move || drop(black_box((contender.read)(black_box(bytes))))));
        let mut out = Vec::new();
        tasks.push(Task::new(name("round trip"), move || {
            out.clear();
            let _ = black_box((contender.write)(&mut out));
            let _ = black_box((contender.read)(black_box(&out)));
        }));
        slots.extend([
            (|row| &mut row.encode) as fn(&mut Row) -> &mut Option<Timing>,
            |row| &mut row.decode,
            |row| &mut row.round_trip,
        ]);
        of.extend([at; 3]);
    }
    let plan = if quick { Plan { warmed: true, ..Plan::quick() } } else { Plan::default() };
    let timings = measure(tasks, &plan, &MonotonicClock::new(), &mut |_| {});
    for ((slot, at), timing) in slots.into_iter().zip(of).zip(timings) {
        *slot(&mut rows[at]) = Some(timing);
    }
    rows
}

/// What a contender allocates, the first time and again; nothing, if the program's allocator does not count.
fn memory(contender: &Contender) -> Result<Option<Memory>> {
    let mut out = Vec::new();
    let first_encode = allocations(|| (contender.write)(&mut out))?;
    out.clear();
    let encode = allocations(|| (contender.write)(&mut out))?;
    let first_decode = allocations(|| (contender.read)(&out))?;
    let decode = allocations(|| (contender.read)(&out))?;
    Ok(first_encode.is_some().then_some(Memory { first_encode, encode, first_decode, decode }))
}

fn allocations(run: impl FnOnce() -> Result<()>) -> Result<Option<Allocations>> {
    let mut done = Ok(());
    let counts = bantam_allocations::counted(|| done = run());
    done.map(|()| counts.map(|c| Allocations { count: c.count, bytes: c.bytes, peak_bytes: c.peak_bytes }))
}

/// The bytes of a contender that gives back what it was given; its row says why another does not.
fn prepare(contender: &Contender, row: &mut Row) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Err(reason) = caught(|| (contender.write)(&mut bytes)) {
        row.reason = Some(format!("writing failed: {reason}"));
        row.memory = None;
        return None;
    }
    row.bytes = Some(bytes.len() as u64);
    match caught(|| (contender.check)(&bytes).and_then(|()| (contender.read)(&bytes))) {
        Ok(()) => row.fidelity = Fidelity::Exact,
        Err(reason) => {
            row.fidelity = Fidelity::Lossy;
            row.memory = None;
            row.reason = Some(reason);
            return None;
        }
    }
    Some(bytes)
}

/// A library that panics loses its own row only.
fn caught<T>(run: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err("the library panicked".to_owned()))
}

fn new_row(contender: &Contender, allocator: &str) -> Row {
    Row {
        format: contender.format.to_owned(),
        codec: contender.codec.to_owned(),
        adapter: false,
        floor: false,
        lane: Lane::Native,
        allocator: Some(allocator.to_owned()),
        framing: "list".to_owned(),
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

/// What an error of a library says.
pub fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}
