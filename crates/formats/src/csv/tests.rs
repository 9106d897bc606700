use super::*;
use bantam_model::schema::EnumValue;
use bantam_model::{Cardinality, Enum, EnumId, Field, Int, Message, MessageId, Schema, Value, compare};
use bantam_sample::Rng;
use bantam_sample::random::{Classes, Options};

fn codec(layout: &Arc<Layout>) -> Box<dyn Codec> {
    build(layout).unwrap()
}

/// Random flat layouts and records, of which the tests of the table see few.
fn flat(count: u64) -> impl Iterator<Item = (u64, Arc<Layout>, Batch<'static>)> {
    let options = Options::default().without(Classes::MESSAGES | Classes::LISTS | Classes::MAPS);
    (0..count).map(move |seed| {
        let layout = options.layout(&mut Rng::new(seed), 1 + seed as usize % 14);
        let batch = options.batch(&layout, seed as usize % 4, seed).unwrap();
        (seed, layout, batch)
    })
}

#[test]
fn random_flat_records_come_back() {
    for (seed, layout, batch) in flat(400) {
        let mut bytes = Vec::new();
        codec(&layout).encode(&batch, Framing::List, &mut bytes).unwrap();
        let mut back = Batch::new(layout.clone());
        codec(&layout).decode(&bytes, Framing::List, &mut back).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        compare(&batch, &back, CSV.forgets).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert_eq!(back.skipped(), 0, "seed {seed}");
    }
}

#[test]
fn a_file_cut_or_changed_anywhere_gives_an_error_or_records() {
    const MARKS: &[u8] = b"\0\n\r\",; x\xff\xef";
    for (seed, layout, batch) in flat(30) {
        let mut bytes = Vec::new();
        codec(&layout).encode(&batch, Framing::List, &mut bytes).unwrap();
        bytes.truncate(1_500);
        let read = |bytes: &[u8]| {
            let mut back = Batch::new(layout.clone());
            if codec(&layout).decode(bytes, Framing::List, &mut back).is_ok() {
                // What was read can be written.
                codec(&layout).encode(&back, Framing::List, &mut Vec::new()).unwrap();
            }
        };
        let mut rng = Rng::new(seed);
        for at in 0..bytes.len() {
            read(&bytes[..at]);
            let mut changed = bytes.clone();
            changed[at] = *rng.pick(MARKS);
            read(&changed);
            changed.insert(at, *rng.pick(MARKS));
            read(&changed);
        }
    }
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
    codec(&layout).decode(text, Framing::List, &mut batch)?;
    Ok(batch)
}

fn write(batch: &Batch<'_>) -> String {
    let mut out = Vec::new();
    codec(batch.layout()).encode(batch, Framing::List, &mut out).unwrap();
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
    let mut codec = codec(&layout);
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
        let found = build(&layout).err().unwrap();
        assert_eq!((found.kind(), found.to_string().as_str()), (ErrorKind::Unsupported, error));
    }
}
