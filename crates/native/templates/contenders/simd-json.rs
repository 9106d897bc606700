//! simd-json: everything owned.

use crate::harness::{Contender, Records, Result, said};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::rc::Rc;

pub fn contenders<T>(records: &Rc<Vec<T>>) -> [Contender; 1]
where
    Vec<T>: Records + Serialize + DeserializeOwned,
{
    [Contender::new("json", "simd-json VERSION", records, write, read)]
}

fn write<R: Serialize>(records: &R, out: &mut Vec<u8>) -> Result<()> {
    simd_json::to_writer(out, records).map_err(said)
}

fn read<R: DeserializeOwned>(bytes: &[u8]) -> Result<R> {
    // It changes what it reads, so that every reading needs a copy: the copy is part of the time.
    simd_json::from_slice(&mut bytes.to_vec()).map_err(said)
}
