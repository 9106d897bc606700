//! Schemas, row layouts and record batches of Bantam.
//!
//! A [`Schema`] says what records hold; it comes from an IDL file or from the records themselves
//! ([`source`]). A [`Layout`] is a schema compiled for speed, and a [`Batch`] holds many
//! records of one message in one flat buffer, laid out by it. Every codec reads and writes batches,
//! so any two formats can be converted into each other and compared value by value.

pub mod error;
pub mod limits;
pub mod schema;

pub mod adapter;
mod append;
pub mod batch;
pub mod compare;
pub mod infer;
pub mod layout;
pub mod lowering;
pub mod row;
pub mod source;

pub use batch::{Batch, List, Span};
pub use compare::{Difference, compare};
pub use error::{Error, ErrorKind, Position, Result};
pub use layout::{Layout, MessageLayout, Presence, Slot};
pub use limits::Limits;
pub use lowering::Lowerings;
pub use row::{Items, Row, Value};
pub use schema::{
    Cardinality, Constant, Encoding, Enum, EnumId, EnumValue, Field, Int, Kind, Message, MessageId, Schema, Shape,
    Width,
};
pub use source::{Idl, Source};
