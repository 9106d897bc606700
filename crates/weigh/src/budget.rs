//! Budgets: what a weighing may cost at most, so that it can stand in a continuous integration.
//!
//! `protobuf<=15KB, decode protobuf<=1.1x, json+zlib<=20KiB, encode json/serde_json<=2ms`: a figure (bytes, if none is named),
//! a format with perhaps its codec and a compressor, and a bound: bytes, a time for all records, or, with `x`, so many times
//! the same figure of an earlier weighing. Sizes and allocations are held to the bound exactly; a time is over its budget
//! only if that is beyond noise: its whole interval is over the bound, counted from the upper end of the earlier one.
//!
//! Figures are `size`, `encode`, `decode`, `round-trip`, `encode-allocations`, `decode-allocations` (with buffers that
//! have grown before), `encode-memory` and `decode-memory` (the peak, the first time).

use crate::{Allocations, Row, Timing, Unit, Weighing};
use std::fmt;

/// One bound of a budget.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    /// The bound as it was written.
    pub text: String,
    figure: Figure,
    format: String,
    codec: Option<String>,
    compressor: Option<(String, Option<i32>)>,
    limit: Limit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Figure {
    Bytes,
    Encode,
    Decode,
    RoundTrip,
    EncodeAllocations,
    DecodeAllocations,
    EncodeMemory,
    DecodeMemory,
}

/// The figures by the names that bounds give them.
const FIGURES: [(&str, Figure); 10] = [
    ("size", Figure::Bytes),
    ("bytes", Figure::Bytes),
    ("encode", Figure::Encode),
    ("decode", Figure::Decode),
    ("round trip", Figure::RoundTrip),
    ("round-trip", Figure::RoundTrip),
    ("encode-allocations", Figure::EncodeAllocations),
    ("decode-allocations", Figure::DecodeAllocations),
    ("encode-memory", Figure::EncodeMemory),
    ("decode-memory", Figure::DecodeMemory),
];

impl Figure {
    fn unit(self) -> Unit {
        match self {
            Self::Bytes | Self::EncodeMemory | Self::DecodeMemory => Unit::Bytes,
            Self::EncodeAllocations | Self::DecodeAllocations => Unit::Allocations,
            Self::Encode | Self::Decode | Self::RoundTrip => Unit::Nanos,
        }
    }
}

/// A figure, and the interval that it may really be in.
#[derive(Debug, Clone, Copy)]
struct Known {
    value: f64,
    low: f64,
    high: f64,
}

impl Known {
    fn exactly(value: u64) -> Self {
        let value = value as f64;
        Self { value, low: value, high: value }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Limit {
    /// Bytes or nanoseconds.
    Absolute(f64),
    /// Times what it was.
    Relative(f64),
}

/// How a bound was kept.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The figure is within it.
    Kept {
        /// The figure: bytes or nanoseconds.
        found: f64,
        /// The most that it may be.
        limit: f64,
    },
    /// The figure is beyond it.
    Broken {
        /// The figure: bytes or nanoseconds.
        found: f64,
        /// The most that it may be.
        limit: f64,
    },
    /// It cannot be told, and why.
    Unknown(String),
}

/// Why a budget cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadBudget(String);

impl fmt::Display for BadBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadBudget {}

/// The units of bounds: bytes, or nanoseconds.
const UNITS: [(&str, f64, bool); 12] = [
    ("B", 1.0, false),
    ("KB", 1e3, false),
    ("MB", 1e6, false),
    ("GB", 1e9, false),
    ("KiB", 1_024.0, false),
    ("MiB", 1_048_576.0, false),
    ("GiB", 1_073_741_824.0, false),
    ("ns", 1.0, true),
    ("us", 1e3, true),
    ("µs", 1e3, true),
    ("ms", 1e6, true),
    ("s", 1e9, true),
];

impl Bound {
    /// Reads bounds with commas between.
    ///
    /// # Errors
    /// If one is not as the head of this module says; the message shows it.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, BadBudget> {
        let bounds = text.split(',').map(str::trim).filter(|b| !b.is_empty()).map(Self::parse);
        let bounds = bounds.collect::<Result<Vec<_>, _>>()?;
        if bounds.is_empty() { Err(BadBudget("the budget is empty".into())) } else { Ok(bounds) }
    }

