//! Rows through serde, so that any serde library can carry a schema that is known only at run time.
//!
//! Writing: [`Row`](crate::Row) is `Serialize`, and [`Records`] is all records of a batch as one sequence. Reading: a
//! [`Reader`] appends to a batch and gives the seeds [`RecordSeed`] and [`RecordsSeed`].
//!
//! | value | written as | read from |
//! |---|---|---|
//! | message | a map of the fields that are there | a map; unknown keys are skipped and counted |
//! | list, set | a sequence, also when it is empty | a sequence without nulls |
//! | map with a scalar key | a map | a map, or a sequence of `{key, value}` |
//! | map with any other key | a sequence of `{key, value}` | the same |
//! | message of [`Shape::Wrapper`](crate::Shape) | its bare list | a sequence or map |
//! | integer | a number, 64 bits too | a number without a fraction; 64 bits also from text |
//! | float, double | a number; NaN and infinities as text unless [`Style::floats`] says otherwise | the same, or an integer |
//! | enum | its name, its number where it has none | name or number |
//! | bytes | base64 text, standard alphabet, padded | both alphabets, padded or not |
//! | absent field | nothing | nothing, or null |
//!
//! Names and base64 are for formats that people read; the others get numbers and bytes. Of several values for
//! one field the last one counts, and of the members of a oneof the last one. Fields of
//! [`Presence::Implicit`](crate::Presence) that hold zero, false or nothing are absent. Of a map's entries with
//! one key the last value counts, in the place of the first.
//!
//! Text that the library borrows from the batch's input becomes a range of it; other text is copied into the batch.
//! [`Discard`] and [`Replay`] are no libraries but the least that one can cost.
//!
//! The numbers of an enum that is not open count as unknown fields when they have no name.

mod de;
mod floor;
mod ser;
mod text;

#[cfg(test)]
mod tests;

pub use de::{Reader, RecordSeed, RecordsSeed};
pub use floor::{Discard, Replay};
pub use ser::{Record, Records};

/// What differs between serde libraries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Style {
    /// How NaN and infinities are written.
    pub floats: NonFinite,
    /// Scalars have no type of their own: the library reads what it is asked for, as in YAML, where `123` is
    /// the text "123" for a string field and `1e3` is a float for a double.
    pub untyped: bool,
    /// Unknown values are walked value by value, for a library whose own way to skip them has no limit of depth.
    pub walk_unknown: bool,
}

impl Style {
    /// JSON as `serde_json` has it.
    pub const JSON: Self = Self { floats: NonFinite::Text, untyped: false, walk_unknown: false };
    /// YAML.
    pub const YAML: Self = Self { floats: NonFinite::Native, untyped: true, walk_unknown: false };
    /// A library that skips unknown values by recursion without a limit.
    pub const JSON_WALKED: Self = Self { floats: NonFinite::Text, untyped: false, walk_unknown: true };
}

/// How NaN and infinities are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NonFinite {
    /// As the texts `NaN`, `Infinity`, `-Infinity` where people read the format, as floats elsewhere.
    #[default]
    Text,
    /// As floats, for libraries that write them properly.
    Native,
}
