//! thrift: the official library, its two protocols through `dyn`, as its compiler's code uses them; everything owned.

use crate::harness::{Contender, Result, said};
use crate::plain::ROOT;
use crate::thrift_code::Struct;
use std::rc::Rc;
use thrift::protocol::{
    TBinaryInputProtocol, TBinaryOutputProtocol, TCompactInputProtocol, TCompactOutputProtocol, TFieldIdentifier,
    TInputProtocol, TListIdentifier, TOutputProtocol, TStructIdentifier, TType,
};

pub fn contenders(records: &Rc<Vec<ROOT>>) -> [Contender; 2] {
    [
        Contender::new("thrift-binary", "thrift VERSION", records, write_binary, read_binary),
        Contender::new("thrift-compact", "thrift VERSION", records, write_compact, read_compact),
    ]
}

#[allow(clippy::ptr_arg)]
fn write_binary(records: &Vec<ROOT>, out: &mut Vec<u8>) -> Result<()> {
    write(records, &mut TBinaryOutputProtocol::new(out, true)).map_err(said)
}

fn read_binary(bytes: &[u8]) -> Result<Vec<ROOT>> {
    read(&mut TBinaryInputProtocol::new(bytes, true)).map_err(said)
}

#[allow(clippy::ptr_arg)]
fn write_compact(records: &Vec<ROOT>, out: &mut Vec<u8>) -> Result<()> {
    write(records, &mut TCompactOutputProtocol::new(out)).map_err(said)
}

fn read_compact(bytes: &[u8]) -> Result<Vec<ROOT>> {
    read(&mut TCompactInputProtocol::new(bytes)).map_err(said)
}

/// The records are the one field of a struct, as Bantam's framing `list` has them.
fn write(records: &[ROOT], to: &mut dyn TOutputProtocol) -> thrift::Result<()> {
    to.write_struct_begin(&TStructIdentifier::new("List"))?;
    to.write_field_begin(&TFieldIdentifier::new("records", TType::List, 1))?;
    to.write_list_begin(&TListIdentifier::new(TType::Struct, records.len() as i32))?;
    records.iter().try_for_each(|record| record.write(to))?;
    to.write_list_end()?;
    to.write_field_end()?;
    to.write_field_stop()?;
    to.write_struct_end()
}

fn read(from: &mut dyn TInputProtocol) -> thrift::Result<Vec<ROOT>> {
    let mut records = Vec::new();
    from.read_struct_begin()?;
    loop {
        let field = from.read_field_begin()?;
        if field.field_type == TType::Stop {
            break;
        }
        let list = from.read_list_begin()?;
        records = Vec::with_capacity(list.size as usize);
        for _ in 0..list.size {
            records.push(ROOT::read(from)?);
        }
        from.read_list_end()?;
        from.read_field_end()?;
    }
    from.read_struct_end()?;
    Ok(records)
}
