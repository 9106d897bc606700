//! rkyv: checked, then everything owned; and checked access alone, which reads nothing but is what it is made for.

use crate::harness::{Contender, Result, said};
use crate::plain::{ArchivedROOT, ROOT};
use rkyv::rancor::Error;
use rkyv::vec::ArchivedVec;
use std::cell::RefCell;
use std::rc::Rc;
use std::thread::LocalKey;

pub fn contenders(records: &Rc<Vec<ROOT>>) -> [Contender; 2] {
    [
        Contender::new("rkyv", "rkyv VERSION", records, write, read),
        Contender::checked_by("rkyv", "rkyv VERSION, access", records, write, access, read),
    ]
}

thread_local! {
    static ALIGNED: RefCell<rkyv::util::AlignedVec> = RefCell::default();
    static ACCESSED: RefCell<rkyv::util::AlignedVec> = RefCell::default();
}

#[allow(clippy::ptr_arg)]
fn write(records: &Vec<ROOT>, out: &mut Vec<u8>) -> Result<()> {
    let bytes = rkyv::to_bytes::<Error>(records).map_err(said)?;
    out.extend_from_slice(&bytes);
    Ok(())
}

/// The bytes where they are aligned as rkyv needs it. The copy is part of the time: bytes from a file or a
/// network have no alignment that can be counted on.
fn aligned<T>(
    buffer: &'static LocalKey<RefCell<rkyv::util::AlignedVec>>,
    bytes: &[u8],
    with: impl FnOnce(&ArchivedVec<ArchivedROOT>) -> Result<T>,
) -> Result<T> {
    buffer.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.extend_from_slice(bytes);
        with(rkyv::access::<ArchivedVec<ArchivedROOT>, Error>(buffer).map_err(said)?)
    })
}

fn read(bytes: &[u8]) -> Result<Vec<ROOT>> {
    aligned(&ALIGNED, bytes, |records| rkyv::deserialize::<Vec<ROOT>, Error>(records).map_err(said))
}

fn access(bytes: &[u8]) -> Result<()> {
    aligned(&ACCESSED, bytes, |records| {
        std::hint::black_box(records);
        Ok(())
    })
}
