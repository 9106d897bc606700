//! What the specification of Protocol Buffers says about unusual input, one line a case.
//!
//! "Encoding" (<https://protobuf.dev/programming-guides/encoding/>), "Enum Behavior"
//! (<https://protobuf.dev/programming-guides/enum/>), "Updating A Message Type" and "Maps" of the language guides.

mod cases;

use bantam_formats::Framing;
use bantam_model::Layout;
use cases::{bytes, check, layout, read, shown, written};
use std::sync::Arc;

const PROTO2: &str = r#"
syntax = "proto2";
enum Colour { RED = 1; GREEN = 2; NEGATIVE = -1; }
message Inner { optional int32 a = 1; optional string b = 2; repeated int32 r = 3; map<string, int32> m = 4; }
message Need { required int32 x = 1; required int32 y = 2; optional Need more = 3; }
message M {
  optional int32 i32 = 1;
  optional int64 i64 = 2;
  optional uint32 u32 = 3;
  optional uint64 u64 = 4;
  optional sint32 s32 = 5;
  optional sint64 s64 = 6;
  optional bool flag = 7;
  optional string text = 8;
  optional bytes data = 9;
  optional fixed32 f32 = 10;
  optional sfixed64 sf64 = 11;
  optional float float = 12;
  optional double double = 13;
  optional Colour colour = 14;
  optional Inner inner = 15;
  repeated int32 list = 16;
  repeated int32 packed = 17 [packed = true];
  repeated Colour colours = 18;
  optional group G = 19 { optional int32 a = 1; optional M m = 2; }
  repeated group H = 20 { optional int32 a = 1; }
  oneof choice { int32 one = 21; Inner two = 22; string three = 23; Colour four = 24; }
  optional Need need = 25;
  repeated Need needs = 26;
  map<string, int32> counts = 27;
  map<int32, Inner> inners = 28;
  map<string, Colour> paints = 29;
  map<int32, Need> needy = 30;
  optional M me = 31;
  repeated string texts = 32;
  repeated sfixed32 fixed = 33 [packed = true];
  repeated bool flags = 34;
  repeated double doubles = 35;
  optional sfixed32 sf32 = 36;
  optional fixed64 f64 = 37;
}
"#;

const PROTO3: &str = r#"
syntax = "proto3";
enum Colour { NONE = 0; RED = 1; }
message Inner { int32 a = 1; }
message M {
  int32 i32 = 1;
  string text = 2;
  bool flag = 3;
  double double = 4;
  bytes data = 5;
  Colour colour = 6;
  Inner inner = 7;
  optional int32 told = 8;
  oneof choice { int32 one = 9; string two = 10; }
  repeated int32 list = 11;
  map<string, Colour> paints = 12;
  repeated Colour colours = 13;
}
"#;

fn proto2(keeps: bool) -> Arc<Layout> {
    layout("m.proto", PROTO2, "M", keeps)
}

fn run(layout: &Arc<Layout>, cases: &[(&str, &str)]) {
    check(cases.iter().map(|&(input, expected)| (input, shown("protobuf", layout, &bytes(input)), expected)));
}

