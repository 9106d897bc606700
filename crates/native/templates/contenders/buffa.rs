//! buffa: everything owned; and its view, which borrows text and bytes from the input.

use crate::buffa_types::{List, ListView};
use crate::harness::{Contender, Result, said};
use buffa::{DecodeOptions, Message, MessageView};
use std::hint::black_box;
use std::rc::Rc;

pub fn contenders(records: &Rc<List>) -> [Contender; 2] {
    [
        Contender::new("protobuf", "buffa VERSION", records, write, read),
        Contender::checked_by("protobuf", "buffa VERSION, view", records, write, view, read_view),
    ]
}

/// Its limit of memory for the items of lists is for strangers' data.
fn options() -> DecodeOptions {
    DecodeOptions::new().with_element_memory_limit(usize::MAX)
}

fn write(records: &List, out: &mut Vec<u8>) -> Result<()> {
    records.encode(out);
    Ok(())
}

fn read(bytes: &[u8]) -> Result<List> {
    options().decode_from_slice(bytes).map_err(said)
}

fn view(bytes: &[u8]) -> Result<()> {
    drop(black_box(options().decode_view::<ListView>(bytes).map_err(said)?));
    Ok(())
}

fn read_view(bytes: &[u8]) -> Result<List> {
    options().decode_view::<ListView>(bytes).map_err(said)?.to_owned_message().map_err(said)
}
