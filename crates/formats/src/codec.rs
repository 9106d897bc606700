//! What a format is: its row in the table, and the trait of its codecs.

use crate::cost::Account;
use bantam_model::{Batch, Error, ErrorKind, Idl, Layout, Lowerings, Result, Row};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

/// A format: one row of [`FORMATS`](crate::FORMATS). Help, documentation, tests and fuzzing follow from it.
#[derive(Debug)]
pub struct Format {
    /// The name that commands take.
    pub name: &'static str,
    /// What it is and how records lie in it, in one line.
    pub about: &'static str,
    /// File extensions without the dot, the usual one first; a style of another format may have none.
    pub extensions: &'static [&'static str],
    /// The framings it has, the usual one for several records first. Each has [`Framing::Each`] too.
    pub framings: &'static [Framing],
    /// Whether people can read it.
    pub text: bool,
    /// Which records it is for, and which ways it goes.
    pub scope: Scope,
    /// The kind of schema file that may stand in for the main schema in this format.
    pub idl: Option<Idl>,
    /// The lowerings that its representation of values may need.
    pub lowers: Lowerings,
    /// The differences that reading back may show, each a stated lowering.
    pub forgets: Lowerings,
    /// The codecs for it, Bantam's own first where there is one.
    pub engines: &'static [Engine],
    /// Tells which field each byte of a file belongs to, of binary formats.
    pub costs: Option<Costs>,
}

/// Adds the bytes of a file to an account: by the layout that they were written by, and the framing.
///
/// # Errors
/// If the bytes are not such a file.
pub type Costs = fn(&Layout, &[u8], Framing, &mut Account) -> Result<()>;

/// Which records a format is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Records of any schema, read and written.
    Any,
    /// Records of one message only: a format of one field of knowledge.
    Only {
        /// The message's full name.
        message: &'static str,
        /// Whether it is read.
        reads: bool,
        /// Whether it is written.
        writes: bool,
    },
}

/// A library that reads and writes a format.
#[derive(Debug)]
pub struct Engine {
    /// The library: `bantam`, `serde_json`, …
    pub name: &'static str,
    /// Whether it goes through the serde adapter, which costs time of its own.
    pub adapter: bool,
    /// Makes a codec for records of this layout.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`], with the field, if the format cannot hold the schema.
    pub build: fn(&Arc<Layout>) -> Result<Box<dyn Codec>>,
}

/// Turns batches of one layout into bytes and back. What it learns from the data, it keeps for itself, so
/// each thread has its own.
pub trait Codec: Send {
    /// Appends one record by itself.
    ///
    /// # Errors
    /// If the format cannot hold a value.
    fn encode_each(&mut self, row: Row<'_>, out: &mut Vec<u8>) -> Result<()>;

    /// Reads the one record that lies in `input[at]` and adds it to the batch, which was reset to `input`.
    ///
    /// # Errors
    /// If the bytes are not such a record; positions count from the start of `input`.
    fn decode_each<'a>(&mut self, input: &'a [u8], at: Range<usize>, batch: &mut Batch<'a>) -> Result<()>;

    /// Appends all records in one of the format's framings.
    ///
    /// # Errors
    /// If the format cannot hold a value, or does not have the framing.
    fn encode(&mut self, batch: &Batch<'_>, framing: Framing, out: &mut Vec<u8>) -> Result<()>;

    /// Empties the batch and reads all records into it.
    ///
    /// # Errors
    /// If the bytes are not such records, the format does not have the framing, or a limit of the batch is reached. The batch's content is then
    /// what was read so far and means nothing.
    fn decode<'a>(&mut self, input: &'a [u8], framing: Framing, batch: &mut Batch<'a>) -> Result<()>;
}

/// How several records lie in one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Framing {
    /// The batch as one document, the format's own way.
    List,
    /// One record after another.
    Stream,
    /// Every record by itself.
    Each,
}

impl Framing {
    /// All, in the order of listings.
    pub const ALL: [Self; 3] = [Self::List, Self::Stream, Self::Each];

    /// The name that commands take.
    pub const fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Stream => "stream",
            Self::Each => "each",
        }
    }
}

impl fmt::Display for Framing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Framing {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|f| f.name() == name).ok_or_else(|| {
            Error::new(ErrorKind::Unsupported, format!("no framing `{name}`; there are list, stream and each"))
        })
    }
}

impl Format {
    /// Whether it can be read.
    pub const fn reads(&self) -> bool {
        matches!(self.scope, Scope::Any | Scope::Only { reads: true, .. })
    }

    /// Whether it can be written.
    pub const fn writes(&self) -> bool {
        matches!(self.scope, Scope::Any | Scope::Only { writes: true, .. })
    }

    /// The full name of the only message that it holds, if it is for one alone.
    pub const fn only(&self) -> Option<&'static str> {
        match self.scope {
            Scope::Any => None,
            Scope::Only { message, .. } => Some(message),
        }
    }

    /// The codec of this name.
    pub fn engine(&self, name: &str) -> Option<&'static Engine> {
        self.engines.iter().find(|e| e.name == name)
    }

    /// Whether it has this framing.
    pub fn has(&self, framing: Framing) -> bool {
        framing == Framing::Each || self.framings.contains(&framing)
    }

    /// Checks that it has this framing.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if not.
    pub fn check(&self, framing: Framing) -> Result<()> {
        if self.has(framing) { Ok(()) } else { Err(self.no_framing(framing)) }
    }

    /// An error for a framing that the format does not have.
    pub fn no_framing(&self, framing: Framing) -> Error {
        let has: Vec<_> = self.framings.iter().map(|f| f.name()).chain(["each"]).collect();
        let text = format!("{} has no framing `{framing}`; it has {}", self.name, has.join(", "));
        Error::new(ErrorKind::Unsupported, text)
    }
}