#[test]
fn numbers() {
    run(
        &proto2(false),
        &[
            ("", "{}"),
            ("1/0 96 01", r#"{"i32":150}"#),
            // Negative numbers of 32 bits take ten bytes; five, as some writers make them, read the same.
            ("1/0 ff ff ff ff ff ff ff ff ff 01", r#"{"i32":-1}"#),
            ("1/0 ff ff ff ff 0f", r#"{"i32":-1}"#),
            ("1/0 80 80 80 80 08", r#"{"i32":-2147483648}"#),
            // A number too wide is cut to 32 bits, as a cast in C++ does.
            ("1/0 81 80 80 80 10", r#"{"i32":1}"#),
            ("3/0 ff ff ff ff ff ff ff ff ff 01", r#"{"u32":4294967295}"#),
            ("3/0 85 80 80 80 70", r#"{"u32":5}"#),
            ("5/0 ff ff ff ff ff ff ff ff ff 01", r#"{"s32":-2147483648}"#),
            ("5/0 81 80 80 80 10", r#"{"s32":-1}"#),
            ("2/0 ff ff ff ff ff ff ff ff ff 01", r#"{"i64":-1}"#),
            ("2/0 80 80 80 80 80 80 80 80 80 01", r#"{"i64":-9223372036854775808}"#),
            ("4/0 ff ff ff ff ff ff ff ff ff 01", r#"{"u64":18446744073709551615}"#),
            ("6/0 fe ff ff ff ff ff ff ff ff 01", r#"{"s64":9223372036854775807}"#),
            ("6/0 ff ff ff ff ff ff ff ff ff 01", r#"{"s64":-9223372036854775808}"#),
            ("5/0 03", r#"{"s32":-2}"#),
            ("7/0 01", r#"{"flag":true}"#),
            ("7/0 02", r#"{"flag":true}"#),
            ("7/0 80 80 80 80 80 80 80 80 80 01", r#"{"flag":true}"#),
            ("7/0 80 00", r#"{"flag":false}"#),
            ("10/5 ff ff ff ff", r#"{"f32":4294967295}"#),
            ("36/5 ff ff ff ff", r#"{"sf32":-1}"#),
            ("37/1 ff ff ff ff ff ff ff ff", r#"{"f64":18446744073709551615}"#),
            ("11/1 ff ff ff ff ff ff ff ff", r#"{"sf64":-1}"#),
            ("12/5 00 00 c0 3f", r#"{"float":1.5}"#),
            ("12/5 00 00 c0 7f 13/1 00 00 00 00 00 00 f0 ff", r#"{"float":"NaN","double":"-Infinity"}"#),
            ("13/1 00 00 00 00 00 00 00 80", r#"{"double":-0.0}"#),
            // Overlong varints and tags are read; what is beyond 64 bits is dropped.
            ("1/0 81 80 80 80 80 80 80 80 80 00", r#"{"i32":1}"#),
            ("88 00 01", r#"{"i32":1}"#),
            ("88 80 80 80 00 01", r#"{"i32":1}"#),
            ("4/0 81 80 80 80 80 80 80 80 80 7e", r#"{"u64":1}"#),
            ("8/2 83 80 00 'abc'", r#"{"text":"abc"}"#),
            ("1/0 81 80 80 80 80 80 80 80 80 80 00", "record 0, byte 1: a varint of more than 10 bytes"),
            ("88 80 80 80 80 00 01", "record 0, byte 0: 8 is no field's tag"),
        ],
    );
}

#[test]
fn one_value() {
    run(
        &proto2(false),
        &[
            // The last one wins; a second message is merged into the first, field by field.
            ("1/0 01 1/0 02", r#"{"i32":2}"#),
            ("8/2 01 'a' 1/0 01 8/2 00", r#"{"i32":1,"text":""}"#),
            ("15/2 02 1/0 01 15/2 03 2/2 01 'x'", r#"{"inner":{"a":1,"b":"x"}}"#),
            ("15/2 04 1/0 01 3/0 07 15/2 04 1/0 02 3/0 08", r#"{"inner":{"a":2,"r":[7,8]}}"#),
            ("15/2 00", r#"{"inner":{}}"#),
            // Of a oneof the last field stays; the same message again is merged, another one in between clears it.
            ("21/0 01 23/2 01 'x'", r#"{"three":"x"}"#),
            ("23/2 01 'x' 21/0 00", r#"{"one":0}"#),
            ("22/2 02 1/0 01 22/2 03 2/2 01 'x'", r#"{"two":{"a":1,"b":"x"}}"#),
            ("22/2 02 1/0 01 21/0 05 22/2 03 2/2 01 'x'", r#"{"two":{"b":"x"}}"#),
            ("21/0 05 24/0 63", r#"{"one":5} skipped 1"#),
            ("21/0 05 24/0 01", r#"{"four":"RED"}"#),
            // Required fields may come in two pieces; only the whole must be complete.
            ("25/2 02 1/0 01 25/2 02 2/0 02", r#"{"need":{"x":1,"y":2}}"#),
            ("25/2 02 1/0 01", "record 0, byte 0, field need.y: the required field is missing"),
            ("25/2 06 1/0 01 2/0 02 3/2 00", "record 0, byte 0, field need.more.x: the required field is missing"),
            (
                "26/2 04 1/0 01 2/0 02 26/2 02 2/0 02",
                "record 0, byte 10, field needs[1].x: the required field is missing",
            ),
            // Groups are messages between tags.
            ("19/3 1/0 07 19/4", r#"{"g":{"a":7}}"#),
            ("19/3 19/4 19/3 1/0 07 19/4", r#"{"g":{"a":7}}"#),
            ("20/3 1/0 01 20/4 20/3 20/4", r#"{"h":[{"a":1},{}]}"#),
            ("19/3 2/2 05 19/3 1/0 01 19/4 19/4", "record 0, byte 9, field g.m.g: the input ends inside a varint"),
            ("19/3 2/2 06 19/3 1/0 01 19/4 19/4", r#"{"g":{"m":{"g":{"a":1}}}}"#),
            ("19/3 20/4", "record 0, byte 2, field g: an end of group 20 that was not open"),
            ("19/4", "record 0, byte 0: an end of group 19 that was not open"),
            ("15/2 01 15/4", "record 0, byte 2, field inner: an end of group 15 that was not open"),
            ("19/3 1/0 01", "record 0, byte 4, field g: the input ends inside a group"),
            // A group where a message is due is another wire type, and the other way round.
            ("15/3 1/0 01 15/4", "{} skipped 1"),
            ("19/2 02 1/0 01", "{} skipped 1"),
            // A closed enum's unknown values are unknown fields, and do not replace a known one.
            ("14/0 02", r#"{"colour":"GREEN"}"#),
            ("14/0 ff ff ff ff 0f", r#"{"colour":"NEGATIVE"}"#),
            ("14/0 02 14/0 63", r#"{"colour":"GREEN"} skipped 1"#),
            ("14/0 00", "{} skipped 1"),
        ],
    );
}

#[test]
fn lists_and_maps() {
    run(
        &proto2(false),
        &[
            // Packed or not, whatever the schema says, and both in one message.
            ("16/0 01 16/0 02", r#"{"list":[1,2]}"#),
            ("16/2 02 01 02", r#"{"list":[1,2]}"#),
            ("17/0 01 17/0 02", r#"{"packed":[1,2]}"#),
            ("17/2 02 01 02 17/0 03 17/2 01 04", r#"{"packed":[1,2,3,4]}"#),
            ("17/2 00", "{}"),
            ("17/2 0a ff ff ff ff ff ff ff ff ff 01", r#"{"packed":[-1]}"#),
            ("17/2 02 01 80", "record 0, byte 5, field packed: the input ends inside a varint"),
            ("33/2 08 01 00 00 00 ff ff ff ff", r#"{"fixed":[1,-1]}"#),
            ("33/5 01 00 00 00", r#"{"fixed":[1]}"#),
            ("33/2 03 01 00 00", "record 0, byte 6, field fixed: the input ends inside a value"),
            ("34/2 03 00 01 02", r#"{"flags":[false,true,true]}"#),
            ("35/2 08 00 00 00 00 00 00 f0 3f", r#"{"doubles":[1.0]}"#),
            ("32/2 01 'a' 32/2 00 32/2 01 'b'", r#"{"texts":["a","","b"]}"#),
            ("18/0 01 18/0 63 18/0 02", r#"{"colours":["RED","GREEN"]} skipped 1"#),
            ("18/2 03 01 63 02", r#"{"colours":["RED","GREEN"]} skipped 1"#),
            // Lists of several pieces are one list, other fields in between.
            ("16/0 01 32/2 01 'a' 16/0 02 32/2 01 'b' 16/0 03", r#"{"list":[1,2,3],"texts":["a","b"]}"#),
            // A map's entries: missing keys and values are zero, of double keys the last one counts.
            ("27/2 05 1/2 01 'a' 2/0 01", r#"{"counts":{"a":1}}"#),
            ("27/2 05 2/0 01 1/2 01 'a'", r#"{"counts":{"a":1}}"#),
            ("27/2 00", r#"{"counts":{"":0}}"#),
            ("27/2 02 2/0 07", r#"{"counts":{"":7}}"#),
            ("27/2 03 1/2 01 'a'", r#"{"counts":{"a":0}}"#),
            (
                "27/2 05 1/2 01 'a' 2/0 01 27/2 05 1/2 01 'b' 2/0 02 27/2 05 1/2 01 'a' 2/0 03",
                r#"{"counts":{"a":3,"b":2}}"#,
            ),
            ("27/2 07 1/2 01 'a' 2/0 01 2/0 02", r#"{"counts":{"a":2}}"#),
            ("27/2 08 1/2 01 'a' 1/2 01 'b' 2/0 01", r#"{"counts":{"b":1}}"#),
            ("27/2 07 1/2 01 'a' 2/0 01 3/0 09", r#"{"counts":{"a":1}} skipped 1"#),
            ("28/2 02 1/0 05", r#"{"inners":{"5":{}}}"#),
            ("28/2 0b 1/0 05 2/2 02 1/0 01 2/2 03 2/2 01 'x'", r#"{"inners":{"5":{"a":1,"b":"x"}}}"#),
            ("28/2 06 1/0 05 2/2 02 1/0 01 28/2 07 1/0 05 2/2 03 2/2 01 'x'", r#"{"inners":{"5":{"b":"x"}}}"#),
            ("30/2 02 1/0 05", "record 0, byte 3, field needy[0].value.x: the required field is missing"),
            // An entry with an unknown value of a closed enum is an unknown field as a whole.
            ("29/2 05 1/2 01 'a' 2/0 02", r#"{"paints":{"a":"GREEN"}}"#),
            ("29/2 05 1/2 01 'a' 2/0 63", "{} skipped 1"),
            ("29/2 05 1/2 01 'a' 2/0 02 29/2 05 1/2 01 'a' 2/0 63", r#"{"paints":{"a":"GREEN"}} skipped 1"#),
            ("29/2 07 1/2 01 'a' 2/0 63 2/0 02", r#"{"paints":{"a":"GREEN"}}"#),
            // Nothing of it stays behind in the entry that comes after it.
            (
                "29/2 05 1/2 01 'a' 2/0 02 29/2 05 1/2 01 'b' 2/0 02 29/2 05 1/2 01 'c' 2/0 02 29/2 05 1/2 01 'd' 2/0 63 29/2 02 2/0 02",
                r#"{"paints":{"a":"GREEN","b":"GREEN","c":"GREEN","":"GREEN"}} skipped 1"#,
            ),
            // A missing one is the enum's first value.
            ("29/2 03 1/2 01 'a'", r#"{"paints":{"a":"RED"}}"#),
            // Maps of merged messages are united.
            ("15/2 07 4/2 05 1/2 01 'a' 2/0 01 15/2 07 4/2 05 1/2 01 'a' 2/0 02", r#"{"inner":{"m":{"a":2}}}"#),
        ],
    );
}

#[test]
fn unknown_fields() {
    run(
        &proto2(false),
        &[
            // Every wire type is skipped and counted, in messages and between records alike.
            ("99/0 80 80 01", "{} skipped 1"),
            ("99/1 'eightbyt'", "{} skipped 1"),
            ("99/2 03 'abc' 1/0 05", r#"{"i32":5} skipped 1"#),
            ("99/5 'four' 1/0 05", r#"{"i32":5} skipped 1"#),
            ("99/3 1/0 01 98/3 98/4 2/2 01 'x' 99/4 1/0 05", r#"{"i32":5} skipped 1"#),
            ("536870911/0 01", "{} skipped 1"),
            // A wrong wire type makes a field an unknown one.
            ("1/5 'four'", "{} skipped 1"),
            ("1/2 01 01", "{} skipped 1"),
            ("8/0 01 8/2 01 'x'", r#"{"text":"x"} skipped 1"#),
            ("12/1 'eightbyt'", "{} skipped 1"),
            ("15/0 01", "{} skipped 1"),
            ("16/5 'four' 16/0 01", r#"{"list":[1]} skipped 1"#),
            ("32/0 01", "{} skipped 1"),
            // No tags at all.
            ("0/0 01", "record 0, byte 0: 0 is no field's tag"),
            ("0/2 00", "record 0, byte 0: 2 is no field's tag"),
            ("1/6", "record 0, byte 0: 14 is no field's tag"),
            ("1/0 01 1/7", "record 0, byte 2: 15 is no field's tag"),
            ("99/6", "record 0, byte 0: 798 is no field's tag"),
            ("99/3 0/0 01 99/4", "record 0, byte 2: 0 is no field's tag"),
            ("536870912/0 01", "record 0, byte 0: 4294967296 is no field's tag"),
            // Ends that do not fit.
            ("99/3 1/0 01 98/4", "record 0, byte 6: an end of a group that was not open"),
            ("99/3 1/0 01", "record 0, byte 4: the input ends inside a group"),
            ("99/4", "record 0, byte 0: an end of group 99 that was not open"),
        ],
    );
}

#[test]
fn kept_unknown_fields_come_back_verbatim() {
    let layout = proto2(true);
    for input in [
        "99/0 80 80 00",
        "1/0 01 99/2 03 'abc'",
        "1/0 01 99/3 98/3 98/4 1/0 01 99/4 99/5 'four'",
        "1/0 01 15/2 07 1/0 01 99/0 8f 80 00 100/0 01",
        "19/3 1/0 01 99/0 01 19/4 98/2 00",
        "27/2 08 1/2 01 'a' 2/0 01 99/0 01",
        "1/0 01 14/0 63 18/0 63",
        "29/2 05 1/2 01 'a' 2/0 63",
        "1/5 'four' 8/0 ff 01",
        "99/2 04 ff ff c3 28",
    ] {
        assert_eq!(rewritten(&layout, &bytes(input)), bytes(input), "{input}");
    }
    // Known fields go first, the unknown ones keep their order among themselves.
    let cases = [
        ("99/0 01 1/0 05 99/0 02 8/2 01 'x' 98/0 03", "1/0 05 8/2 01 'x' 99/0 01 99/0 02 98/0 03"),
        // An unknown number of a packed list becomes a field of its own.
        ("18/2 03 01 63 02", "18/0 01 18/0 02 18/0 63"),
        ("15/2 03 99/0 01 15/2 05 98/0 02 1/0 05", "15/2 08 1/0 05 99/0 01 98/0 02"),
    ];
    for (input, expected) in cases {
        assert_eq!(rewritten(&layout, &bytes(input)), bytes(expected), "{input}");
    }
}

/// What is written after reading; nothing may be left out.
fn rewritten(layout: &Arc<Layout>, input: &[u8]) -> Vec<u8> {
    let batch = read("protobuf", layout, input, Framing::Each).unwrap_or_else(|e| panic!("{input:02x?}: {e}"));
    assert_eq!(batch.skipped(), 0, "{input:02x?}");
    written("protobuf", batch.get(0).expect("one record"))
}

#[test]
fn proto3() {
    run(
        &layout("m.proto", PROTO3, "M", false),
        &[
            // Zeros of fields with implicit presence are absence; other fields tell it.
            ("1/0 00 2/2 00 3/0 00 5/2 00 6/0 00", "{}"),
            ("4/1 00 00 00 00 00 00 00 00", "{}"),
            // Minus zero has a bit set: it is no default.
            ("4/1 00 00 00 00 00 00 00 80", r#"{"double":-0.0}"#),
            ("1/0 05 1/0 00", "{}"),
            ("2/2 01 'x' 2/2 00", "{}"),
            ("8/0 00", r#"{"told":0}"#),
            ("7/2 00", r#"{"inner":{}}"#),
            ("9/0 00", r#"{"one":0}"#),
            ("9/0 01 10/2 00", r#"{"two":""}"#),
            // Enums are open: a number without a name is kept.
            ("6/0 63", r#"{"colour":99}"#),
            ("13/2 03 00 01 63", r#"{"colours":["NONE","RED",99]}"#),
            ("12/2 05 1/2 01 'a' 2/0 63", r#"{"paints":{"a":99}}"#),
            ("12/2 03 1/2 01 'a'", r#"{"paints":{"a":"NONE"}}"#),
            ("11/0 00 11/2 02 00 00", r#"{"list":[0,0,0]}"#),
        ],
    );
}

#[test]
fn errors_say_where() {
    run(
        &proto2(false),
        &[
            ("8/2 03 'ab'", "record 0, byte 2: a length of 3 where 2 bytes are left"),
            (
                "8/2 ff ff ff ff ff ff ff ff ff 01",
                "record 0, byte 11: a length of 18446744073709551615 where 0 bytes are left",
            ),
            ("8/2 ff ff ff ff 0f 'ab'", "record 0, byte 6: a length of 4294967295 where 2 bytes are left"),
            ("8/2", "record 0, byte 1: the input ends inside a length"),
            ("1/0", "record 0, byte 1: the input ends inside a value"),
            ("1/0 80", "record 0, byte 2: the input ends inside a value"),
            ("80", "record 0, byte 1: the input ends inside a varint"),
            ("13/1 'sevenby'", "record 0, byte 8: the input ends inside a value"),
            ("15/2 03 1/0 01", "record 0, byte 2, field inner: a length of 3 where 2 bytes are left"),
            ("15/2 01 1/0 01", "record 0, byte 3, field inner: the input ends inside a value"),
            ("16/2 03 01 01", "record 0, byte 3, field list: a length of 3 where 2 bytes are left"),
            ("99/2 03 'ab'", "record 0, byte 3: a length of 3 where 2 bytes are left"),
            ("99/1 'four'", "record 0, byte 6: the input ends inside a value"),
            // Only `string` must be UTF-8; the byte is the first wrong one.
            ("9/2 02 c3 28", r#"{"data":"wyg="}"#),
            (
                "8/2 04 'ab' c3 28",
                "record 0, byte 4: text that is not UTF-8; a field of any bytes is declared as `bytes`",
            ),
            (
                "31/2 07 32/2 01 'a' 32/2 01 ff",
                "record 0, byte 10, field me.texts: a length of 1 where 0 bytes are left",
            ),
            (
                "31/2 08 32/2 01 'a' 32/2 01 ff",
                "record 0, byte 10, field me.texts: text that is not UTF-8; a field of any bytes is declared as `bytes`",
            ),
            ("15/2 02 2/2 01 'x'", "record 0, byte 4, field inner: a length of 1 where 0 bytes are left"),
            // Limits: ten messages deep, 64 bytes a text in these tests.
            ("31/2 01 99", "record 0, byte 4, field me: the input ends inside a varint"),
            ("8/2 41 'x' *65", "record 0, byte 2: 65 bytes are beyond the limit `string_bytes` of 64"),
            ("99/3 *9 99/4 *9", "{} skipped 1"),
            ("99/3 *10 99/4 *10", "record 0, byte 20: 11 is beyond the limit `depth` of 10"),
        ],
    );
}

#[test]
fn nesting_has_a_limit() {
    let nested = |levels: usize| {
        (0..levels).fold(Vec::new(), |inside, _| [&bytes("31/2")[..], &[inside.len() as u8], &inside].concat())
    };
    let layout = proto2(false);
    assert!(shown("protobuf", &layout, &nested(9)).starts_with(r#"{"me":{"me":"#));
    let error = shown("protobuf", &layout, &nested(10));
    assert!(error.ends_with("11 is beyond the limit `depth` of 10"), "{error}");
    assert!(error.starts_with("record 0, byte 29, field me.me.me.me.me.me.me.me.me.me: "), "{error}");
}

#[test]
fn framings() {
    let layout = proto2(false);
    let count = |framing, input: &str| {
        let input = bytes(input);
        match read("protobuf", &layout, &input, framing) {
            Ok(batch) => format!("{} records, {} skipped", batch.len(), batch.skipped()),
            Err(error) => error.to_string(),
        }
    };
    let cases = [
        (Framing::List, "", "0 records, 0 skipped"),
        (Framing::List, "1/2 00 1/2 02 1/0 05", "2 records, 0 skipped"),
        (Framing::List, "1/2 00 2/0 07 99/3 99/4 1/2 00", "2 records, 2 skipped"),
        (Framing::List, "8a 00 00", "1 records, 0 skipped"),
        (Framing::List, "1/2 05 1/0 05", "byte 4: the input ends inside a record"),
        (Framing::List, "1/2 02 1/0 05 1/2 02 1/0 80", "record 1, byte 8: the input ends inside a value"),
        (Framing::List, "1/4", "byte 1: an end of a group that was not open"),
        (Framing::Stream, "", "0 records, 0 skipped"),
        (Framing::Stream, "00 02 1/0 05 82 00 1/0 05", "3 records, 0 skipped"),
        (Framing::Stream, "02 1/0 05 03 1/0 05", "record 1, byte 6: the input ends inside a record"),
        (Framing::Stream, "80", "record 0, byte 1: the input ends inside a varint"),
        (Framing::Stream, "02 1/0 80", "record 0, byte 3: the input ends inside a value"),
    ];
    check(cases.iter().map(|&(framing, input, expected)| (input, count(framing, input), expected)));
}
