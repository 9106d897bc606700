use super::*;
use crate::prove;
use bantam_model::schema::EnumValue;
use bantam_model::{Cardinality, Enum, EnumId, Field, Int, Message, MessageId, Schema, Value};
use bantam_sample::random::{Classes, Options};

fn flat() -> Options {
    Options::default().without(Classes::MESSAGES | Classes::LISTS | Classes::MAPS)
}

#[test]
fn random_records_come_back() {
    prove::round_trips(&CSV, flat(), 0..400);
}

#[test]
fn broken_input_is_survived() {
    prove::survives(&CSV, flat(), 0..40);
}

/// Required `id` and `key`; optional `name`, `rate`, `on`, `raw`, `kind`; implicit `zero`; a oneof of `x` and `y`.
fn layout() -> Arc<Layout> {
    use Cardinality::{Implicit, Optional, Required};
    let int = Kind::Int(Int::I32);
    let mut fields: Vec<Field> = [
        ("id", int, Required),
        ("key", Kind::String, Required),
        ("name", Kind::String, Optional),
        ("rate", Kind::Double, Optional),
        ("on", Kind::Bool, Optional),
        ("raw", Kind::Bytes, Optional),
        ("kind", Kind::Enum(EnumId(0)), Optional),
        ("zero", int, Implicit),
        ("x", int, Optional),
        ("y", int, Optional),
    ]
    .into_iter()
    .zip(1..)
    .map(|((name, kind, cardinality), number)| Field::new(name, number, kind, cardinality))
    .collect();
    fields[8].oneof = Some(0);
    fields[9].oneof = Some(0);
    let message = Message { name: "M".into(), fields, oneofs: vec!["xy".into()], ..Message::default() };
    let values = vec![EnumValue { name: "RED".into(), number: 3, doc: String::new() }];
    let schema =
        Schema { messages: vec![message], enums: vec![Enum { name: "Colour".into(), values, ..Enum::default() }] };
    Arc::new(Layout::new(Arc::new(schema), MessageId(0)).unwrap())
}

fn read(text: &[u8]) -> Result<Batch<'_>> {
    let layout = layout();
    let mut batch = Batch::new(layout.clone());
    prove::codec(&CSV, &layout).decode(text, Framing::List, &mut batch)?;
    Ok(batch)
}

