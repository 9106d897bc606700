//! Random schemas, and records of any schema, to test codecs with: everything that is legal and rare.
//!
//! A batch keeps to the rules that all readers keep to, so that a codec can be asked to give back the same:
//!
//! - a zero with implicit presence is never stored, and of a oneof at most one field;
//! - required fields are always there;
//! - a map's keys are unique, and an entry has its key and its value;
//! - a set of scalars has no item twice;
//! - the list in a message that stands for a list is always there, empty or not;
//! - the number in a closed enum has a name.

mod batch;
mod schema;
mod text;

use crate::Rng;
use bantam_model::{Batch, Layout, Result, Schema};
use std::ops::BitOr;
use std::sync::Arc;

/// A set of things that random schemas and values may have, so that tests of a format can leave out what it
/// cannot hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Classes(u32);

macro_rules! classes {
    ($($bit:literal $name:ident $text:literal;)*) => {
        impl Classes {
            $(#[doc = $text] pub const $name: Self = Self(1 << $bit);)*

            /// Everything.
            pub const ALL: Self = Self($(1 << $bit)|*);
        }
    };
}

classes! {
    0 BYTES "Schemas: fields of bytes.";
    1 MESSAGES "Schemas: fields of messages.";
    2 LISTS "Schemas: repeated fields and sets.";
    3 MAPS "Schemas: maps.";
    4 ANY_KEYS "Schemas: map keys that are no string, whole number or bool, as Thrift has them.";
    5 ODD_NAMES "Schemas: field names that are no identifiers, as inference may find them.";
    6 NON_FINITE "Values: NaN and infinities.";
    7 NAN_PAYLOAD "Values: other NaNs than the usual one; only with `NON_FINITE`.";
    8 EMPTY_LISTS "Values: lists, sets and maps that are there and empty.";
    9 EMPTY_TEXT "Values: empty strings and bytes.";
    10 CONTROL "Values: the control characters U+0000 to U+001F but tab, line feed and carriage return; U+FFFE, U+FFFF.";
    11 UNNAMED "Values: numbers without a name in open enums.";
}

impl Classes {
    /// Whether all of `other` are in it.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Those that are not in `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitOr for Classes {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What a random schema is legal in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Protocol Buffers 2.
    Proto2,
    /// Protocol Buffers 3.
    Proto3,
    /// Thrift.
    Thrift,
    /// None of them: everything that the model has, side by side.
    Mixed,
}

/// What to make. The default is everything, in any dialect.
///
/// ```
/// use bantam_sample::random::{Classes, Options};
/// use bantam_sample::Rng;
/// let flat = Options::default().without(Classes::MESSAGES | Classes::LISTS | Classes::MAPS);
/// let schema = flat.schema(&mut Rng::new(1), 10);
/// assert_eq!(schema.messages.len(), 1);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Options {
    allowed: Classes,
    dialect: Option<Dialect>,
}

impl Default for Options {
    fn default() -> Self {
        Self { allowed: Classes::ALL, dialect: None }
    }
}

impl Options {
    /// Leaves out these classes.
    #[must_use]
    pub fn without(mut self, classes: Classes) -> Self {
        self.allowed = self.allowed.without(classes);
        self
    }

    /// Keeps to a dialect.
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = Some(dialect);
        self
    }

    fn allows(self, class: Classes) -> bool {
        self.allowed.contains(class)
    }

    /// A schema whose messages have up to about `size` fields each; now and then one has more than 64. The
    /// root is message 0.
    #[must_use]
    pub fn schema(&self, rng: &mut Rng, size: usize) -> Schema {
        schema::make(rng, size, *self)
    }

    /// A random schema compiled for its root.
    ///
    /// # Panics
    /// Never: every schema made here is valid.
    #[must_use]
    pub fn layout(&self, rng: &mut Rng, size: usize) -> Arc<Layout> {
        let schema = Arc::new(self.schema(rng, size));
        Arc::new(Layout::new(schema, bantam_model::MessageId(0)).expect("random schemas are valid"))
    }

    /// Records of any schema for a seed.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`](bantam_model::ErrorKind::Limit) if the records do not fit a batch, or if a message
    /// requires itself.
    pub fn batch(&self, layout: &Arc<Layout>, records: usize, seed: u64) -> Result<Batch<'static>> {
        batch::make(layout, records, seed, *self)
    }
}

/// A schema of everything; see [`Options::schema`].
#[must_use]
pub fn schema(rng: &mut Rng, size: usize) -> Schema {
    Options::default().schema(rng, size)
}

/// Records with everything; see [`Options::batch`].
///
/// # Errors
/// As [`Options::batch`].
pub fn batch(layout: &Arc<Layout>, records: usize, seed: u64) -> Result<Batch<'static>> {
    Options::default().batch(layout, records, seed)
}
