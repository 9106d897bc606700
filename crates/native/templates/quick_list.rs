//! What quick-protobuf generates, from the build script, and how it becomes neutral.

include!(concat!(env!("OUT_DIR"), "/quick_owned.rs"));

/// The same types, with text and bytes that may be borrowed.
#[allow(dead_code)]
pub mod borrowed {
    include!(concat!(env!("OUT_DIR"), "/quick_borrowed.rs"));
}

impl crate::harness::Records for List {
    type Record = ROOT;
    fn of(records: Vec<ROOT>) -> Self {
        Self { records }
    }
    fn all(&self) -> &[ROOT] {
        &self.records
    }
}

