//! The figures of one weigh-in: pure data, and a promise.
//!
//! Every field below is a key of the JSON document under its own name. Within one [`SCHEMA_VERSION`], keys
//! keep their names and meanings and none goes away; new ones may come. A value that is not there is
//! `null`, never 0. Times are nanoseconds for the whole batch of records.

use serde::{Deserialize, Serialize};

use crate::{Advice, Crossover, Each, FieldCost, Link, Memory, NamedWay, Timing};

/// The version of the document's keys.
pub const SCHEMA_VERSION: u32 = 1;

/// One weigh-in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Weighing {
    /// `schema_version`: [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// `environment`: where it was measured. Absolute times hold only there.
    pub environment: Environment,
    /// `input`: what was weighed.
    pub input: Input,
    /// `includes`: what the times include, a sentence each: who owns strings, whether buffers are
    /// reused, whether freeing counts.
    #[serde(default)]
    pub includes: Vec<String>,
    /// `rows`: one for each format, codec and framing; the source's own first.
    pub rows: Vec<Row>,
    /// `notes`: what reading the input found, assumed or left out.
    #[serde(default)]
    pub notes: Vec<Note>,
    /// `advice`: what makes the figures less than they could be ([`Weighing::advise`]).
    #[serde(default)]
    pub advice: Vec<Advice>,
    /// `links`: what is best over the links that were asked for ([`Weighing::weigh_links`]).
    #[serde(default)]
    pub links: Vec<Link>,
    /// `front`: the ways that no other beats in both size and work there and back, of each lane, smallest first.
    #[serde(default)]
    pub front: Vec<NamedWay>,
    /// `crossovers`: the speeds of a link at which the best way changes, of each lane, slowest first.
    #[serde(default)]
    pub crossovers: Vec<Crossover>,
}

/// What reading the input found, assumed or left out.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Note {
    /// `kind`: a name for programs; `null` for a plain sentence.
    pub kind: Option<String>,
    /// `warning`: whether something was assumed, or is not as it should be.
    pub warning: bool,
    /// `text`: for people.
    pub text: String,
    /// `count`: how often; `null` where that means nothing.
    pub count: Option<u64>,
    /// `line`: of the first place, from 1; `null` where it is not known.
    pub line: Option<u64>,
    /// `column`: of the first place, from 1, in bytes.
    pub column: Option<u64>,
}

/// Where a weigh-in took place. Filled in by the caller; this crate looks at nothing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Environment {
    /// `bantam`: the version of Bantam.
    pub bantam: String,
    /// `rustc`: the compiler that built it, as it names itself.
    pub rustc: Option<String>,
    /// `target`: the target triple it was built for.
    pub target: Option<String>,
    /// `profile`: `release`, or `debug`, whose times mean nothing.
    pub profile: Option<String>,
    /// `os`: the operating system.
    pub os: Option<String>,
    /// `cpu`: the processor's model.
    pub cpu: Option<String>,
    /// `cores`: how many of its cores the program may use.
    pub cores: Option<u32>,
    /// `allocator`: the memory allocator.
    pub allocator: Option<String>,
    /// `clock_precision_ns`: what a reading of the clock may be off by, in nanoseconds.
    pub clock_precision_ns: Option<f64>,
    /// `date`: the day, as YYYY-MM-DD.
    pub date: Option<String>,
    /// `busy_cores`: how many cores other processes kept busy while times were taken; `null` where the system does not tell.
    pub busy_cores: Option<f64>,
}

/// What was weighed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Input {
    /// `name`: the file's or sample's name.
    pub name: String,
    /// `format`: the format it came in, a name from the table of formats; `null` for a sample.
    pub format: Option<String>,
    /// `bytes`: its size as it came, in bytes; `null` for a sample, which has none of its own.
    pub bytes: Option<u64>,
    /// `records`: how many records it holds.
    pub records: u64,
    /// `message`: the name of the message type that a record is.
    pub message: Option<String>,
    /// `seed`: of a sample.
    pub seed: Option<u64>,
    /// `hash`: of the input's bytes, as `ALGORITHM:HEX`.
    pub hash: Option<String>,
}

