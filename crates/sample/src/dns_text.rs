//! `dns-text`: answers with their times, most of it text.

use crate::fill;
use crate::{Make, Rng, Sample, SchemaText};
use bantam_model::{Batch, Layout, Result};
use std::sync::Arc;

/// The table's row.
pub(crate) static DNS_TEXT: Sample = Sample {
    name: "dns-text",
    about: "names and answers: five texts and a number",
    records: 5_000,
    schemas: &[
        SchemaText { name: "dns-text.proto", text: include_str!("../schemas/dns-text.proto") },
        SchemaText { name: "dns-text.thrift", text: include_str!("../schemas/dns-text.thrift") },
    ],
    make: Make::Records(generate),
};

const CHARACTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const TYPES: [&str; 2] = ["A", "CNAME"];
const TTLS: [u64; 3] = [86_400, 3_600, 60];

/// Each record draws key, value, type, ttl, first, last, in this order.
fn generate(seed: u64, records: usize, layout: &Arc<Layout>) -> Result<Batch<'static>> {
    let [key, value, kind, first, last] = ["key", "value", "type", "first", "last"].map(|n| fill::text_slot(layout, n));
    let (key, value, kind, first, last) = (key?, value?, kind?, first?, last?);
    let ttl = fill::number_slot(layout, "ttl", TTLS[2], TTLS[0])?;
    let mut rng = Rng::new(seed);
    let mut batch = Batch::new(layout.clone());
    for _ in 0..records {
        let row = batch.push_record()?;
        fill::text(&mut batch, row, &key, &rng.draw::<15>(CHARACTERS))?;
        fill::text(&mut batch, row, &value, &rng.draw::<20>(CHARACTERS))?;
        fill::text(&mut batch, row, &kind, rng.pick(&TYPES).as_bytes())?;
        fill::number(&mut batch, row, &ttl, *rng.pick(&TTLS));
        fill::text(&mut batch, row, &first, &rng.draw::<15>(CHARACTERS))?;
        fill::text(&mut batch, row, &last, &rng.draw::<15>(CHARACTERS))?;
        batch.check_required(row, layout.root())?;
    }
    Ok(batch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bantam_model::{Cardinality, Field, Int, Kind, Message, MessageId, Schema, Value};
    use std::collections::HashSet;

    /// The fields of `dns-text.proto`.
    fn proto() -> Arc<Layout> {
        let names = ["key", "value", "first", "last", "type"];
        let mut fields: Vec<_> =
            (0..5).map(|i| Field::new(names[i], i as i32 + 1, Kind::String, Cardinality::Required)).collect();
        fields[4].cardinality = Cardinality::Optional;
        fields.push(Field::new("ttl", 6, Kind::Int(Int::I32), Cardinality::Optional));
        let message = Message { name: "DnsText".into(), fields, ..Message::default() };
        Arc::new(Layout::new(Arc::new(Schema { messages: vec![message], enums: vec![] }), MessageId(0)).unwrap())
    }

    fn text<'b>(row: &bantam_model::Row<'b>, name: &str) -> &'b str {
        match row.field(name) {
            Some(Value::String(text)) => text,
            other => panic!("{name}: {other:?}"),
        }
    }

    #[test]
    fn what_a_seed_gives_is_a_promise() {
        let batch = generate(1, 2, &proto()).unwrap();
        let found: Vec<String> = batch
            .rows()
            .map(|row| {
                let Some(Value::Int(ttl)) = row.field("ttl") else { panic!("no ttl") };
                let texts = ["key", "value", "type", "first", "last"].map(|name| text(&row, name));
                format!("{} {ttl}", texts.join(" "))
            })
            .collect();
        assert_eq!(
            found,
            [
                "yuIvOm9jNQ5cPgS Jie7pUyPCVEF9qxNtnQ8 A t4regbzmoqUPOxp TKcfQACLRh1dv3N 86400",
                "pKiQcwUamGP8SbA HP3ilTdR5bnp01cZIUKM A W5VXGiahHEg27Aw meStlW67VIhA8GJ 60",
            ]
        );
    }

    #[test]
    fn every_text_has_its_length_and_no_character_twice() {
        let batch = generate(3, 1_000, &proto()).unwrap();
        for row in batch.rows() {
            for (name, len) in [("key", 15), ("value", 20), ("first", 15), ("last", 15)] {
                let text = text(&row, name);
                let different: HashSet<u8> = text.bytes().collect();
                assert_eq!((text.len(), different.len()), (len, len), "{text}");
                assert!(text.bytes().all(|b| b.is_ascii_alphanumeric()), "{text}");
            }
        }
    }

    #[test]
    fn types_and_ttls_are_even_and_always_set() {
        let batch = generate(3, 5_000, &proto()).unwrap();
        let cnames = batch.rows().filter(|row| text(row, "type") == "CNAME").count();
        // 2,500 with a standard deviation of 35.
        assert!((2_300..2_700).contains(&cnames), "{cnames}");
        for ttl in TTLS {
            let same = |row: &bantam_model::Row<'_>| matches!(row.field("ttl"), Some(Value::Int(v)) if v == ttl as i64);
            let count = batch.rows().filter(same).count();
            // 1,667 with a standard deviation of 33.
            assert!((1_450..1_900).contains(&count), "{ttl}: {count}");
        }
    }

    #[test]
    fn a_layout_without_a_field_is_refused_by_name() {
        let schema = Schema { messages: vec![Message { name: "M".into(), ..Message::default() }], enums: vec![] };
        let layout = Arc::new(Layout::new(Arc::new(schema), MessageId(0)).unwrap());
        let error = generate(1, 1, &layout).unwrap_err().to_string();
        assert_eq!(error, "field key: the schema has no such field, which the sample fills");
    }
}
