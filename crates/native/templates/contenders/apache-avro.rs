//! apache-avro: datums one after another by one schema, through serde; everything owned.

use crate::harness::{Contender, Result, said};
use crate::plain::ROOT;
use apache_avro::Schema;
use apache_avro::reader::datum::GenericDatumReader;
use apache_avro::writer::datum::GenericDatumWriter;
use std::rc::Rc;
use std::sync::LazyLock;

const SCHEMA: &str = include_str!("schema.avsc");

/// A schema that does not parse stands in the row as a failure to write.
static PARSED: LazyLock<Result<Schema>> = LazyLock::new(|| Schema::parse_str(SCHEMA).map_err(said));

pub fn contenders(records: &Rc<Vec<ROOT>>) -> [Contender; 1] {
    [Contender::new("avro", "apache-avro VERSION", records, write, read)]
}

#[allow(clippy::ptr_arg)]
fn write(records: &Vec<ROOT>, out: &mut Vec<u8>) -> Result<()> {
    let schema = PARSED.as_ref().map_err(Clone::clone)?;
    let writer = GenericDatumWriter::builder(schema).human_readable(false).build().map_err(said)?;
    records.iter().try_for_each(|record| writer.write_ser(out, record).map(drop)).map_err(said)
}

fn read(mut bytes: &[u8]) -> Result<Vec<ROOT>> {
    let schema = PARSED.as_ref().map_err(Clone::clone)?;
    let reader = GenericDatumReader::builder(schema).human_readable(false).build().map_err(said)?;
    let mut records = Vec::new();
    while !bytes.is_empty() {
        records.push(reader.read_deser(&mut bytes).map_err(said)?);
    }
    Ok(records)
}