/// One way to write the records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// `format`: a name from the table of formats.
    pub format: String,
    /// `codec`: which implementation wrote and read it.
    pub codec: String,
    /// `adapter`: whether it goes through the serde adapter, which costs time of its own.
    #[serde(default)]
    pub adapter: bool,
    /// `floor`: whether it is no format, but the least that a way of writing and reading can cost; it is not ranked.
    #[serde(default)]
    pub floor: bool,
    /// `lane`: rankings never mix lanes.
    pub lane: Lane,
    /// `allocator`: the memory allocator of the row's program, where that is not Bantam's own; else `null`.
    #[serde(default)]
    pub allocator: Option<String>,
    /// `framing`: `list`, `stream` or `each`.
    pub framing: String,
    /// `source`: whether this is the input's own format; ratios are to its bytes.
    #[serde(default)]
    pub source: bool,
    /// `fidelity`: what came back when the bytes were read again.
    pub fidelity: Fidelity,
    /// `profile`: how values that the format does not hold natively were lowered, a line each.
    #[serde(default)]
    pub profile: Vec<String>,
    /// `reason`: for `lossy` the path and the two values of the first difference, for `unsupported` what
    /// stands in the way; else `null`.
    pub reason: Option<String>,
    /// `bytes`: the size of all records in this format, in bytes.
    pub bytes: Option<u64>,
    /// `encode`: records to bytes.
    pub encode: Option<Timing>,
    /// `decode`: bytes to records.
    pub decode: Option<Timing>,
    /// `round_trip`: both, one after the other, measured as one.
    pub round_trip: Option<Timing>,
    /// `compressed`: the row's bytes under each compressor.
    #[serde(default)]
    pub compressed: Vec<Compressed>,
    /// `memory`: what it allocates; `null` where that was not counted.
    #[serde(default)]
    pub memory: Option<Memory>,
    /// `fields`: which field the bytes are of, the costliest first; their sum is `bytes`. Of binary formats only.
    #[serde(default)]
    pub fields: Vec<FieldCost>,
    /// `each`: its messages, each by itself; `null` where that was not asked for.
    #[serde(default)]
    pub each: Option<Each>,
}

/// A row's bytes under one compressor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compressed {
    /// `compressor`: a name from the table of compressors.
    pub compressor: String,
    /// `level`: its level; `null` when it has none.
    pub level: Option<i32>,
    /// `bytes`: the size under it, in bytes.
    pub bytes: u64,
    /// `compress`: the row's bytes to these.
    pub compress: Option<Timing>,
    /// `decompress`: and back.
    pub decompress: Option<Timing>,
}

/// How a format was driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lane {
    /// `runtime`: by a schema known at run time.
    Runtime,
    /// `native`: by types generated from the schema and compiled.
    Native,
}

/// What came back when the bytes were read again and compared with the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fidelity {
    /// `exact`: the same records.
    Exact,
    /// `profile`: the same records, by way of a stated lowering.
    Profile,
    /// `lossy`: other records; the row is not ranked.
    Lossy,
    /// `unsupported`: nothing, since the format cannot hold them.
    Unsupported,
}

impl Weighing {
    /// The row of the input's own format.
    pub fn source(&self) -> Option<&Row> {
        self.rows.iter().find(|row| row.source)
    }

    /// The size that ratios are to: the input's as it came, or else the source row's.
    pub fn source_bytes(&self) -> Option<u64> {
        self.input.bytes.or_else(|| self.source()?.bytes)
    }

    /// `bytes` as a part of the source's: 0.25 for a quarter. `None` when the source has no bytes.
    pub fn ratio(&self, bytes: u64) -> Option<f64> {
        let source = self.source_bytes().filter(|source| *source > 0)?;
        Some(bytes as f64 / source as f64)
    }

    /// A time of the whole batch as the time of one record. `None` without records.
    pub fn per_record(&self, nanos: f64) -> Option<f64> {
        (self.input.records > 0).then(|| nanos / self.input.records as f64)
    }

    /// The compressors and levels that occur, in the order in which they first do.
    pub fn compressors(&self) -> Vec<(&str, Option<i32>)> {
        let mut found = Vec::new();
        for compressed in self.rows.iter().flat_map(|row| &row.compressed) {
            if !found.contains(&compressed.key()) {
                found.push(compressed.key());
            }
        }
        found
    }

    /// The lanes that occur, `runtime` first.
    pub fn lanes(&self) -> Vec<Lane> {
        [Lane::Runtime, Lane::Native].into_iter().filter(|lane| self.rows.iter().any(|row| row.lane == *lane)).collect()
    }
}

impl Row {
    /// Whether the row takes part in rankings: only what came back equal does.
    pub fn is_ranked(&self) -> bool {
        !self.floor && matches!(self.fidelity, Fidelity::Exact | Fidelity::Profile)
    }

    /// The row's bytes under that compressor at that level.
    pub fn under(&self, compressor: &str, level: Option<i32>) -> Option<&Compressed> {
        self.compressed.iter().find(|compressed| compressed.key() == (compressor, level))
    }
}

impl Compressed {
    /// The compressor's name and level, which tell columns apart.
    pub fn key(&self) -> (&str, Option<i32>) {
        (&self.compressor, self.level)
    }
}

impl Fidelity {
    /// The word that stands for it in every report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Profile => "profile",
            Self::Lossy => "lossy",
            Self::Unsupported => "unsupported",
        }
    }
}

impl Lane {
    /// The word that stands for it in every report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Runtime => "runtime",
            Self::Native => "native",
        }
    }
}
