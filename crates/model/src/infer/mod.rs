//! From records without a schema to a [`Schema`].
//!
//! Any self-describing serde deserializer goes by once, record by record; nothing of a value is kept but what
//! it says of its field. So what an inference remembers grows with the number of different fields, and that is
//! limited: an object with very many keys is a dictionary, or an error.
//!
//! ```
//! use bantam_model::infer::Inference;
//! let mut inference = Inference::default();
//! for line in [r#"{"id": 1, "tags": ["a"]}"#, r#"{"id": -2, "name": "x", "tags": []}"#] {
//!     inference.observe(&mut serde_json::Deserializer::from_str(line))?;
//! }
//! let inferred = inference.finish("Record")?;
//! let fields: Vec<_> = inferred.schema.message(inferred.root).fields.iter().map(|f| f.name.as_str()).collect();
//! assert_eq!(fields, ["id", "name", "tags"]);
//! # Ok::<(), bantam_model::Error>(())
//! ```
//!
//! # Rules
//! - **Fields** keep their names and the order of the records; one that only later records have comes after the
//!   field that it follows there. Numbers run from 1 in that order.
//! - **Required** is a field that every object of its place had, not null; any other is optional. A null is
//!   absence ([`Lowerings::NULL_ABSENT`]). A field that was only ever null has no kind: it is left out and noted.
//!   A null in a list is an error; an object with nulls is no dictionary.
//! - **Whole numbers** are `uint32` or `uint64` if none is negative, else `sint32` or `sint64`.
//! - **Floats** make a field `double`. Whole numbers beside floats become doubles if none is beyond 2^53, else
//!   it is an error. A deserializer gives a float for what is written with a point or an exponent, be it `1.0`,
//!   `1e3`, or whole in every record: such a field stays `double`, so that it is written as it was read, and is
//!   noted; [`Options::whole_floats`] makes it a whole number. `-0` is a float, too. Whole numbers beyond 64 bits
//!   are doubles if one holds them exactly, else an error (`serde_json` gives the nearest float: a note).
//! - **Text** is never read as a number, but for the cells of [`Inference::observe_text_row`]. What a deserializer
//!   itself takes for a number comes as a number.
//! - **Lists** are repeated fields; a list that was always empty is one of text, and noted. A list in a list or
//!   in a dictionary is in a message of [`Shape::Wrapper`] with the one field `values`.
//! - **Objects** are messages named after their field: `RetweetedStatus`, then `RetweetedStatus2`. Where two
//!   fields of one name have the same structure throughout, they share the message.
//! - **Dictionaries** become maps with text as keys, by a careful rule: every key looks like an id (a
//!   number, date, UUID, hash); or there are 64 keys and more whose values are objects of one shape; or 1,024 keys and
//!   more; or 64 keys and more that vary from object to object. All values have to fit one field.
//! - **Values of several kinds** in one field are an error that names the path, both kinds and their records.
//!
//! [`Lowerings::NULL_ABSENT`]: crate::Lowerings::NULL_ABSENT
//! [`Shape::Wrapper`]: crate::Shape::Wrapper

mod at;
mod build;
mod cells;
mod context;
mod dictionary;
mod note;
mod number;
mod place;
mod records;
mod visit;

pub use at::{At, Seek};
pub use note::Note;

use crate::error::{Error, ErrorKind, Result};
use crate::limits::Limits;
use crate::lowering::Lowerings;
use crate::schema::{MessageId, Schema};
use build::Builder;
use context::Context;
use place::{Class, NONE, Object, Seen};
use records::Records;
use serde::de::{DeserializeSeed, Deserializer};

/// What an inference may do.
///
/// ```
/// use bantam_model::{Limits, infer::Options};
/// let options = Options::default().limits(Limits::default().depth(20)).whole_floats(true);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Options {
    limits: Limits,
    whole_floats: bool,
}

impl Options {
    /// Sets the limits, of which the depth counts here: how deep messages may nest, with those that stand for
    /// nested lists and map entries.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets whether a field whose floats are all whole, up to 2^53, has whole numbers. By default it has
    /// doubles, as `1.0` would else be written as `1`.
    #[must_use]
    pub fn whole_floats(mut self, integers: bool) -> Self {
        self.whole_floats = integers;
        self
    }
}

/// Sees records, and infers their schema.
///
/// After an error it has seen a part of a record, and is of no more use.
#[derive(Debug)]
pub struct Inference {
    root: Object,
    context: Context,
    whole_floats: bool,
}

impl Default for Inference {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

/// An inferred schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Inferred {
    /// The schema, its messages in the order in which the records use them.
    pub schema: Schema,
    /// The message that the records are: the first one.
    pub root: MessageId,
    /// What else was noticed, in the order of the fields.
    pub notes: Vec<Note>,
}

