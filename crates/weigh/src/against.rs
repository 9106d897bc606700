//! One weighing held against an earlier one: sizes exactly, times by their intervals.

use crate::stats::Interval;
use crate::{Allocations, Row, Timing, Unit, Weighing};

/// How a figure changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is less than before.
    Better,
    /// It is the same, or the intervals overlap.
    Same,
    /// It is more than before.
    Worse,
}

/// A figure before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What it is: `bytes`, `zlib:6`, `encode allocations`, `decode memory`, `encode`, `decode`, `round trip`.
    pub figure: String,
    /// The earlier value; of a time, the median.
    pub before: f64,
    /// The later value.
    pub after: f64,
    /// Its unit.
    pub unit: Unit,
    /// How it changed.
    pub verdict: Verdict,
}

/// A row of both weighings.
#[derive(Debug, Clone, PartialEq)]
pub struct RowChange {
    /// Its index in the later weighing.
    pub row: usize,
    /// Its figures that both have.
    pub changes: Vec<Change>,
}

/// What keeps figures from being compared, or makes the comparison doubtful.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// The inputs are not the same: nothing can be compared.
    OtherInput {
        /// What differs: `hash`, `records`, `seed`, …
        what: &'static str,
    },
    /// Times of another machine, build or allocator: sizes can be compared, times not.
    OtherEnvironment {
        /// What differs: `cpu`, `profile`, …
        what: &'static str,
        /// What it was, and what it is.
        before: String,
        /// What it is.
        after: String,
    },
}

/// A weighing held against an earlier one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Comparison {
    /// The rows of both.
    pub rows: Vec<RowChange>,
    /// The rows of the later one alone, by index.
    pub new: Vec<usize>,
    /// The rows of the earlier one alone, by index in it.
    pub gone: Vec<usize>,
    /// What makes the comparison doubtful.
    pub doubts: Vec<Doubt>,
}

impl Weighing {
    /// Compares with an earlier weighing. Rows are the same if format, codec, framing and lane are.
    pub fn against(&self, before: &Self) -> Comparison {
        let mut comparison = Comparison { doubts: doubts(before, self), ..Comparison::default() };
        for (index, row) in self.rows.iter().enumerate() {
            match before.rows.iter().find(|old| is_same(old, row)) {
                Some(old) => comparison.rows.push(RowChange { row: index, changes: changes(old, row) }),
                None => comparison.new.push(index),
            }
        }
        let gone = |old: &Row| !self.rows.iter().any(|row| is_same(old, row));
        comparison.gone = (0..before.rows.len()).filter(|&index| gone(&before.rows[index])).collect();
        comparison
    }
}

impl Comparison {
    /// Whether times can be compared: the input, machine and build are the same.
    pub fn times_hold(&self) -> bool {
        self.doubts.is_empty()
    }

    /// Whether sizes can be compared: the input is the same.
    pub fn sizes_hold(&self) -> bool {
        !self.doubts.iter().any(|doubt| matches!(doubt, Doubt::OtherInput { .. }))
    }
}

/// Whether both are the same way to write the records.
pub(crate) fn is_same(a: &Row, b: &Row) -> bool {
    let key = |row: &'_ Row| (row.lane, row.source, row.floor);
    (&a.format, &a.codec, &a.allocator, &a.framing) == (&b.format, &b.codec, &b.allocator, &b.framing)
        && key(a) == key(b)
}

fn doubts(before: &Weighing, after: &Weighing) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    let (old, new) = (&before.input, &after.input);
    for (what, differs) in [
        ("hash", old.hash.is_some() && new.hash.is_some() && old.hash != new.hash),
        ("records", old.records != new.records),
        ("seed", old.seed != new.seed),
        ("message", old.message != new.message),
    ] {
        if differs {
            doubts.push(Doubt::OtherInput { what });
        }
    }
    let (old, new) = (&before.environment, &after.environment);
    let cores = |cores: Option<u32>| cores.map(|n| n.to_string());
    for (what, before, after) in [
        ("cpu", old.cpu.clone(), new.cpu.clone()),
        ("cores", cores(old.cores), cores(new.cores)),
        ("profile", old.profile.clone(), new.profile.clone()),
        ("target", old.target.clone(), new.target.clone()),
        ("allocator", old.allocator.clone(), new.allocator.clone()),
    ] {
        if let (Some(before), Some(after)) = (before, after)
            && before != after
        {
            doubts.push(Doubt::OtherEnvironment { what, before, after });
        }
    }
    doubts
}

fn changes(before: &Row, after: &Row) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut exact = |figure: String, unit: Unit, before: Option<u64>, after: Option<u64>| {
        if let (Some(before), Some(after)) = (before, after) {
            let verdict = verdict(before as f64, after as f64, None);
            changes.push(Change { figure, before: before as f64, after: after as f64, unit, verdict });
        }
    };
    exact("bytes".into(), Unit::Bytes, before.bytes, after.bytes);
    for compressed in &after.compressed {
        let (name, level) = compressed.key();
        let label = level.map_or_else(|| name.to_owned(), |level| format!("{name}:{level}"));
        exact(label, Unit::Bytes, before.under(name, level).map(|c| c.bytes), Some(compressed.bytes));
    }
    if let (Some(before), Some(after)) = (before.memory, after.memory) {
        let count = |found: Option<Allocations>| found.map(|a| a.count);
        let peak = |found: Option<Allocations>| found.map(|a| a.peak_bytes);
        exact("encode allocations".into(), Unit::Allocations, count(before.encode), count(after.encode));
        exact("decode allocations".into(), Unit::Allocations, count(before.decode), count(after.decode));
        exact("encode memory".into(), Unit::Bytes, peak(before.first_encode), peak(after.first_encode));
        exact("decode memory".into(), Unit::Bytes, peak(before.first_decode), peak(after.first_decode));
    }
    for (figure, before, after) in [
        ("encode", &before.encode, &after.encode),
        ("decode", &before.decode, &after.decode),
        ("round trip", &before.round_trip, &after.round_trip),
    ] {
        if let (Some(before), Some(after)) = (before, after) {
            changes.push(time(figure, before, after));
        }
    }
    changes
}

fn time(figure: &str, before: &Timing, after: &Timing) -> Change {
    let intervals = Some((before.interval(), after.interval()));
    Change {
        figure: figure.into(),
        before: before.median_ns,
        after: after.median_ns,
        unit: Unit::Nanos,
        verdict: verdict(before.median_ns, after.median_ns, intervals),
    }
}

fn verdict(before: f64, after: f64, intervals: Option<(Interval<f64>, Interval<f64>)>) -> Verdict {
    let (less, more) = match intervals {
        Some((old, new)) => (new.high < old.low, new.low > old.high),
        None => (after < before, after > before),
    };
    match (less, more) {
        (true, _) => Verdict::Better,
        (_, true) => Verdict::Worse,
        _ => Verdict::Same,
    }
}