    fn parse(text: &str) -> Result<Self, BadBudget> {
        let bad = |why: &str| {
            BadBudget(format!("`{text}`: {why}; write for example `protobuf<=15KB` or `decode protobuf<=1.1x`"))
        };
        let (what, limit) = text.split_once("<=").ok_or_else(|| bad("there is no `<=`"))?;
        let (figure, name) = match what.trim().rsplit_once(' ') {
            None => (Figure::Bytes, what.trim()),
            Some((figure, name)) => {
                let found = FIGURES.iter().find(|(name, _)| *name == figure.trim());
                let names = "size, encode, decode, round-trip, encode-allocations, decode-allocations, encode-memory, decode-memory";
                (found.ok_or_else(|| bad(&format!("the figure is none of {names}")))?.1, name)
            }
        };
        let (name, compressor) = match name.split_once('+') {
            None => (name, None),
            Some((name, compressor)) => {
                (name, Some(of_compressor(compressor).ok_or_else(|| bad("the level is no number"))?))
            }
        };
        if compressor.is_some() && figure != Figure::Bytes {
            return Err(bad("under a compressor there is only the size"));
        }
        let (format, codec) =
            name.split_once('/').map_or((name, None), |(format, codec)| (format, Some(codec.to_owned())));
        if format.is_empty() {
            return Err(bad("no format is named"));
        }
        let limit = of_limit(limit.trim(), figure).map_err(|why| bad(&why))?;
        Ok(Self { text: text.to_owned(), figure, format: format.to_owned(), codec, compressor, limit })
    }

    /// Whether this is a bound on what it was before.
    pub fn is_relative(&self) -> bool {
        matches!(self.limit, Limit::Relative(_))
    }

    /// How a weighing keeps the bound; `before` is the one that relative bounds are to. Of several codecs, the best counts.
    pub fn check(&self, weighing: &Weighing, before: Option<&Weighing>) -> Outcome {
        let Some(found) = self.best(weighing) else {
            return Outcome::Unknown("the weighing has no such figure".into());
        };
        let limit = match (self.limit, before) {
            (Limit::Absolute(limit), _) => limit,
            (Limit::Relative(factor), Some(before)) => match self.best(before) {
                Some(old) => factor * old.high,
                None => return Outcome::Unknown("the earlier weighing has no such figure".into()),
            },
            (Limit::Relative(_), None) => {
                return Outcome::Unknown("there is no earlier weighing to compare with".into());
            }
        };
        let (found, least) = (found.value, found.low);
        if least > limit { Outcome::Broken { found, limit } } else { Outcome::Kept { found, limit } }
    }

    /// The best figure of the rows that are meant.
    fn best(&self, weighing: &Weighing) -> Option<Known> {
        let rows = weighing.rows.iter().filter(|row| {
            row.format == self.format && row.is_ranked() && self.codec.as_ref().is_none_or(|codec| *codec == row.codec)
        });
        rows.filter_map(|row| self.figure(row)).min_by(|a, b| a.value.total_cmp(&b.value))
    }

    fn figure(&self, row: &Row) -> Option<Known> {
        let time = |timing: Option<Timing>| {
            timing.map(|t| Known { value: t.median_ns, low: t.interval().low, high: t.interval().high })
        };
        let count = |found: Option<Allocations>| Some(Known::exactly(found?.count));
        let peak = |found: Option<Allocations>| Some(Known::exactly(found?.peak_bytes));
        let memory = row.memory.unwrap_or_default();
        match (self.figure, &self.compressor) {
            (Figure::Bytes, None) => row.bytes.map(Known::exactly),
            (Figure::Bytes, Some((name, level))) => {
                let fits = |c: &&crate::Compressed| c.compressor == *name && level.is_none_or(|l| c.level == Some(l));
                row.compressed.iter().find(fits).map(|c| Known::exactly(c.bytes))
            }
            (Figure::Encode, _) => time(row.encode),
            (Figure::Decode, _) => time(row.decode),
            (Figure::RoundTrip, _) => time(row.round_trip),
            (Figure::EncodeAllocations, _) => count(memory.encode),
            (Figure::DecodeAllocations, _) => count(memory.decode),
            (Figure::EncodeMemory, _) => peak(memory.first_encode),
            (Figure::DecodeMemory, _) => peak(memory.first_decode),
        }
    }

    /// A figure with its unit, for people.
    pub fn shown(&self, figure: f64) -> String {
        self.figure.unit().shown(figure)
    }
}

fn of_compressor(text: &str) -> Option<(String, Option<i32>)> {
    match text.split_once(':') {
        None => Some((text.to_owned(), None)),
        Some((name, level)) => Some((name.to_owned(), Some(level.parse().ok()?))),
    }
}

fn of_limit(text: &str, figure: Figure) -> Result<Limit, String> {
    let digits = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: f64 = number.parse().map_err(|_| "the bound is no number".to_owned())?;
    let unit = unit.trim();
    if unit == "x" {
        return Ok(Limit::Relative(number));
    }
    let of = figure.unit();
    if of == Unit::Allocations {
        let due = || "allocations are counted: the bound has no unit but x".to_owned();
        return if unit.is_empty() { Ok(Limit::Absolute(number)) } else { Err(due()) };
    }
    let unit = if unit.is_empty() && !of.is_time() { "B" } else { unit };
    let found = UNITS.iter().find(|(name, _, _)| *name == unit).ok_or_else(|| format!("there is no unit `{unit}`"))?;
    if found.2 != of.is_time() {
        let due = if of.is_time() { "ns, us, ms or s" } else { "B, KB, MB, GB, KiB, MiB or GiB" };
        return Err(format!("the unit has to be {due}, or x"));
    }
    Ok(Limit::Absolute(number * found.1))
}
