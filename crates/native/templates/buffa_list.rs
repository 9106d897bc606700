//! What buffa generates, from the build script, and how it becomes neutral.

use crate::neutral::{Neutral, Reader};
#[allow(unused_imports)]
use buffa::{MessageField, ProtoBox};

#[allow(unused_imports)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/buffa.rs"));
}

pub use generated::*;

impl crate::harness::Records for List {
    type Record = ROOT;
    fn of(records: Vec<ROOT>) -> Self {
        Self { records }
    }
    fn all(&self) -> &[ROOT] {
        &self.records
    }
}

impl<T: Neutral + Default, P: ProtoBox<T>> Neutral for MessageField<T, P> {
    fn read(from: &mut Reader<'_>) -> Self {
        Option::read(from).map_or_else(Self::none, Self::some)
    }
    fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.is_set()));
        if let Some(value) = self.as_option() {
            value.write(out);
        }
    }
}

/// Reads a message that is always there.
pub fn read_one<T: Neutral + Default, P: ProtoBox<T>>(from: &mut Reader<'_>) -> MessageField<T, P> {
    MessageField::some(T::read(from))
}

/// Appends it.
pub fn write_one<T: Neutral + Default, P: ProtoBox<T>>(field: &MessageField<T, P>, out: &mut Vec<u8>) {
    field.as_option().expect("a required message").write(out);
}