fn write(batch: &Batch<'_>) -> String {
    let mut out = Vec::new();
    prove::codec(&CSV, batch.layout()).encode(batch, Framing::List, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn name(batch: &Batch<'_>, record: usize) -> Option<String> {
    match batch.get(record).unwrap().field("name") {
        Some(Value::String(text)) => Some(text.to_owned()),
        None => None,
        other => panic!("{other:?}"),
    }
}

const NAMES: &str = "id,key,name,rate,on,raw,kind,zero,x,y\n";

#[test]
fn a_file_is_as_described() {
    for (lines, again) in [
        ("", ""),
        ("-7,k,n,1.0,true,AP8=,RED,5,1,\n", "-7,k,n,1.0,true,AP8=,RED,5,1,\n"),
        ("7,,,,,,,,,\n", "7,,,,,,,,,\n"),
        ("7,k,,-Infinity,false,,,,,2\n8,k,,NaN,,,,,,\n", "7,k,,-Infinity,false,,,,,2\n8,k,,NaN,,,,,,\n"),
        ("7, k ,\"a,b\",,,,,,,\n", "7, k ,\"a,b\",,,,,,,\n"),
        ("7,\"a\"\"b\",\"c\r\nd\",,,,,,,\n", "7,\"a\"\"b\",\"c\r\nd\",,,,,,,\n"),
        // Quotes that begin or end inside a cell.
        ("7,a\"b,\"c\"d\"e,,,,,,,\n", "7,\"a\"\"b\",\"cd\"\"e\",,,,,,,\n"),
        // Other spellings, line ends, needless quotes, blank lines, no end of the last line.
        ("\r\n 7 ,\"k\",,1e0,1,AP8,3,0,,\r\n\r\n8,k,,INF,,,,,,", "7,k,,1.0,true,AP8=,RED,,,\n8,k,,Infinity,,,,,,\n"),
    ] {
        let text = format!("{NAMES}{lines}");
        assert_eq!(write(&read(text.as_bytes()).unwrap()), format!("{NAMES}{again}"), "{lines}");
    }
}

#[test]
fn columns_go_by_name() {
    let batch = read("\u{feff}new,key,\"name\",more,id\n1,k,n,,7\n,k,,2,8\n".as_bytes()).unwrap();
    assert_eq!(write(&batch), format!("{NAMES}7,k,n,,,,,,,\n8,k,,,,,,,,\n"));
    assert_eq!(batch.skipped(), 2);
}

#[test]
fn empty_text_is_absent_but_where_it_is_required() {
    let batch = read(b"id,key,name\n1,,\"\"\n").unwrap();
    assert!(matches!(batch.get(0).unwrap().field("key"), Some(Value::String(""))));
    assert_eq!(name(&batch, 0), None);
}

#[test]
fn text_lies_in_the_input_where_it_is_whole() {
    let text =
        "\u{feff}id,key,name\r\n1,plain,\"quoted, not doubled\"\r\n\r\n2,\"dou\"\"bled\",\"after\"\n3,x,\"last\"";
    let batch = read(text.as_bytes()).unwrap();
    assert_eq!(batch.text(), b"dou\"bled");
    assert_eq!(name(&batch, 0).unwrap(), "quoted, not doubled");
    assert_eq!(name(&batch, 1).unwrap(), "after");
    assert_eq!(name(&batch, 2).unwrap(), "last");
}

#[test]
fn one_record_has_the_names_too() {
    let layout = layout();
    let mut codec = prove::codec(&CSV, &layout);
    let bytes = b"..id,key\n1,k\n..";
    let mut batch = Batch::new(layout.clone());
    batch.reset(bytes).unwrap();
    codec.decode_each(bytes, 2..bytes.len() - 2, &mut batch).unwrap();
    let mut out = Vec::new();
    codec.encode_each(batch.get(0).unwrap(), &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), format!("{NAMES}1,k,,,,,,,,\n"));
    let error = codec.decode_each(bytes, 2..9, &mut batch).unwrap_err().to_string();
    assert_eq!(error, "line 1 column 3: expected the column names and one record, found 0 records");
    assert_eq!(codec.encode(&batch, Framing::Stream, &mut Vec::new()).unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn errors_say_what_and_where() {
    for (text, error) in [
        ("", "line 1 column 1: there is no line of column names"),
        ("\nkey\nk\n", "line 1 column 1, field id: there is no column for this required field"),
        ("id,key,id\n", "line 1 column 8, field id: two columns have this name"),
        ("id,key\n1,k\n2\n", "record 1, line 3 column 1: expected 2 cells, found 1"),
        ("id,key\n1,\"a\"\"\n", "line 2 column 3: the file ends inside a cell in quotes"),
        ("id,key\n1,\"ab", "line 2 column 3: the file ends inside a cell in quotes"),
        ("id,key\n1,k,\n", "record 0, line 2 column 1: expected 2 cells, found 3"),
        ("id,key\n1,k\n,k\n", "record 1, line 3 column 1, field id: the cell of a required field is empty"),
        ("key,id\n\"a\nb\"\"c\",x\n", "record 0, line 3 column 7, field id: expected a whole number, found \"x\""),
        (
            "key,id\nk,2147483648\n",
            "record 0, line 2 column 3, field id: \"2147483648\" does not fit int32, which holds -2147483648 to 2147483647",
        ),
        ("key,id,x,y\nk,1,1,1\n", "record 0, line 2 column 7, field y: `x` is set too, and only one of them can be"),
        (
            "key,id,kind\nk,1,BLUE\n",
            "record 0, line 2 column 5, field kind: expected a name of the enum `Colour`, found \"BLUE\"",
        ),
    ] {
        assert_eq!(read(text.as_bytes()).map(|b| write(&b)).unwrap_err().to_string(), error, "{text}");
    }
    let error = read(b"id,key\n1,\xff\n").unwrap_err().to_string();
    assert_eq!(error, "record 0, line 2 column 3, field key: the text is not UTF-8");
}

#[test]
fn what_is_not_flat_is_refused_by_name() {
    let field = |name: &str, kind, cardinality| Field::new(name, 1, kind, cardinality);
    for (fields, error) in [
        (
            vec![field("kid", Kind::Message(MessageId(0)), Cardinality::Optional)],
            "field kid: CSV has one cell a field, and cannot hold a message",
        ),
        (
            vec![field("tags", Kind::String, Cardinality::Repeated)],
            "field tags: CSV has one cell a field, and cannot hold a list, set or map",
        ),
        (vec![], "CSV cannot hold a message without fields"),
    ] {
        let message = Message { name: "M".into(), fields, ..Message::default() };
        let schema = Arc::new(Schema { messages: vec![message], enums: vec![] });
        let layout = Arc::new(Layout::new(schema, MessageId(0)).unwrap());
        let found = (CSV.engines[0].build)(&layout).err().unwrap();
        assert_eq!((found.kind(), found.to_string().as_str()), (ErrorKind::Unsupported, error));
    }
}
