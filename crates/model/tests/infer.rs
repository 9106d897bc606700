//! Inference: one schema of records per line of test, real documents, and random ones.

use bantam_model::infer::{At, Inference, Inferred, Note, Options};
use bantam_model::{
    Cardinality, Encoding, ErrorKind, Field, Int, Kind, Layout, Limits, Lowerings, MessageId, Result, Schema, Shape,
    source,
};
use proptest::prelude::*;
use serde_json::{Deserializer, Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Infers from lines of NDJSON.
fn lines(options: Options, records: &[&str]) -> Result<Inferred> {
    let mut inference = Inference::new(options);
    for record in records {
        inference.observe(&mut Deserializer::from_str(record))?;
    }
    inference.finish("Record")
}

fn infer(records: &[&str]) -> Inferred {
    let inferred = lines(Options::default(), records).unwrap();
    let values: Vec<Value> = records.iter().map(|r| serde_json::from_str(r).unwrap()).collect();
    check(&inferred, &values);
    inferred
}

/// The layout compiles, the schema's text gives it again, and every value fits its field.
fn check(inferred: &Inferred, records: &[Value]) {
    let Inferred { schema, root, .. } = inferred;
    Layout::new(Arc::new(schema.clone()), *root).unwrap();
    let text = source::to_proto(schema, Some(*root));
    let again = source::read("inferred.proto", text.as_bytes(), &[]).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(sorted(&again.schema), sorted(schema), "{text}");
    for (at, record) in records.iter().enumerate() {
        if let Err(why) = fits_message(schema, *root, record) {
            panic!("record {at}: {why}\n{}", print(schema));
        }
    }
}

fn fits_message(schema: &Schema, id: MessageId, value: &Value) -> Result<(), String> {
    let message = schema.message(id);
    let object = value.as_object().ok_or_else(|| format!("{} is no object: {value}", message.name))?;
    for field in message.fields.iter().filter(|f| f.cardinality == Cardinality::Required) {
        if object.get(&field.name).is_none_or(Value::is_null) {
            return Err(format!("{}.{} is required", message.name, field.name));
        }
    }
    for (key, value) in object.iter().filter(|(_, value)| !value.is_null()) {
        let field = message.field(key).ok_or_else(|| format!("{} has no field {key}", message.name))?;
        fits_field(schema, field, value).map_err(|e| format!("{key}: {e}"))?;
    }
    Ok(())
}

fn fits_field(schema: &Schema, field: &Field, value: &Value) -> Result<(), String> {
    match (field.cardinality, value, field.kind) {
        (Cardinality::Repeated, Value::Array(items), kind) => {
            items.iter().try_for_each(|item| fits_kind(schema, kind, item))
        }
        (Cardinality::Map, Value::Object(entries), Kind::Message(entry)) => {
            let value = &schema.message(entry).fields[1];
            entries.values().try_for_each(|v| fits_kind(schema, value.kind, v))
        }
        (Cardinality::Required | Cardinality::Optional, value, kind) => fits_kind(schema, kind, value),
        _ => Err(format!("{:?} does not hold {value}", field.cardinality)),
    }
}

fn fits_kind(schema: &Schema, kind: Kind, value: &Value) -> Result<(), String> {
    let fits = match (kind, value) {
        (Kind::Bool, Value::Bool(_)) | (Kind::String, Value::String(_)) => true,
        (Kind::Int(int), Value::Number(n)) => n.as_i128().is_some_and(|n| int.holds(n)),
        (Kind::Double, Value::Number(n)) => n.as_i128().is_none_or(|n| n as f64 as i128 == n),
        (Kind::Message(id), value) => {
            let message = schema.message(id);
            return match message.shape {
                Shape::Wrapper => fits_field(schema, &message.fields[0], value),
                _ => fits_message(schema, id, value),
            };
        }
        _ => false,
    };
    if fits { Ok(()) } else { Err(format!("{kind} does not hold {value}")) }
}

/// The schema in short: `Name { ? name kind; … }`, one message a line.
fn print(schema: &Schema) -> String {
    let of = |kind: Kind| match kind {
        Kind::Message(id) => schema.message(id).name.clone(),
        Kind::Int(int) if int.encoding == Encoding::Zigzag => format!("s{kind}"),
        kind => kind.to_string(),
    };
    let field = |shape: Shape, field: &Field| {
        let sign = match field.cardinality {
            _ if shape == Shape::Entry => "",
            Cardinality::Required => "",
            Cardinality::Optional => "?",
            Cardinality::Repeated => "*",
            _ => "%",
        };
        format!("{}{sign} {};", field.name, of(field.kind))
    };
    let message = |m: &bantam_model::Message| {
        let fields: Vec<_> = m.fields.iter().map(|f| field(m.shape, f)).collect();
        format!("{} {{ {} }}", m.name, fields.join(" "))
    };
    schema.messages.iter().map(message).collect::<Vec<_>>().join("\n")
}

fn sorted(schema: &Schema) -> Vec<String> {
    let mut messages: Vec<_> = print(schema).lines().map(str::to_owned).collect();
    messages.sort();
    messages
}

/// The root's fields, as [`print`] shows them.
fn fields(inferred: &Inferred) -> String {
    let text = print(&inferred.schema);
    let root = text.lines().next().unwrap();
    root.trim_start_matches("Record { ").trim_end_matches(" }").to_owned()
}

#[test]
fn the_fields_of_records() {
    for (records, expected) in [
        (&[r#"{"a": 1}"#, r#"{"a": 4294967295}"#][..], "a uint32;"),
        (&[r#"{"a": 1}"#, r#"{"a": 4294967296}"#], "a uint64;"),
        (&[r#"{"a": 1}"#, r#"{"a": -1}"#], "a sint32;"),
        (&[r#"{"a": -2147483649}"#], "a sint64;"),
        (&[r#"{"a": 1}"#, r#"{"a": 1.5}"#], "a double;"),
        (&[r#"{"a": 1.0}"#, r#"{"a": 1e3}"#], "a double;"),
        (&[r#"{"a": 1}"#, r#"{"a": 1.0}"#], "a double;"),
        (&[r#"{"a": -0}"#], "a double;"),
        (&[r#"{"a": true, "b": "x", "c": "007", "d": "1"}"#], "a bool; b string; c string; d string;"),
        (&[r#"{"a": 1}"#, "{}"], "a? uint32;"),
        (&[r#"{"a": 1}"#, r#"{"a": null}"#], "a? uint32;"),
        (&[r#"{"a": 1, "a": null}"#, r#"{"a": 1}"#], "a? uint32;"),
        (&[r#"{"a": null}"#], ""),
        (&["{}"], ""),
        (&[r#"{"a": []}"#], "a* string;"),
        (&[r#"{"a": []}"#, r#"{"a": [1]}"#], "a* uint32;"),
        (&[r#"{"a": {}}"#], "a A;"),
        (&[r#"{"a": 1, "d": 1}"#, r#"{"a": 1, "b": 1, "c": 1, "d": 1}"#], "a uint32; b? uint32; c? uint32; d uint32;"),
        (&[r#"{"b": 1}"#, r#"{"a": 1, "b": 1}"#], "a? uint32; b uint32;"),
        (&[r#"{"a": 1, "b": 1}"#, r#"{"b": 1, "c": 1, "a": 1}"#], "a uint32; b uint32; c? uint32;"),
        (&[r#"{"größe m²": 1, "a.b": 2, "": 3}"#], "größe m² uint32; a.b uint32;  uint32;"),
    ] {
        assert_eq!(fields(&lines(Options::default(), records).unwrap()), expected, "{records:?}");
    }
}

#[test]
fn numbers_run_from_1_in_order() {
    let inferred = infer(&[r#"{"a": 1, "n": null, "c": [1]}"#, r#"{"a": 1, "b": "x", "c": []}"#]);
    let fields = &inferred.schema.message(inferred.root).fields;
    let numbers: Vec<_> = fields.iter().map(|f| (f.name.as_str(), f.number, f.packed)).collect();
    assert_eq!(numbers, [("a", 1, false), ("b", 2, false), ("c", 3, true)]);
}

#[test]
fn nested_messages_lists_and_wrappers() {
    for (records, expected) in [
        (&[r#"{"user": {"id": 1}}"#][..], "Record { user User; }\nUser { id uint32; }"),
        (&[r#"{"users": [{"id": 1}, {}]}"#], "Record { users* Users; }\nUsers { id? uint32; }"),
        (&[r#"{"m": [[1], []]}"#], "Record { m* MList; }\nMList { values* uint32; }"),
        (&[r#"{"m": [[]]}"#], "Record { m* MList; }\nMList { values* string; }"),
        (
            &[r#"{"m": [[[{"x": 1}]]]}"#],
            "Record { m* MList; }\nMList { values* MList2; }\nMList2 { values* M; }\nM { x uint32; }",
        ),
        (&[r#"{"a": {"n": {"x": 1}}, "n": {"x": 2}}"#], "Record { a A; n N; }\nA { n N; }\nN { x uint32; }"),
        (
            &[r#"{"a": {"n": {"x": 1}}, "n": {"x": -2}}"#],
            "Record { a A; n N2; }\nA { n N; }\nN { x uint32; }\nN2 { x sint32; }",
        ),
        (&[r#"{"record": {"record": 1}}"#], "Record { record Record2; }\nRecord2 { record uint32; }"),
    ] {
        assert_eq!(print(&infer(records).schema), expected, "{records:?}");
    }
}

#[test]
fn dictionaries_are_maps() {
    for (record, expected) in [
        (r#"{"d": {"7": 1}}"#, "Record { d% Record.DEntry; }\nRecord.DEntry { key string; value uint32; }"),
        (r#"{"d": {"7": 1, "8": null}}"#, "Record { d D; }\nD { 7 uint32; }"),
        (
            r#"{"d": {"7": [1]}}"#,
            "Record { d% Record.DEntry; }\nRecord.DEntry { key string; value DList; }\nDList { values* uint32; }",
        ),
        (
            r#"{"d": [{"7": 1}]}"#,
            "Record { d* DMap; }\nDMap { values% DMap.ValuesEntry; }\n\
             DMap.ValuesEntry { key string; value uint32; }",
        ),
        (
            r#"{"d": {"2019": {"01": 1}, "2020": {"02": 2}}}"#,
            "Record { d% Record.DEntry; }\nRecord.DEntry { key string; value DMap; }\n\
             DMap { values% DMap.ValuesEntry; }\nDMap.ValuesEntry { key string; value uint32; }",
        ),
        (
            r#"{"d": {"7": {"x": 1}, "8": {"y": 1}}}"#,
            "Record { d% Record.DEntry; }\nRecord.DEntry { key string; value D; }\nD { y? uint32; x? uint32; }",
        ),
        (
            r#"{"d": {"7": {"1": 1}, "8": {"2": null}}}"#,
            "Record { d D; }\nD { 7% D.Field7Entry; 8 Field8; }\nD.Field7Entry { key string; value uint32; }\nField8 {  }",
        ),
        (r#"{"d": {"7": -1, "8": 18446744073709551615}}"#, "Record { d D; }\nD { 7 sint32; 8 uint64; }"),
        (r#"{"d": {"7": 1, "x": 2}}"#, "Record { d D; }\nD { 7 uint32; x uint32; }"),
        (r#"{"d": {"7": 1, "8": "x"}}"#, "Record { d D; }\nD { 7 uint32; 8 string; }"),
        (r#"{"7": 1}"#, "Record { 7 uint32; }"),
    ] {
        assert_eq!(print(&infer(&[record]).schema), expected, "{record}");
    }
}

#[test]
fn equal_messages_with_maps_are_shared_but_entries_are_not() {
    let inferred = infer(&[r#"{"a": {"t": {"x": {"1": 1}}}, "t": {"x": {"2": 2}}, "x": {"3": 3}}"#]);
    let expected = "Record { a A; t T; x% Record.XEntry; }\nA { t T; }\nT { x% T.XEntry; }\n\
                    T.XEntry { key string; value uint32; }\nRecord.XEntry { key string; value uint32; }";
    assert_eq!(print(&inferred.schema), expected);
}

#[test]
fn a_million_keys_are_one_map() {
    let dictionary = |keys: &mut dyn Iterator<Item = String>, value: &str| {
        let entries: Vec<_> = keys.map(|key| format!("{key:?}:{value}")).collect();
        format!("{{\"d\": {{{}}}}}", entries.join(","))
    };
    let million = dictionary(&mut (0..1_000_000).map(|n| format!("user-{n}-x")), "1");
    assert!(fields(&lines(Options::default(), &[&million]).unwrap()).starts_with("d% Record.DEntry"));
    let objects = dictionary(&mut (0..64).map(|n| format!("u{n}x")), r#"{"x": 1, "y": 2}"#);
    assert!(fields(&infer(&[&objects])).starts_with("d% Record.DEntry"));
    let varied = |n| (0..30).map(|k| format!("\"k{n}x{k}\": {k}")).collect::<Vec<_>>().join(",");
    let nested: Vec<_> = (0..2_000).map(|n| format!("\"u{n}x\": {{{}}}", varied(n))).collect();
    let nested = infer(&[&format!("{{\"d\": {{{}}}}}", nested.join(","))]);
    let expected = "Record { d% Record.DEntry; }\nRecord.DEntry { key string; value DMap; }\n\
                    DMap { values% DMap.ValuesEntry; }\nDMap.ValuesEntry { key string; value uint32; }";
    assert_eq!(print(&nested.schema), expected);
    let fewer = dictionary(&mut (0..63).map(|n| format!("u{n}x")), r#"{"x": 1, "y": 2}"#);
    assert_eq!(fields(&infer(&[&fewer])), "d D;");
    let unlike: Vec<_> = (0..20_000).map(|n| format!("\"k{n}\": {}", if n % 2 == 0 { "1" } else { "\"x\"" })).collect();
    let error = lines(Options::default(), &[&format!("{{\"d\": {{{}}}}}", unlike.join(","))]).unwrap_err();
    assert!(error.kind() == ErrorKind::Limit && error.message().contains("18999 fields in one message"), "{error}");
    let wide: Vec<_> = (0..20_000).map(|n| format!("\"k{n}\": 1")).collect();
    let error = lines(Options::default(), &[&format!("{{{}}}", wide.join(","))]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit, "the records themselves are no dictionary: {error}");
}

#[test]
fn what_does_not_mix_is_an_error_with_both_kinds() {
    let deep = "[".repeat(101) + &"]".repeat(101);
    let deep = format!("{{\"a\": {deep}}}");
    let many: Vec<_> = (0..64).map(|n| format!("\"{n}\": 1")).collect();
    let with_null = format!("{{\"d\": {{{}, \"last\": null}}}}", many.join(","));
    for (records, kind, expected) in [
        (
            &[r#"{"a": {"b": [1]}}"#, r#"{"a": {"b": [2, "x"]}}"#][..],
            ErrorKind::Mismatch,
            "record 1, field a.b[1]: text here, but a number in record 0; the values of a field are all of one kind",
        ),
        (
            &[r#"{"a": {}}"#, r#"{"a": []}"#],
            ErrorKind::Mismatch,
            "record 1, field a: a list here, but an object in record 0",
        ),
        (
            &[r#"{"a": true}"#, r#"{"a": 1}"#],
            ErrorKind::Mismatch,
            "record 1, field a: a number here, but a bool in record 0",
        ),
        (&[r#"{"a": [1, null]}"#], ErrorKind::Unsupported, "record 0, field a[1]: a null in a list"),
        (&[&with_null], ErrorKind::Unsupported, "record 0, field d.last: a null in what was taken for a dictionary"),
        (&[r#"{"a": {"1": [null]}}"#], ErrorKind::Unsupported, "record 0, field a.1[0]: a null in a list"),
        (
            &[r#"{"a": [9007199254740993]}"#, r#"{"a": [0.5]}"#],
            ErrorKind::Range,
            "field a[]: record 1 has a float, but the whole number 9007199254740993 in record 0",
        ),
        (
            &[r#"{"d": {"1": {"x": [-1, 18446744073709551615]}}}"#],
            ErrorKind::Range,
            "field d.1.x[]: no 64 bit kind holds both -1 and 18446744073709551615",
        ),
        (&["[1]"], ErrorKind::Mismatch, "record 0: a record is an object, and this is a list"),
        (&["{}", "1"], ErrorKind::Mismatch, "record 1: a record is an object, and this is a number"),
        (&["{}", r#"{"a": "#], ErrorKind::Syntax, "record 1: EOF while parsing a value at line 1 column 6"),
        (&[&deep], ErrorKind::Limit, "101 is beyond the limit `depth` of 100"),
    ] {
        let error = lines(Options::default(), records).unwrap_err();
        assert!(error.kind() == kind && error.to_string().contains(expected), "{records:?}: {error:?}");
    }
    let shallow = Options::default().limits(Limits::default().depth(2));
    assert!(lines(shallow.clone(), &[r#"{"a": {"b": [1]}}"#]).is_ok());
    assert!(lines(shallow, &[r#"{"a": {"b": [[1]]}}"#]).is_err());
}

#[test]
fn what_was_noticed() {
    let path = |p: &str| p.to_owned();
    for (records, notes) in [
        (&[r#"{"a": null}"#, r#"{"a": 1}"#][..], vec![Note::Nulls { path: path("a"), count: 1 }]),
        (&[r#"{"a": [{"b": null}]}"#], vec![Note::OnlyNulls { path: path("a[].b"), count: 1 }]),
        (&[r#"{"a": [[]]}"#], vec![Note::OnlyEmptyLists { path: path("a[]"), count: 1 }]),
        (&[r#"{"a": {}}"#], vec![Note::OnlyEmptyObjects { path: path("a"), count: 1 }]),
        (
            &[r#"{"a": {"1": {"b": 1}, "2": {"b": 0.5}}}"#],
            vec![
                Note::Dictionary { path: path("a"), count: 1, entries: 2 },
                Note::Widened { path: path("a.*.b"), integers: 1 },
            ],
        ),
        (&[r#"{"a": 1.0}"#, r#"{"a": 2.0}"#], vec![Note::WholeFloats { path: path("a"), count: 2 }]),
        (&[r#"{"a": 18446744073709551616}"#], vec![Note::Beyond64Bits { path: path("a"), count: 1 }]),
        (&[r#"{"a": 1, "b": [0.5], "c": "x"}"#], vec![]),
    ] {
        let inferred = lines(Options::default(), records).unwrap();
        assert_eq!(inferred.notes, notes, "{records:?}");
        let nulls = records.iter().any(|r| r.contains("null"));
        assert_eq!(inferred.lowerings().contains(Lowerings::NULL_ABSENT), nulls, "{records:?}");
    }
}

#[test]
fn whole_floats_are_whole_numbers_on_request() {
    let records = [r#"{"a": 1.0, "b": 1.5, "c": -0.0, "d": 1}"#, r#"{"a": 2, "b": 2.0, "c": 1.0, "d": 1e3}"#];
    let inferred = lines(Options::default().whole_floats(true), &records).unwrap();
    assert_eq!(fields(&inferred), "a uint32; b double; c double; d uint32;");
}

#[test]
fn rows_of_text() {
    let mut inference = Inference::default();
    let names = ["id", "zip", "share", "ok", "note", "none"];
    for row in
        [["1", "007", "0.5", "true", "", ""], ["-2", "8", "1", "false", "3", ""], ["3", "9", "2", "true", "x", ""]]
    {
        inference.observe_text_row(&names, &row).unwrap();
    }
    inference.observe_text_row(&names, &["4", "1", "2"]).unwrap();
    let inferred = inference.finish("Record").unwrap();
    assert_eq!(fields(&inferred), "id sint32; zip string; share double; ok? bool; note? string; none? string;");
    let widened = Note::Widened { path: "share".into(), integers: 3 };
    assert_eq!(inferred.notes, [widened, Note::NoValue { path: "none".into() }]);
    assert!(inferred.lowerings().is_empty());

    let mut inference = Inference::default();
    inference.observe_text_row(&["a"], &["1"]).unwrap();
    let error = inference.observe_text_row(&["a"], &["1", "2"]).unwrap_err();
    assert_eq!(error.to_string(), "record 1: 2 cells, but 1 columns have a name");
    let error = Inference::default().observe_text_row(&["a", "b", "a"], &["1"]).unwrap_err();
    assert_eq!(error.to_string(), "record 0: two columns are named `a`");
}

#[test]
fn lists_of_records_and_places_inside_documents() {
    let observe = |path: Option<&str>, document: &str| {
        let mut inference = Inference::default();
        let mut deserializer = Deserializer::from_str(document);
        match path {
            Some(path) => inference.observe_at(&At::parse(path)?, &mut deserializer)?,
            None => inference.observe_list(&mut deserializer)?,
        }
        Ok::<_, bantam_model::Error>((inference.records(), fields(&inference.finish("Record")?)))
    };
    assert_eq!(observe(None, r#"[{"a": 1}, {"a": 2}]"#).unwrap(), (2, "a uint32;".into()));
    assert_eq!(observe(None, r#"{"a": 1}"#).unwrap(), (1, "a uint32;".into()));
    assert_eq!(observe(None, "[]").unwrap(), (0, String::new()));
    let document = r#"{"a": {"b": [{"x": 1}, {}]}, "c": [[]]}"#;
    assert_eq!(observe(Some("a.b"), document).unwrap(), (2, "x? uint32;".into()));
    assert_eq!(observe(Some("a.b[0]"), document).unwrap(), (1, "x uint32;".into()));
    for (path, kind, expected) in [
        ("a.c", ErrorKind::Missing, "`a` has no key `c`; it has: b"),
        ("c", ErrorKind::Mismatch, "record 0: a record is an object, and this is a list"),
    ] {
        let error = observe(Some(path), document).unwrap_err();
        assert!(error.kind() == kind && error.to_string() == expected, "{error:?}");
    }
}

/// Where the test data is, beside the checkout unless `BANTAM_SHARED` says otherwise.
fn shared(file: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let path = std::env::var_os("BANTAM_SHARED").map_or_else(beside, PathBuf::from).join("data").join(file);
    if !path.exists() {
        println!("skipped: {} is not there", path.display());
        return None;
    }
    Some(path)
}

/// Infers from a document's records, and checks them.
fn document(path: &Path, at: &str) -> Result<Inferred> {
    let text = std::fs::read_to_string(path).unwrap();
    let at = At::parse(at).unwrap();
    let mut inference = Inference::default();
    inference.observe_at(&at, &mut Deserializer::from_str(&text))?;
    let inferred = inference.finish("Record")?;
    let value: Value = at.read(&mut Deserializer::from_str(&text), std::marker::PhantomData)?;
    check(&inferred, if let Value::Array(records) = &value { records } else { std::slice::from_ref(&value) });
    println!("{}\n{}", path.display(), print(&inferred.schema));
    inferred.notes.iter().for_each(|note| println!("  {note}"));
    Ok(inferred)
}

#[test]
fn citm_catalog_is_full_of_dictionaries() {
    let Some(path) = shared("json/citm_catalog.json") else { return };
    let inferred = document(&path, "").unwrap();
    let root = inferred.schema.message(inferred.root);
    for name in [
        "areaNames",
        "audienceSubCategoryNames",
        "events",
        "seatCategoryNames",
        "subTopicNames",
        "topicNames",
        "topicSubTopics",
    ] {
        assert_eq!(root.field(name).unwrap().cardinality, Cardinality::Map, "{name}");
    }
    assert_eq!(root.field("performances").unwrap().cardinality, Cardinality::Repeated);
}

#[test]
fn canada_is_lists_of_lists_of_doubles() {
    let Some(path) = shared("json/canada.json") else { return };
    let Inferred { schema, .. } = document(&path, "features").unwrap();
    let mut kind = schema.message(schema.find("Geometry").unwrap()).field("coordinates").unwrap().kind;
    for _ in 0..2 {
        let Kind::Message(id) = kind else { panic!("{kind}") };
        assert_eq!(schema.message(id).shape, Shape::Wrapper);
        kind = schema.message(id).fields[0].kind;
    }
    assert_eq!(kind, Kind::Double);
}

#[test]
fn twitter_is_messages() {
    let Some(path) = shared("json/twitter.json") else { return };
    let Inferred { schema, root, .. } = document(&path, "statuses").unwrap();
    assert!(schema.messages.iter().all(|m| m.shape != Shape::Entry), "no dictionaries there");
    let status = schema.message(root);
    assert_eq!(status.field("id").unwrap().kind, Kind::Int(Int::U64));
    assert_eq!(status.field("retweeted_status").unwrap().cardinality, Cardinality::Optional);
    document(&path, "").unwrap();
}

#[test]
fn small_documents_infer_or_say_what_mixes() {
    let Some(folder) = shared("binary-json") else { return };
    let mut mixed = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "json")
            && let Err(error) = document(&path, "")
        {
            assert_eq!(error.kind(), ErrorKind::Mismatch, "{error}");
            println!("{}\n  {error}", path.display());
            mixed.push(path.file_stem().unwrap().to_str().unwrap().to_owned());
        }
    }
    mixed.sort();
    assert_eq!(mixed, ["commitlint", "eslintrc", "packagejsonlintrc"]);
}

/// Any JSON value, of few keys, so that objects meet.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u8>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z0-9]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        let key = prop_oneof!["[ab]", "[0-9]{1,2}", Just(String::new())];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..5).prop_map(|e| Value::Object(e.into_iter().collect())),
        ]
    })
}

/// What a place holds, so that records of it do not mix.
#[derive(Debug, Clone)]
enum Plan {
    Bool,
    Small,
    Wide,
    Float,
    Text,
    List(Box<Plan>),
    Object(BTreeMap<String, Plan>),
    Dictionary(Box<Plan>),
}

fn plan() -> impl Strategy<Value = Plan> {
    let leaf = prop_oneof![Just(Plan::Bool), Just(Plan::Small), Just(Plan::Wide), Just(Plan::Float), Just(Plan::Text)];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            inner.clone().prop_map(|p| Plan::List(p.into())),
            prop::collection::btree_map("[a-d_]{1,2}|[1-9]", inner.clone(), 0..5).prop_map(Plan::Object),
            inner.prop_map(|p| Plan::Dictionary(p.into())),
        ]
    })
}

/// A value by a plan: each choice is the next byte.
fn value(plan: &Plan, bytes: &mut impl Iterator<Item = u8>) -> Value {
    let byte = bytes.next().unwrap();
    match plan {
        Plan::Bool => json!(byte.is_multiple_of(2)),
        Plan::Small if byte.is_multiple_of(4) => json!(f64::from(byte) / 2.0),
        Plan::Small => json!(i64::from(byte) - 9),
        Plan::Wide => json!(u64::MAX >> (byte % 64)),
        Plan::Float => json!(f64::from(byte) / 3.0),
        Plan::Text => json!(format!("{byte}")),
        Plan::List(item) => (0..byte % 4).map(|_| value(item, bytes)).collect(),
        Plan::Object(fields) => {
            let mut object = Map::new();
            for (name, plan) in fields {
                match bytes.next().unwrap() % 5 {
                    0 => None,
                    1 => object.insert(name.clone(), Value::Null),
                    _ => object.insert(name.clone(), value(plan, bytes)),
                };
            }
            object.into()
        }
        Plan::Dictionary(inner) => {
            let key = |n| format!("{}", u32::from(byte) * 7 + n);
            (0..u32::from(byte) % 5).map(|n| (key(n), value(inner, bytes))).collect::<Map<_, _>>().into()
        }
    }
}

fn observe_values(records: &[Value]) -> Result<Inferred> {
    let mut inference = Inference::default();
    records.iter().try_for_each(|record| inference.observe(record))?;
    inference.finish("Record")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_records_infer_or_are_an_error(records in prop::collection::vec(any_value(), 0..6)) {
        let records: Vec<_> = records.into_iter().map(|r| if r.is_object() { r } else { json!({ "a": r }) }).collect();
        if let Ok(inferred) = observe_values(&records) {
            check(&inferred, &records);
        }
    }

    #[test]
    fn records_of_one_plan_infer_and_fit(
        plans in prop::collection::btree_map("[a-f]{1,2}", plan(), 1..6),
        seed in prop::collection::vec(any::<u8>(), 1..200),
        count in 1usize..8,
    ) {
        let mut bytes = seed.into_iter().cycle();
        let plan = Plan::Object(plans);
        let records: Vec<_> = (0..count).map(|_| value(&plan, &mut bytes)).collect();
        let inferred = observe_values(&records).unwrap();
        check(&inferred, &records);
    }
}