impl Inferred {
    /// How the records change by being read with this schema: nulls, if there were any, become absence.
    pub fn lowerings(&self) -> Lowerings {
        let nulls = self.notes.iter().any(|n| matches!(n, Note::Nulls { .. } | Note::OnlyNulls { .. }));
        if nulls { Lowerings::NULL_ABSENT } else { Lowerings::NONE }
    }
}

impl Inference {
    /// Starts without any record.
    pub fn new(options: Options) -> Self {
        let Options { limits, whole_floats } = options;
        Self { root: Object::default(), context: Context::new(limits), whole_floats }
    }

    /// Records seen.
    pub fn records(&self) -> u64 {
        self.context.record
    }

    /// Sees one record: an object, such as a line of NDJSON.
    ///
    /// # Errors
    /// With the record and the field's path: [`ErrorKind::Mismatch`] if it is no object, or if a field's values
    /// are of several kinds; [`ErrorKind::Unsupported`] for a null in a list or dictionary; [`ErrorKind::Range`] for a whole number that
    /// no kind holds; [`ErrorKind::Limit`] at the limit of depth, or if the records have too many different
    /// fields; [`ErrorKind::Syntax`] for what the deserializer says.
    pub fn observe<'de, D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<()> {
        self.observe_with(deserializer, false)
    }

    /// Sees a list of records, or a single one that is in no list.
    ///
    /// # Errors
    /// As [`Inference::observe`].
    pub fn observe_list<'de, D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<()> {
        self.observe_with(deserializer, true)
    }

    /// Sees the list of records, or the record, at a place of a document.
    ///
    /// # Errors
    /// As [`Inference::observe`] and [`At::read`].
    pub fn observe_at<'de, D: Deserializer<'de>>(&mut self, at: &At, deserializer: D) -> Result<()> {
        self.context.start();
        let records = Records { root: &mut self.root, context: &mut self.context, list: true };
        let read = at.read(deserializer, records);
        match self.context.take_failure() {
            Some(error) => Err(error),
            None => read,
        }
    }

    /// Sees a row of text cells, such as a line of CSV. An empty cell is absence.
    ///
    /// A column has numbers if all its cells are numbers as JSON spells them, and none would lose a digit: `007`,
    /// `+49` or more digits than fit make it text. It has bools if all cells are `true` or `false`. A column
    /// that was always empty is text.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] if there are more cells than names, [`ErrorKind::Schema`] if two names are the same,
    /// [`ErrorKind::Limit`] if there are too many.
    pub fn observe_text_row<N: AsRef<str>, C: AsRef<str>>(&mut self, names: &[N], cells: &[C]) -> Result<()> {
        let record = self.context.record;
        self.add_row(names, cells).map_err(|e| e.in_record(record as usize))?;
        self.context.record += 1;
        Ok(())
    }

    /// The schema of all records, whose message gets the name given, with its package if it has one.
    ///
    /// # Errors
    /// [`ErrorKind::Range`] with the field's path if no kind holds all its numbers.
    pub fn finish(mut self, root_name: &str) -> Result<Inferred> {
        dictionary::settle_fields(&mut self.root);
        let (schema, notes) = Builder::new(self.whole_floats).build(&self.root, root_name)?;
        Ok(Inferred { schema, root: MessageId(0), notes })
    }

    fn observe_with<'de, D: Deserializer<'de>>(&mut self, deserializer: D, list: bool) -> Result<()> {
        self.context.start();
        let records = Records { root: &mut self.root, context: &mut self.context, list };
        let seen = records.deserialize(deserializer);
        self.context.finish(seen)
    }

    fn add_row<N: AsRef<str>, C: AsRef<str>>(&mut self, names: &[N], cells: &[C]) -> Result<()> {
        if cells.len() > names.len() {
            let what = format!("{} cells, but {} columns have a name", cells.len(), names.len());
            return Err(Error::new(ErrorKind::Mismatch, what));
        }
        self.root.begin();
        let mut after = NONE;
        for (column, name) in names.iter().enumerate() {
            let (at, new) = self.root.key(name.as_ref(), after);
            after = at;
            if new {
                self.context.grow(self.root.fields.len())?;
            }
            let field = &mut self.root.fields[at as usize];
            if field.twice {
                return Err(Error::new(ErrorKind::Schema, format!("two columns are named `{}`", field.name)));
            }
            let cell = cells.get(column).map_or("", AsRef::as_ref);
            let seen = field.place.admit(Class::Cell, self.context.record).map_err(|e| e.in_field(name.as_ref()))?;
            if let (Seen::Cells(column), false) = (seen, cell.is_empty()) {
                column.add(cell, self.context.record);
            }
            field.place.values -= u64::from(cell.is_empty());
        }
        Ok(())
    }
}
