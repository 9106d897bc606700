//! ciborium: everything owned.

use crate::harness::{Contender, Records, Result, said};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::rc::Rc;

pub fn contenders<T>(records: &Rc<Vec<T>>) -> [Contender; 1]
where
    Vec<T>: Records + Serialize + DeserializeOwned,
{
    [Contender::new("cbor", "ciborium VERSION", records, write, read)]
}

fn write<R: Serialize>(records: &R, out: &mut Vec<u8>) -> Result<()> {
    ciborium::into_writer(records, out).map_err(said)
}

fn read<R: DeserializeOwned>(bytes: &[u8]) -> Result<R> {
    ciborium::from_reader(bytes).map_err(said)
}
