//! quick-protobuf: everything owned; and text and bytes borrowed from the input where its generator offers that.

use crate::harness::{Contender, Result, said};
use crate::quick_types::{List, borrowed};
use quick_protobuf::{BytesReader, MessageRead, MessageWrite, Writer};
use std::hint::black_box;
use std::rc::Rc;

pub fn contenders(records: &Rc<List>) -> [Contender; 2] {
    [
        Contender::new("protobuf", "quick-protobuf VERSION", records, write, read),
        Contender::checked_by("protobuf", "quick-protobuf VERSION, borrowed", records, write, borrow, read_borrowed),
    ]
}

fn write(records: &List, out: &mut Vec<u8>) -> Result<()> {
    records.write_message(&mut Writer::new(out)).map_err(said)
}

fn read(bytes: &[u8]) -> Result<List> {
    List::from_reader(&mut BytesReader::from_bytes(bytes), bytes).map_err(said)
}

fn borrow(bytes: &[u8]) -> Result<()> {
    drop(black_box(borrowed::List::from_reader(&mut BytesReader::from_bytes(bytes), bytes).map_err(said)?));
    Ok(())
}

/// What was borrowed, by way of its own bytes.
fn read_borrowed(bytes: &[u8]) -> Result<List> {
    let list = borrowed::List::from_reader(&mut BytesReader::from_bytes(bytes), bytes).map_err(said)?;
    let mut again = Vec::new();
    list.write_message(&mut Writer::new(&mut again)).map_err(said)?;
    read(&again)
}
