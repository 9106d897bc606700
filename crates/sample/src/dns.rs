//! `dns`: four numbers a record, as in a log of connections.

use crate::fill;
use crate::{Make, Rng, Sample, SchemaText};
use bantam_model::{Batch, Layout, Result};
use std::sync::Arc;

/// The table's row.
pub(crate) static DNS: Sample = Sample {
    name: "dns",
    about: "source and destination address and port: four numbers",
    records: 10_000,
    schemas: &[
        SchemaText { name: "dns.proto", text: include_str!("../schemas/dns.proto") },
        SchemaText { name: "dns.thrift", text: include_str!("../schemas/dns.thrift") },
    ],
    make: Make::Records(generate),
};

/// The network of the source addresses, its digits read in base 255.
const NETWORK: u64 = 192 * 255 * 255 * 255 + 168 * 255 * 255 + 255;
const LAST_HOST: u64 = 254;
const LAST_ADDRESS: u64 = 255 * 255 * 255 * 255 - 1;
const PORTS: [u64; 6] = [21, 22, 25, 80, 110, 443];

/// Each record draws sip, dip, sport, dport, in this order.
fn generate(seed: u64, records: usize, layout: &Arc<Layout>) -> Result<Batch<'static>> {
    let sip = fill::number_slot(layout, "sip", NETWORK, NETWORK + LAST_HOST)?;
    let dip = fill::number_slot(layout, "dip", 1, LAST_ADDRESS)?;
    let sport = fill::number_slot(layout, "sport", 1024, 2047)?;
    let dport = fill::number_slot(layout, "dport", PORTS[0], PORTS[PORTS.len() - 1])?;
    let mut rng = Rng::new(seed);
    let mut batch = Batch::new(layout.clone());
    for _ in 0..records {
        let row = batch.push_record()?;
        fill::number(&mut batch, row, &sip, NETWORK + rng.between(0, LAST_HOST));
        fill::number(&mut batch, row, &dip, rng.between(1, LAST_ADDRESS));
        fill::number(&mut batch, row, &sport, rng.between(1024, 2047));
        fill::number(&mut batch, row, &dport, *rng.pick(&PORTS));
        batch.check_required(row, layout.root())?;
    }
    Ok(batch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bantam_model::{Cardinality, Encoding, Field, Int, Kind, Message, MessageId, Schema, Value};

    fn layout(kinds: [Int; 4], cardinality: Cardinality) -> Arc<Layout> {
        let names = ["sip", "dip", "sport", "dport"];
        let fields = (0..4).map(|i| Field::new(names[i], i as i32 + 1, Kind::Int(kinds[i]), cardinality)).collect();
        let message = Message { name: "Dns".into(), fields, ..Message::default() };
        Arc::new(Layout::new(Arc::new(Schema { messages: vec![message], enums: vec![] }), MessageId(0)).unwrap())
    }

    fn proto() -> Arc<Layout> {
        let fixed = Int::U32.encoded(Encoding::Fixed);
        layout([fixed, fixed, Int::U32, Int::U32], Cardinality::Required)
    }

    fn numbers(batch: &Batch<'_>) -> Vec<[i128; 4]> {
        let number = |value| match value {
            Some(Value::Int(v)) => i128::from(v),
            Some(Value::Uint(v)) => i128::from(v),
            other => panic!("{other:?}"),
        };
        batch.rows().map(|row| ["sip", "dip", "sport", "dport"].map(|name| number(row.field(name)))).collect()
    }

    #[test]
    fn what_a_seed_gives_is_a_promise() {
        let batch = generate(1, 3, &proto()).unwrap();
        assert_eq!(numbers(&batch), PROMISED);
    }

    const PROMISED: [[i128; 4]; 3] = [
        [3_194_548_661, 3_158_945_983, 1126, 110],
        [3_194_548_502, 2_496_692_713, 2034, 80],
        [3_194_548_479, 567_827_768, 1966, 25],
    ];

    #[test]
    fn values_are_in_their_ranges() {
        let found = numbers(&generate(7, 10_000, &proto()).unwrap());
        let range = |at: usize| {
            let values = found.iter().map(move |record| record[at]);
            (values.clone().min().unwrap(), values.max().unwrap())
        };
        // With so many draws a small range is seen from end to end.
        assert_eq!(range(0), (3_194_548_455, 3_194_548_455 + 254));
        assert_eq!(range(2), (1024, 2047));
        assert!(range(1).0 >= 1 && range(1).1 <= 4_228_250_624 && range(1).1 > 4_000_000_000);
        for port in PORTS {
            let count = found.iter().filter(|record| record[3] == i128::from(port)).count();
            // 1,667 each with a standard deviation of 37.
            assert!((1_450..1_900).contains(&count), "{port}: {count}");
        }
    }

    #[test]
    fn every_layout_gets_the_same_records() {
        let thrift = layout([Int::I64, Int::I64, Int::I32, Int::I32], Cardinality::Implicit);
        assert_eq!(numbers(&generate(5, 100, &thrift).unwrap()), numbers(&generate(5, 100, &proto()).unwrap()));
    }

    #[test]
    fn fewer_records_are_the_first_of_more() {
        let (few, many) = (generate(5, 10, &proto()).unwrap(), generate(5, 20, &proto()).unwrap());
        assert_eq!(numbers(&few), numbers(&many)[..10]);
    }

    #[test]
    fn a_layout_that_cannot_hold_it_is_refused_by_name() {
        let narrow = layout([Int::I32, Int::I64, Int::I32, Int::I32], Cardinality::Required);
        assert_eq!(
            generate(1, 1, &narrow).unwrap_err().to_string(),
            "field sip: Required int32 cannot hold the sample's values"
        );
    }
}
