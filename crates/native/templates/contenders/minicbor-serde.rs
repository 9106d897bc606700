//! minicbor-serde: everything owned.

use crate::harness::{Contender, Records, Result, said};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::rc::Rc;

pub fn contenders<T>(records: &Rc<Vec<T>>) -> [Contender; 1]
where
    Vec<T>: Records + Serialize + DeserializeOwned,
{
    [Contender::new("cbor", "minicbor-serde VERSION", records, write, read)]
}

fn write<R: Serialize>(records: &R, out: &mut Vec<u8>) -> Result<()> {
    records.serialize(&mut minicbor_serde::Serializer::new(out)).map(drop).map_err(said)
}

fn read<R: DeserializeOwned>(bytes: &[u8]) -> Result<R> {
    minicbor_serde::from_slice(bytes).map_err(said)
}
