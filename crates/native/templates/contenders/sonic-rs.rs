//! sonic-rs: everything owned.

use crate::harness::{Contender, Records, Result, said};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::rc::Rc;

pub fn contenders<T>(records: &Rc<Vec<T>>) -> [Contender; 1]
where
    Vec<T>: Records + Serialize + DeserializeOwned,
{
    [Contender::new("json", "sonic-rs VERSION", records, write, read)]
}

fn write<R: Serialize>(records: &R, out: &mut Vec<u8>) -> Result<()> {
    sonic_rs::to_writer(out, records).map_err(said)
}

fn read<R: DeserializeOwned>(bytes: &[u8]) -> Result<R> {
    sonic_rs::from_slice(bytes).map_err(said)
}
