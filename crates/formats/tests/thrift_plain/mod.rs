//! Thrift's protocols once more, as plainly as they can be said: the judge of the fast reader and writer.

#![allow(unreachable_pub, reason = "shared within one test binary")]

mod read;
mod write;

pub use read::Reader;
pub use write::Writer;

use bantam_model::{Cardinality, Error, ErrorKind, Int, Kind, Layout, Result, Shape, Slot, Width};

// Types as the binary protocol numbers them.
pub const BOOL: u8 = 2;
pub const DOUBLE: u8 = 4;
pub const BINARY: u8 = 11;
pub const STRUCT: u8 = 12;
pub const MAP: u8 = 13;
pub const SET: u8 = 14;
pub const LIST: u8 = 15;
pub const UUID: u8 = 16;
/// The same types by their numbers in the compact protocol; false is 2 there.
pub const COMPACT: [u8; 14] = [0, BOOL, BOOL, 3, 6, 8, 10, DOUBLE, BINARY, LIST, SET, MAP, STRUCT, UUID];

pub fn bad<T>(text: &str) -> Result<T> {
    Err(Error::new(ErrorKind::Syntax, text))
}

pub fn type_of(layout: &Layout, slot: &Slot, item: bool) -> u8 {
    match (slot.cardinality, slot.kind) {
        (Cardinality::Map, _) if !item => MAP,
        (Cardinality::Set, _) if !item => SET,
        (Cardinality::Repeated, _) if !item => LIST,
        (_, Kind::Bool) => BOOL,
        (_, Kind::Int(Int { signed, width, .. })) => match (width, signed) {
            (Width::W8, true) => 3,
            (Width::W16, true) | (Width::W8, false) => 6,
            (Width::W32, true) | (Width::W16, false) => 8,
            _ => 10,
        },
        (_, Kind::Enum(_)) => 8,
        (_, Kind::Float | Kind::Double) => DOUBLE,
        (_, Kind::String | Kind::Bytes) => BINARY,
        (_, Kind::Message(id)) => match layout.message(id) {
            of if of.shape == Shape::Wrapper => type_of(layout, &of.slots[0], false),
            _ => STRUCT,
        },
    }
}
