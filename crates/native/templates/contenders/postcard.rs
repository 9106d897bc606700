//! postcard: everything owned.

use crate::harness::{Contender, Records, Result, said};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::rc::Rc;

pub fn contenders<T>(records: &Rc<Vec<T>>) -> [Contender; 1]
where
    Vec<T>: Records + Serialize + DeserializeOwned,
{
    [Contender::new("postcard", "postcard VERSION", records, write, read)]
}

fn write<R: Serialize>(records: &R, out: &mut Vec<u8>) -> Result<()> {
    postcard::to_extend(records, std::mem::take(out)).map(|written| *out = written).map_err(said)
}

fn read<R: DeserializeOwned>(bytes: &[u8]) -> Result<R> {
    postcard::from_bytes(bytes).map_err(said)
}
