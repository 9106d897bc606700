//! Budgets: what a weighing may cost at most, so that it can stand in a continuous integration.
//!
//! `protobuf<=15KB, decode protobuf<=1.1x, json+zlib<=20KiB, encode json/serde_json<=2ms`: a figure (bytes, if none is named),
//! a format with perhaps its codec and a compressor, and a bound: bytes, a time for all records, or, with `x`, so many times
//! the same figure of an earlier weighing. A time is over its budget only if its whole interval is.

use crate::{Row, Timing, Weighing};
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
                let figure = match figure.trim() {
                    "size" | "bytes" => Figure::Bytes,
                    "encode" => Figure::Encode,
                    "decode" => Figure::Decode,
                    "round trip" | "round-trip" => Figure::RoundTrip,
                    _ => return Err(bad("the figure is none of size, encode, decode, round-trip")),
                };
                (figure, name)
            }
        };
        let (name, compressor) = match name.split_once('+') {
            None => (name, None),
            Some((name, compressor)) => {
                (name, Some(of_compressor(compressor).ok_or_else(|| bad("the level is no number"))?))
            }
        };
        if compressor.is_some() && figure != Figure::Bytes {
            return Err(bad("a compressor has a size here, no time"));
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
        let Some((found, least)) = self.best(weighing) else {
            return Outcome::Unknown("the weighing has no such figure".into());
        };
        let limit = match (self.limit, before) {
            (Limit::Absolute(limit), _) => limit,
            (Limit::Relative(factor), Some(before)) => match self.best(before) {
                Some((old, _)) => factor * old,
                None => return Outcome::Unknown("the earlier weighing has no such figure".into()),
            },
            (Limit::Relative(_), None) => {
                return Outcome::Unknown("there is no earlier weighing to compare with".into());
            }
        };
        if least > limit { Outcome::Broken { found, limit } } else { Outcome::Kept { found, limit } }
    }

    /// The best figure of the rows that are meant, and the least that it may really be.
    fn best(&self, weighing: &Weighing) -> Option<(f64, f64)> {
        let rows = weighing.rows.iter().filter(|row| {
            row.format == self.format && row.is_ranked() && self.codec.as_ref().is_none_or(|codec| *codec == row.codec)
        });
        rows.filter_map(|row| self.figure(row)).min_by(|a, b| a.0.total_cmp(&b.0))
    }

    fn figure(&self, row: &Row) -> Option<(f64, f64)> {
        let time = |timing: &Option<Timing>| timing.map(|t| (t.median_ns, t.interval().low));
        match (self.figure, &self.compressor) {
            (Figure::Bytes, None) => row.bytes.map(|bytes| (bytes as f64, bytes as f64)),
            (Figure::Bytes, Some((name, level))) => {
                let fits = |c: &&crate::Compressed| c.compressor == *name && level.is_none_or(|l| c.level == Some(l));
                row.compressed.iter().find(fits).map(|c| (c.bytes as f64, c.bytes as f64))
            }
            (Figure::Encode, _) => time(&row.encode),
            (Figure::Decode, _) => time(&row.decode),
            (Figure::RoundTrip, _) => time(&row.round_trip),
        }
    }

    /// A figure with its unit, for people.
    pub fn shown(&self, figure: f64) -> String {
        if self.figure == Figure::Bytes {
            return format!("{figure:.0} bytes");
        }
        crate::Picos((figure * 1_000.0) as u64).to_string()
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
    let is_time = figure != Figure::Bytes;
    let unit = if unit.is_empty() && !is_time { "B" } else { unit };
    let found = UNITS.iter().find(|(name, _, _)| *name == unit).ok_or_else(|| format!("there is no unit `{unit}`"))?;
    if found.2 != is_time {
        let due = if is_time { "ns, us, ms or s" } else { "B, KB, MB, GB, KiB, MiB or GiB" };
        return Err(format!("the unit has to be {due}, or x"));
    }
    Ok(Limit::Absolute(number * found.1))
}
