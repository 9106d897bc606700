//! Writing `.proto` text, and reading it back.

use super::*;
use crate::schema::{Enum, EnumId, EnumValue, Field};
use proptest::prelude::*;
use std::collections::HashSet;

fn record(name: &str, fields: Vec<Field>) -> Message {
    Message { name: name.into(), fields, ..Message::default() }
}

fn one(messages: Vec<Message>) -> Schema {
    Schema { messages, enums: vec![] }
}

fn text(name: &str, number: i32) -> Field {
    Field::new(name, number, Kind::String, Cardinality::Optional)
}

#[test]
fn names_that_are_not_legal_come_back() {
    let names = ["content-type", "content_type", "contentType", "1st", "", "a b", "é", "\"q\"\n\\", "map", "M", "E"];
    let fields: Vec<_> = (1..).zip(names).map(|(number, name)| text(name, number)).collect();
    let mut m = record("M", fields);
    m.fields[9].oneof = Some(0);
    m.oneofs.push("the choice".into());
    let mut schema =
        one(vec![m, record("M.x-y", vec![text("a", 1)]), record("other.pkg.M", vec![]), record("message", vec![])]);
    schema.messages[0].fields.push(Field::new("x", 20, Kind::Message(MessageId(1)), Cardinality::Optional));
    schema.messages[0].fields.push(Field::new("y", 21, Kind::Message(MessageId(2)), Cardinality::Repeated));
    schema.messages[0].fields.push(Field::new("z", 22, Kind::Message(MessageId(3)), Cardinality::Optional));
    let value = |name: &str, number| EnumValue { name: name.into(), number, doc: String::new() };
    for name in ["E", "F", "M.E"] {
        let values = vec![value("RED", 0), value("bright-red", 1), value("option", 1), value("M", 2)];
        schema.enums.push(Enum { name: name.into(), values, open: true, doc: "An enum.".into() });
    }
    schema.enums.push(Enum { name: "None".into(), open: true, ..Enum::default() });
    round_trip(&schema);
    let text = to_proto(&schema, None);
    assert!(text.contains(r#"x1st = 4 [json_name = "1st"]"#), "{text}");
    assert!(text.starts_with("syntax = \"proto3\""), "{text}");
}

#[test]
fn numbers_that_are_not_legal_come_back() {
    round_trip(&one(vec![record(
        "M",
        vec![text("a", -1), text("b", 0), text("c", 1), text("d", 19_500), text("e", 1 << 29)],
    )]));
}

#[test]
fn a_root_leaves_the_rest_out() {
    let inner = Field::new("b", 1, Kind::Message(MessageId(1)), Cardinality::Repeated);
    let schema = one(vec![record("p.A", vec![inner]), record("p.B", vec![]), record("p.C", vec![])]);
    assert_eq!(
        to_proto(&schema, Some(MessageId(0))),
        "syntax = \"proto3\";\n\npackage p;\n\nmessage A {\n  repeated B b = 1;\n}\n\nmessage B {\n}\n"
    );
}

#[test]
fn references_are_not_caught_by_other_names() {
    // In M, the field `B` and the nested `p` hide the message `p.B`.
    let to = |name: &str, number, id| Field::new(name, number, Kind::Message(MessageId(id)), Cardinality::Optional);
    let schema = one(vec![
        record("p.M", vec![to("B", 1, 2), to("x", 2, 1)]),
        record("p.M.p", vec![to("y", 1, 2)]),
        record("p.B", vec![to("M", 1, 0)]),
    ]);
    round_trip(&schema);
    assert!(to_proto(&schema, None).contains("optional") || to_proto(&schema, None).contains(".p.B B = 1;"));
}

#[test]
fn maps_that_proto_lacks_are_written_out() {
    let entry = |name: &str, key, value| {
        let fields = vec![
            Field::new("key", 1, key, Cardinality::Implicit),
            Field::new("value", 2, value, Cardinality::Implicit),
        ];
        Message { shape: Shape::Entry, ..record(name, fields) }
    };
    let map = |name: &str, number, id| Field::new(name, number, Kind::Message(MessageId(id)), Cardinality::Map);
    let mut schema = one(vec![
        record("M", vec![map("a", 1, 1), map("b", 2, 2), map("c-d", 3, 3), map("e", 4, 4), map("f", 5, 4)]),
        entry("M.AEntry", Kind::Double, Kind::Bool),
        entry("Elsewhere", Kind::String, Kind::Bytes),
        entry("M.C_dEntry", Kind::Int(Int { width: Width::W8, ..Int::U32 }), Kind::Bool),
        entry("M.Shared", Kind::String, Kind::Bool),
    ]);
    round_trip(&schema);
    let text = to_proto(&schema, None);
    assert!(text.contains("repeated AEntry a = 1;") && text.contains("// bantam: entry\n"), "{text}");
    assert!(text.contains("// bantam: entry \"Elsewhere\"\n  map<string, bytes> b = 2;"), "{text}");
    for field in schema.messages.iter_mut().filter(|m| m.shape == Shape::Entry).flat_map(|m| &mut m.fields) {
        field.cardinality = Cardinality::Required;
    }
    round_trip(&schema);
}

#[test]
fn deep_nesting_is_flattened() {
    let names: Vec<_> = (1..60).map(|depth| vec!["M"; depth].join(".")).collect();
    round_trip(&one(names.iter().map(|name| record(name, vec![text("a", 1)])).collect()));
}

#[test]
fn odd_groups_and_defaults_come_back() {
    let group = |name: &str, number, id| Field {
        group: true,
        ..Field::new(name, number, Kind::Message(MessageId(id)), Cardinality::Optional)
    };
    let default = |name: &str, number, kind, default| Field {
        default: Some(default),
        ..Field::new(name, number, kind, Cardinality::Optional)
    };
    let mut schema = one(vec![
        record(
            "M",
            vec![
                group("g", 1, 1),
                group("h", 2, 2),
                default("a", 3, Kind::Float, Constant::Float(0.1)),
                default("b", 4, Kind::Float, Constant::Float(1e300)),
                default("c", 5, Kind::Double, Constant::Float(-0.0)),
                default("d", 6, Kind::Int(Int::I64), Constant::Int(i64::MIN.into())),
                default("e", 7, Kind::Enum(EnumId(0)), Constant::Int(5)),
                default("f", 8, Kind::String, Constant::String("\0\n\u{7f}é\"'\\0".into())),
                default("i", 9, Kind::Bytes, Constant::Bytes((0..=255).collect())),
                default("j", 10, Kind::Message(MessageId(2)), Constant::Map(vec![])),
                default("k", 11, Kind::Double, Constant::Float(f64::MIN_POSITIVE)),
                default("l", 12, Kind::Double, Constant::Int(5)),
            ],
        ),
        record("M.G", vec![text("x", 1)]),
        record("Outside", vec![text("x", 1)]),
    ]);
    let values = vec![EnumValue { name: "A".into(), number: 3, doc: "Three.".into() }];
    schema.enums.push(Enum { name: "E".into(), values, open: true, doc: String::new() });
    round_trip(&schema);
}

/// A random schema: every reference is valid, map entries and wrappers are well-formed.
fn schemas() -> impl Strategy<Value = Schema> {
    let names = prop::collection::vec("[a-c_.-]{0,4}|[A-C]{1,2}(\\.[A-C]){0,2}|map|E|x[0-9]", 1..7);
    let enums = prop::collection::vec((prop::collection::vec(("[A-C-]{1,2}", -2..3i32), 0..4), any::<bool>()), 0..3);
    (names, enums).prop_flat_map(|(names, enums)| {
        let (messages, kinds) = (names.len() as u32, enums.len() as u32);
        let field = (
            "[a-c_]{1,3}|[a-zA-Z_][a-zA-Z0-9_]{0,5}|\\PC{0,3}",
            prop_oneof![1..40i32, -3..40i32, 18_999..20_001i32],
            (0..16u32, 0..messages, 0..kinds.max(1)),
            0..8u32,
            any::<(bool, bool, bool)>(),
            "|[a-c]{1,3}|[a-c ]{0,3}\n\n  [a-c*/]{1,3}",
            any::<f64>(),
        );
        let fields = prop::collection::vec(prop::collection::vec(field, 0..7), names.len());
        (Just(names), Just(enums), fields, "|[a-z]{1,3} [a-z]{1,3}\n#x")
            .prop_map(move |(names, enums, fields, doc)| build(names, enums, fields, &doc, kinds))
    })
}

type RawField = (String, i32, (u32, u32, u32), u32, (bool, bool, bool), String, f64);
type RawEnum = (Vec<(String, i32)>, bool);

fn build(names: Vec<String>, enums: Vec<RawEnum>, fields: Vec<Vec<RawField>>, doc: &str, kinds: u32) -> Schema {
    let mut used = HashSet::new();
    let mut unique = |name: String| {
        let mut name = name;
        while !used.insert(name.clone()) {
            name.push('0');
        }
        name
    };
    let mut schema = Schema::default();
    for name in names {
        schema.messages.push(Message { name: unique(name), doc: doc.into(), ..Message::default() });
    }
    for (at, (values, open)) in enums.into_iter().enumerate() {
        let mut seen = HashSet::new();
        let values = values.into_iter().filter(|(name, _)| seen.insert(name.clone()));
        let values = values.map(|(name, number)| EnumValue { name, number, doc: doc.into() }).collect();
        schema.enums.push(Enum { name: unique(format!("E{at}")), values, open, doc: String::new() });
    }
    for (at, raw) in fields.into_iter().enumerate() {
        let (mut names, mut numbers) = (HashSet::new(), HashSet::new());
        for (name, number, kind, cardinality, flags, doc, value) in raw {
            if names.insert(name.clone()) && numbers.insert(number) {
                let mut field =
                    add_field(&mut schema, &mut unique, at, name, number, kind, kinds, cardinality, flags, value);
                field.doc = tidy_doc(doc.lines());
                schema.messages[at].fields.push(field);
            }
        }
        // The last few that can be are a oneof.
        let message = &mut schema.messages[at];
        let last = message.fields.iter_mut().rev().take(2).take_while(|f| f.cardinality == Cardinality::Optional);
        let members = last.map(|f| f.oneof = Some(0)).count();
        message.oneofs.extend((members > 0).then(|| "pick-one".to_owned()));
    }
    schema
}

#[allow(clippy::too_many_arguments)]
fn add_field(
    schema: &mut Schema,
    unique: &mut impl FnMut(String) -> String,
    at: usize,
    name: String,
    number: i32,
    (kind, message, of): (u32, u32, u32),
    kinds: u32,
    cardinality: u32,
    (packed, group, default): (bool, bool, bool),
    value: f64,
) -> Field {
    let int = |signed, width, encoding| Kind::Int(Int { signed, width, encoding });
    let kind = match kind {
        0 => Kind::Bool,
        1 => Kind::Float,
        2 => Kind::Double,
        3 | 4 => Kind::String,
        5 => Kind::Bytes,
        6 if kinds > 0 => Kind::Enum(EnumId(of)),
        7 => int(true, Width::W8, Encoding::Zigzag),
        8 => int(false, Width::W16, Encoding::Fixed),
        9 => Kind::Int(Int::U64),
        10 => int(true, Width::W64, Encoding::Zigzag),
        11..14 => Kind::Message(MessageId(message)),
        _ => Kind::Int(Int::I32),
    };
    let owner = schema.messages[at].name.clone();
    let mut add = |shape, name: String, fields| {
        schema.messages.push(Message { shape, ..record(&unique(name), fields) });
        Kind::Message(MessageId(schema.messages.len() as u32 - 1))
    };
    let message = matches!(kind, Kind::Message(_));
    let (kind, cardinality) = match cardinality {
        0 => (kind, Cardinality::Required),
        1 if !message => (kind, Cardinality::Implicit),
        2 => (kind, Cardinality::Repeated),
        3 => (kind, Cardinality::Set),
        4 | 5 => {
            let single = if message { Cardinality::Optional } else { Cardinality::Implicit };
            let key = if packed { Kind::String } else { kind };
            let key_card = if packed { Cardinality::Implicit } else { single };
            let fields = vec![Field::new("key", 1, key, key_card), Field::new("value", 2, kind, single)];
            let part = crate::source::names::camel(&name);
            (add(Shape::Entry, format!("{owner}.{part}Entry"), fields), Cardinality::Map)
        }
        6 => {
            let items = Field::new("items", 1, kind, Cardinality::Repeated);
            (add(Shape::Wrapper, format!("{owner}.Item"), vec![items]), Cardinality::Repeated)
        }
        _ => (kind, Cardinality::Optional),
    };
    let list = matches!(cardinality, Cardinality::Repeated | Cardinality::Set);
    let packable = !matches!(kind, Kind::String | Kind::Bytes | Kind::Message(_));
    let constant = match kind {
        Kind::Double | Kind::Float if !value.is_nan() => Some(Constant::Float(value)),
        Kind::Int(int) => Some(Constant::Int(int.max().into())),
        Kind::String => Some(Constant::String(name.clone())),
        Kind::Message(_) => Some(Constant::List(vec![Constant::Bool(true)])),
        _ => None,
    };
    Field {
        packed: packed && list && packable,
        group: group && matches!(kind, Kind::Message(_)) && cardinality != Cardinality::Map,
        default: constant.filter(|_| default),
        ..Field::new(name, number, kind, cardinality)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn random_schemas_come_back(schema in schemas()) {
        round_trip(&schema);
    }
}
