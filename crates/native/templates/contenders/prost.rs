//! prost: everything owned.

use crate::harness::{Contender, Result, said};
use crate::prost_types::List;
use prost::Message;
use std::rc::Rc;

pub fn contenders(records: &Rc<List>) -> [Contender; 1] {
    [Contender::new("protobuf", "prost VERSION", records, write, read)]
}

fn write(records: &List, out: &mut Vec<u8>) -> Result<()> {
    records.encode(out).map_err(said)
}

fn read(bytes: &[u8]) -> Result<List> {
    List::decode(bytes).map_err(said)
}
