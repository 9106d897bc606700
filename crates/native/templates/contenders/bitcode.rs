//! bitcode: its own derives, with the buffer that it keeps for encoding; everything owned.

use crate::harness::{Contender, Result, said};
use crate::plain::ROOT;
use std::cell::RefCell;
use std::rc::Rc;

pub fn contenders(records: &Rc<Vec<ROOT>>) -> [Contender; 1] {
    [Contender::new("bitcode", "bitcode VERSION", records, write, read)]
}

thread_local! {
    static BUFFER: RefCell<bitcode::Buffer> = RefCell::default();
}

#[allow(clippy::ptr_arg)]
fn write(records: &Vec<ROOT>, out: &mut Vec<u8>) -> Result<()> {
    BUFFER.with_borrow_mut(|buffer| out.extend_from_slice(buffer.encode(records)));
    Ok(())
}

fn read(bytes: &[u8]) -> Result<Vec<ROOT>> {
    bitcode::decode(bytes).map_err(said)
}
