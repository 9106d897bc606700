use super::*;
use crate::{
    Batch, Cardinality, Error, ErrorKind, Field, Int, Kind, Layout, Limits, Message, MessageId, Schema, Value,
};
use serde::de::DeserializeSeed;
use std::sync::Arc;

fn layout() -> Arc<Layout> {
    let fields = vec![
        Field::new("name", 1, Kind::String, Cardinality::Required),
        Field::new("ttl", 2, Kind::Int(Int::U32), Cardinality::Optional),
        Field::new("ratio", 3, Kind::Double, Cardinality::Implicit),
        Field::new("data", 4, Kind::Bytes, Cardinality::Optional),
        Field::new("small", 5, Kind::Float, Cardinality::Optional),
        Field::new("kids", 6, Kind::Message(MessageId(0)), Cardinality::Repeated),
    ];
    let message = Message { name: "Node".into(), fields, ..Message::default() };
    Arc::new(Layout::new(Arc::new(Schema { messages: vec![message], enums: vec![] }), MessageId(0)).unwrap())
}

fn read<'a>(layout: &Arc<Layout>, input: &'a str, limits: Limits) -> Result<Batch<'a>, Error> {
    let mut batch = Batch::with_limits(layout.clone(), limits).renew();
    batch.reset(input.as_bytes())?;
    let mut reader = Reader::new(layout, &mut batch, Style::JSON);
    let mut json = serde_json::Deserializer::from_str(input);
    let read = reader.records().deserialize(&mut json);
    match read {
        Ok(()) => Ok(batch),
        Err(fault) => Err(reader.error(ErrorKind::Syntax, fault.to_string())),
    }
}

#[test]
fn records_pass_through_json_unchanged() {
    let layout = layout();
    for input in [
        "[]",
        r#"[{"name":"a","ttl":0,"ratio":0.5,"data":"/+8=","small":0.1,"kids":[{"name":"b","kids":[]},{"name":""}]}]"#,
        r#"[{"name":"a","ratio":"NaN"},{"name":"b","ratio":"-Infinity","small":"Infinity"}]"#,
    ] {
        let batch = read(&layout, input, Limits::default()).unwrap();
        assert_eq!(serde_json::to_string(&Records::new(&batch)).unwrap(), input);
        let rows: Vec<_> = batch.rows().collect();
        assert_eq!(serde_json::to_string(&rows).unwrap(), input);
    }
}

#[test]
fn keys_in_any_order_are_found() {
    let batch = read(&layout(), r#"[{"ttl":1,"name":"a"},{"x":[{}],"name":"b","ttl":2}]"#, Limits::default()).unwrap();
    assert_eq!(batch.skipped(), 1);
    let ttl: Vec<_> = batch.rows().map(|row| matches!(row.field("ttl"), Some(Value::Uint(1 | 2)))).collect();
    assert_eq!(ttl, [true, true]);
    assert!(batch.text().is_empty(), "text is a range of the input");
}

#[test]
fn the_only_float_that_doubles_round_wrongly_is_written_in_full() {
    let value = f32::from_bits(0x15ae_43fd);
    let shortest = value.to_string();
    assert_ne!((shortest.parse::<f64>().unwrap() as f32).to_bits(), value.to_bits());
    let input = format!(r#"[{{"name":"","small":{:?}}}]"#, value as f64);
    let batch = read(&layout(), &input, Limits::default()).unwrap();
    let text = serde_json::to_string(&Records::new(&batch)).unwrap();
    assert_eq!(text, input);
}

#[test]
fn errors_carry_record_path_and_kind() {
    for (input, limits, kind, text) in [
        (
            r#"[{"name":"a"},{"name":"b","kids":[{"name":"c"},{"name":"d","ttl":-1}]}]"#,
            Limits::default(),
            ErrorKind::Range,
            "record 1, field kids[1].ttl: -1 does not fit uint32, which is 0..=4294967295",
        ),
        (
            r#"[{"name":"a","kids":[{}]}]"#,
            Limits::default(),
            ErrorKind::Missing,
            "record 0, field kids[0].name: the required field is missing",
        ),
        (
            r#"[{"name":"a","kids":[{"name":"b","kids":[{"name":"c"}]}]}]"#,
            Limits::default().depth(1),
            ErrorKind::Limit,
            "record 0, field kids[0].kids[0]: 2 is beyond the limit `depth` of 1",
        ),
        (
            r#"[{"name":"abcd"}]"#,
            Limits::default().string_bytes(3),
            ErrorKind::Limit,
            "record 0, field name: 4 is beyond the limit `string_bytes` of 3",
        ),
    ] {
        let error = read(&layout(), input, limits).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, text));
    }
    let error = read(&layout(), r#"[{"name":"a","ttl":[]}]"#, Limits::default()).unwrap_err();
    assert!(error.to_string().starts_with("record 0, field ttl: invalid type: sequence, expected uint32"), "{error}");
}
