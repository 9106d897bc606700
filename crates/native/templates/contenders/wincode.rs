//! wincode: the successor of bincode, with its bytes; everything owned.

use crate::harness::{Contender, Result, said};
use crate::plain::ROOT;
use std::rc::Rc;

pub fn contenders(records: &Rc<Vec<ROOT>>) -> [Contender; 1] {
    [Contender::new("bincode", "wincode VERSION", records, write, read)]
}

#[allow(clippy::ptr_arg)]
fn write(records: &Vec<ROOT>, out: &mut Vec<u8>) -> Result<()> {
    wincode::serialize_into(out, records).map_err(said)
}

fn read(bytes: &[u8]) -> Result<Vec<ROOT>> {
    wincode::deserialize(bytes).map_err(said)
}
