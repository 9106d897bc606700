//! What the specifications of Thrift's protocols say about unusual input, one line a case for each protocol.
//!
//! `thrift-binary-protocol.md` and `thrift-compact-protocol.md` in
//! <https://github.com/apache/thrift/tree/master/doc/specs>.

mod cases;

use bantam_formats::{Framing, find};
use bantam_model::{Batch, Cardinality, Field, Int, Kind, Layout, Message, MessageId, Schema};
use cases::{bytes, check, layout, read, shown, written};
use std::sync::Arc;

const IDL: &str = "
enum Colour { RED = 1, GREEN = 2 }
struct Inner { 1: optional i32 a, 2: optional bool b }
union Choice { 1: i32 one, 2: string two, 3: Inner three }
struct M {
  1: optional bool flag,
  2: optional i8 small,
  3: optional i16 short,
  4: optional i32 whole,
  5: optional i64 long,
  6: optional double real,
  7: optional string text,
  8: optional binary data,
  9: optional Colour colour,
  10: optional Inner inner,
  11: optional list<i32> list,
  12: optional set<string> set,
  13: optional map<string, i32> map,
  14: optional list<bool> flags,
  15: optional map<bool, bool> switches,
  16: optional list<list<i32>> lists,
  17: optional map<i32, map<string, i32>> maps,
  18: optional list<map<i32, i32>> rows,
  19: optional Choice choice,
  20: optional list<Inner> inners,
  100: optional i32 far,
  300: optional bool farther,
  -1: optional i32 below,
}
struct Need { 1: required i32 x }
";

fn thrift(message: &str) -> Arc<Layout> {
    layout("m.thrift", IDL, message, false)
}

fn run(format: &str, cases: &[(&str, &str)]) {
    let layout = thrift("M");
    check(cases.iter().map(|&(input, expected)| (input, shown(format, &layout, &bytes(input)), expected)));
}

/// What both protocols read and write: a record, its bytes in the binary and in the compact protocol.
const BOTH: &[(&str, &str, &str)] = &[
    ("{}", "00", "00"),
    (r#"{"flag":true}"#, "02 00 01 01 00", "11 00"),
    (r#"{"flag":false}"#, "02 00 01 00 00", "12 00"),
    (r#"{"small":-2}"#, "03 00 02 fe 00", "23 fe 00"),
    (r#"{"short":-2}"#, "06 00 03 ff fe 00", "34 03 00"),
    (r#"{"whole":300}"#, "08 00 04 00 00 01 2c 00", "45 d8 04 00"),
    (r#"{"whole":-2147483648}"#, "08 00 04 80 00 00 00 00", "45 ff ff ff ff 0f 00"),
    (r#"{"long":-1}"#, "0a 00 05 ff *8 00", "56 01 00"),
    (r#"{"long":9223372036854775807}"#, "0a 00 05 7f ff *7 00", "56 fe ff *8 01 00"),
    (r#"{"real":1.0}"#, "04 00 06 3f f0 00 *6 00", "67 00 *6 f0 3f 00"),
    (r#"{"text":"é"}"#, "0b 00 07 00 00 00 02 c3 a9 00", "78 02 c3 a9 00"),
    (r#"{"text":""}"#, "0b 00 07 00 00 00 00 00", "78 00 00"),
    (r#"{"data":"//4="}"#, "0b 00 08 00 00 00 02 ff fe 00", "88 02 ff fe 00"),
    (r#"{"colour":"GREEN"}"#, "08 00 09 00 00 00 02 00", "95 04 00"),
    (r#"{"colour":7}"#, "08 00 09 00 00 00 07 00", "95 0e 00"),
    (r#"{"inner":{"a":1,"b":true}}"#, "0c 00 0a 08 00 01 00 00 00 01 02 00 02 01 00 00", "ac 15 02 11 00 00"),
    (r#"{"inner":{}}"#, "0c 00 0a 00 00", "ac 00 00"),
    (r#"{"list":[1,-1]}"#, "0f 00 0b 08 00 00 00 02 00 00 00 01 ff ff ff ff 00", "b9 25 02 01 00"),
    (r#"{"list":[]}"#, "0f 00 0b 08 00 00 00 00 00", "b9 05 00"),
    (r#"{"set":["a"]}"#, "0e 00 0c 0b 00 00 00 01 00 00 00 01 'a' 00", "ca 18 01 'a' 00"),
    (r#"{"map":{"a":1}}"#, "0d 00 0d 0b 08 00 00 00 01 00 00 00 01 'a' 00 00 00 01 00", "db 01 85 01 'a' 02 00"),
    (r#"{"map":{}}"#, "0d 00 0d 0b 08 00 00 00 00 00", "db 00 00"),
    (r#"{"flags":[true,false]}"#, "0f 00 0e 02 00 00 00 02 01 00 00", "e9 21 01 02 00"),
    (r#"{"switches":{"true":false}}"#, "0d 00 0f 02 02 00 00 00 01 01 00 00", "fb 01 11 01 02 00"),
    (
        r#"{"lists":[[],[1]]}"#,
        "0f 00 10 0f 00 00 00 02 08 00 00 00 00 08 00 00 00 01 00 00 00 01 00",
        "09 20 29 05 15 02 00",
    ),
    (
        r#"{"maps":{"1":{"a":2}}}"#,
        "0d 00 11 08 0d 00 00 00 01 00 00 00 01 0b 08 00 00 00 01 00 00 00 01 'a' 00 00 00 02 00",
        "0b 22 01 5b 02 01 85 01 'a' 04 00",
    ),
    (
        r#"{"rows":[{"1":2}]}"#,
        "0f 00 12 0d 00 00 00 01 08 08 00 00 00 01 00 00 00 01 00 00 00 02 00",
        "09 24 1b 01 55 02 04 00",
    ),
    (r#"{"choice":{"two":"x"}}"#, "0c 00 13 0b 00 02 00 00 00 01 'x' 00 00", "0c 26 28 01 'x' 00 00"),
    (r#"{"inners":[{},{"b":false}]}"#, "0f 00 14 0c 00 00 00 02 00 02 00 02 00 00 00", "09 28 2c 00 22 00 00"),
    // Jumps of the compact protocol: up to 15 in the header, else the id itself; ids below zero.
    (r#"{"whole":1,"far":2}"#, "08 00 04 00 00 00 01 08 00 64 00 00 00 02 00", "45 02 05 c8 01 04 00"),
    (r#"{"far":1,"farther":true}"#, "08 00 64 00 00 00 01 02 01 2c 01 00", "05 c8 01 02 01 d8 04 00"),
    (r#"{"farther":false}"#, "02 01 2c 00 00", "02 d8 04 00"),
    (r#"{"flag":true,"below":1}"#, "08 ff ff 00 00 00 01 02 00 01 01 00", "05 01 02 21 00"),
];

#[test]
fn every_type_is_read_and_written() {
    let layout = thrift("M");
    for (at, format) in ["thrift-binary", "thrift-compact"].into_iter().enumerate() {
        let input = |case: &(&str, &str, &str)| bytes([case.1, case.2][at]);
        check(BOTH.iter().map(|case| (format, shown(format, &layout, &input(case)), case.0)));
        for case in BOTH {
            let input = input(case);
            let batch = read(format, &layout, &input, Framing::Each).expect("it was read before");
            assert_eq!(written(format, batch.get(0).unwrap()), input, "{format} {}", case.0);
        }
    }
}

#[test]
fn long_lists_have_their_count_apart() {
    let layout = thrift("M");
    for count in [14_u8, 15, 16, 130] {
        let header = if count < 15 { vec![count << 4 | 5] } else { vec![0xf5] };
        let long = match count {
            0..15 => vec![],
            15..128 => vec![count],
            _ => vec![0x82, 0x01],
        };
        let input = [vec![0xb9], header, long, vec![2; usize::from(count)], vec![0]].concat();
        let batch = read("thrift-compact", &layout, &input, Framing::Each).unwrap();
        let text = String::from_utf8(written("json", batch.get(0).unwrap())).unwrap();
        assert_eq!(text.matches('1').count(), usize::from(count));
        assert_eq!(written("thrift-compact", batch.get(0).unwrap()), input);
    }
}

#[test]
fn unusual_input_in_binary() {
    run(
        "thrift-binary",
        &[
            // Later fields replace earlier ones, lists and structs too; any byte but 0 is true.
            ("08 00 04 00 00 00 01 08 00 04 00 00 00 02 00", r#"{"whole":2}"#),
            ("0c 00 0a 08 00 01 00 00 00 01 00 0c 00 0a 02 00 02 05 00 00", r#"{"inner":{"b":true}}"#),
            ("0f 00 0b 08 00 00 00 01 00 00 00 01 0f 00 0b 08 00 00 00 00 00", r#"{"list":[]}"#),
            ("0c 00 13 08 00 01 00 00 00 01 0b 00 02 00 00 00 00 00 00", r#"{"choice":{"two":""}}"#),
            (
                "0d 00 0d 0b 08 00 00 00 02 00 00 00 01 'a' 00 00 00 01 00 00 00 01 'a' 00 00 00 02 00",
                r#"{"map":{"a":2}}"#,
            ),
            // An empty map or list may have no types.
            ("0d 00 0d 00 00 00 00 00 00 00", r#"{"map":{}}"#),
            ("0f 00 0b 00 00 00 00 00 00", r#"{"list":[]}"#),
            // Unknown fields, and known ones of another type, are skipped and counted.
            ("02 00 32 01 00", "{} skipped 1"),
            ("03 00 32 01 06 00 33 00 01 08 00 34 00 00 00 01 0a 00 35 00 *8 00", "{} skipped 4"),
            ("04 00 32 00 *8 0b 00 33 00 00 00 01 'x' 08 00 04 00 00 00 05 00", r#"{"whole":5} skipped 2"#),
            ("10 00 32 'sixteen' 'sixteen' 'xx' 00", "{} skipped 1"),
            ("0c 00 32 08 00 01 00 00 00 01 0c 00 02 00 00 08 00 04 00 00 00 05 00", r#"{"whole":5} skipped 1"#),
            ("0f 00 32 0f 00 00 00 02 08 00 00 00 01 00 00 00 05 02 00 00 00 01 01 00", "{} skipped 1"),
            ("0e 00 32 0b 00 00 00 01 00 00 00 01 'x' 00", "{} skipped 1"),
            ("0d 00 32 0b 0c 00 00 00 01 00 00 00 01 'x' 00 00", "{} skipped 1"),
            ("0d 00 32 00 00 00 00 00 00 00", "{} skipped 1"),
            ("0f 00 32 00 00 00 00 00 00", "{} skipped 1"),
            ("06 00 04 00 05 00", "{} skipped 1"),
            ("0e 00 0b 08 00 00 00 01 00 00 00 01 00", "{} skipped 1"),
            // What does not fit the schema.
            (
                "0f 00 0b 0a 00 00 00 01 00 *8 00",
                "record 0, byte 3, field list: a list of I64 where a list of I32 is due",
            ),
            (
                "0d 00 0d 0b 0a 00 00 00 01 00 00 00 00 00 *8 00",
                "record 0, byte 3, field map: a map of Binary to I64 where Binary to I32 is due",
            ),
            (
                "0b 00 07 00 00 00 02 'a' ff 00",
                "record 0, byte 8, field text: text that is not UTF-8; a field of any bytes is declared as `binary`",
            ),
            // Negative sizes, sizes beyond the end, and counts that nothing follows.
            ("0b 00 07 ff ff ff ff 00", "record 0, byte 3, field text: a text of -1"),
            ("0f 00 0b 08 80 00 00 00 00", "record 0, byte 4, field list: a list of -2147483648"),
            ("0d 00 0d 0b 08 ff ff ff fe 00", "record 0, byte 5, field map: a map of -2"),
            ("0f 00 32 08 ff ff ff ff 00", "record 0, byte 4: a list of -1"),
            ("0b 00 07 7f ff ff ff 'a'", "record 0, byte 7, field text: a length of 2147483647 where 1 bytes are left"),
            ("0f 00 0b 08 7f ff ff ff 00 00 00 01", "record 0, byte 12, field list[1]: the input ends inside a value"),
            ("0f 00 32 00 00 00 00 01 00", "record 0, byte 8: a list of items without a type"),
            ("0f 00 0b 00 00 00 00 01 00", "record 0, byte 3, field list: a list of Stop where a list of I32 is due"),
            ("0d 00 32 0b 00 00 00 00 01 00", "record 0, byte 9: a list of items without a type"),
            ("", "record 0, byte 0: the input ends inside a struct"),
            ("08 00 04 00 00 00 05", "record 0, byte 7: the input ends inside a struct"),
            ("08 00", "record 0, byte 2: the input ends inside a value"),
            ("01 00 04 00", "record 0, byte 0: 1 is no type of Thrift"),
            ("11 00 04 00", "record 0, byte 0: 17 is no type of Thrift"),
            ("00 00", "byte 1: 1 bytes behind the end of the struct"),
            (
                "0f 00 10 0f 00 00 00 01 0b 00 00 00 01 00",
                "record 0, byte 8, field lists[0]: a list of Binary where a list of I32 is due",
            ),
        ],
    );
}

#[test]
fn unusual_input_in_compact() {
    run(
        "thrift-compact",
        &[
            ("45 02 05 08 04 00", r#"{"whole":2}"#),
            ("ac 15 02 00 0c 14 21 00 00", r#"{"inner":{"b":true}}"#),
            // A known id may be written out even where a step would do.
            ("05 08 02 00", r#"{"whole":1}"#),
            // Numbers may be overlong; false is 2, and 0 too.
            ("45 82 80 00 00", r#"{"whole":1}"#),
            ("e9 31 01 02 00 00", r#"{"flags":[true,false,false]}"#),
            // A list of bools says 1 or 2.
            ("e9 22 01 02 00", r#"{"flags":[true,false]}"#),
            ("b9 f5 02 02 04 00", r#"{"list":[1,2]}"#),
            ("b9 00 00", r#"{"list":[]}"#),
            ("db 02 85 01 'a' 02 01 'a' 04 00", r#"{"map":{"a":2}}"#),
            // Unknown fields of every type; bools lie in their headers.
            ("01 64 02 66 00", "{} skipped 2"),
            ("03 64 01 14 02 15 02 16 02 17 00 *8 18 01 'x' 00", "{} skipped 6"),
            ("09 64 21 01 02 19 f5 01 02 00", "{} skipped 2"),
            ("09 64 00 00", "{} skipped 1"),
            ("0a 64 18 01 'x' 1b 00 1b 01 85 01 'x' 02 00", "{} skipped 3"),
            ("0c 64 11 12 15 02 1c 00 00 00", "{} skipped 1"),
            ("0d 64 'sixteen' 'sixteen' 'xx' 00", "{} skipped 1"),
            ("44 02 00", "{} skipped 1"),
            ("b9 16 02 00", "record 0, byte 1, field list: a list of I64 where a list of I32 is due"),
            ("db 01 86 01 'a' 02 00", "record 0, byte 1, field map: a map of Binary to I64 where Binary to I32 is due"),
            ("45 80 80 80 80 20 00", "record 0, byte 1, field whole: 4294967296 does not fit Thrift's I32"),
            ("34 80 80 04 00", "record 0, byte 1, field short: 32768 does not fit Thrift's I16"),
            (
                "78 ff ff ff ff ff ff ff ff ff 01 'a'",
                "record 0, byte 11, field text: a length of 18446744073709551615 where 1 bytes are left",
            ),
            (
                "b9 f5 ff ff ff ff ff ff ff ff ff 01 02",
                "record 0, byte 13, field list[1]: the input ends inside a varint",
            ),
            ("09 64 f0 05 00", "record 0, byte 4: a list of items without a type"),
            ("09 64 fc ff ff ff ff ff ff ff ff ff 01 00", "record 0, byte 14: the input ends inside a value"),
            ("db 01 00 00", "record 0, byte 1, field map: a map of Stop to Stop where Binary to I32 is due"),
            ("4e", "record 0, byte 0: 14 is no type of Thrift"),
            ("40 00", "record 0, byte 0: 0 is no type of Thrift"),
            ("05 80 80 08 02 00", "record 0, byte 0: 65536 is no field id"),
            ("45", "record 0, byte 1, field whole: the input ends inside a varint"),
            ("", "record 0, byte 0: the input ends inside a value"),
            ("00 00", "byte 1: 1 bytes behind the end of the struct"),
        ],
    );
}

#[test]
fn required_fields_and_depth() {
    let need = thrift("Need");
    let missing = "record 0, byte 0, field x: the required field is missing";
    check([
        ("binary", shown("thrift-binary", &need, &[0]), missing),
        ("compact", shown("thrift-compact", &need, &[0]), missing),
    ]);
    // Structs in an unknown field, and lists in lists: ten deep in these tests.
    let layout = thrift("M");
    let structs = |deep: usize| [vec![0x0c, 0x64], vec![0x1c; deep], vec![0; deep + 2]].concat();
    check([
        ("structs", shown("thrift-compact", &layout, &structs(8)), "{} skipped 1"),
        (
            "structs",
            shown("thrift-compact", &layout, &structs(9)),
            "record 0, byte 11: 11 is beyond the limit `depth` of 10",
        ),
    ]);
    let lists = |deep: usize| [vec![0x09, 0x64], vec![0x19; deep], vec![0x05, 0]].concat();
    check([
        ("lists", shown("thrift-compact", &layout, &lists(8)), "{} skipped 1"),
        (
            "lists",
            shown("thrift-compact", &layout, &lists(9)),
            "record 0, byte 11: 11 is beyond the limit `depth` of 10",
        ),
    ]);
}

#[test]
fn unsigned_numbers_need_room() {
    let kinds = [("small", Int::U32), ("large", Int::U64)];
    let fields = kinds
        .iter()
        .enumerate()
        .map(|(at, &(name, int))| Field::new(name, at as i32 + 1, Kind::Int(int), Cardinality::Optional));
    let message = Message { name: "M".into(), fields: fields.collect(), ..Message::default() };
    let schema = Arc::new(Schema { messages: vec![message], enums: vec![] });
    let layout = Arc::new(Layout::new(schema, MessageId(0)).unwrap());
    let write = |large: u64| {
        let mut batch = Batch::new(layout.clone());
        let row = batch.push_record().unwrap();
        batch.set(row, &layout.root().slots[0], u64::from(u32::MAX));
        batch.set(row, &layout.root().slots[1], large);
        let mut out = Vec::new();
        let mut codec = (find("thrift-binary").unwrap().engines[0].build)(&layout).unwrap();
        codec.encode(&batch, Framing::List, &mut out).map(|()| out)
    };
    let most = bytes("0f 00 01 0c 00 00 00 01 0a 00 01 00 00 00 00 ff ff ff ff 0a 00 02 7f ff *7 00 00");
    assert_eq!(write(i64::MAX as u64).unwrap(), most);
    let error = write(1 << 63).unwrap_err().to_string();
    assert_eq!(error, "record 0, field large: 9223372036854775808 does not fit Thrift's I64, its widest number");
    let cases = [
        ("0a 00 01 00 00 00 01 00 00 00 00 00", "record 0, byte 3, field small: 4294967296 does not fit uint32"),
        ("0a 00 02 ff *8 00", "record 0, byte 3, field large: -1 does not fit uint64"),
        ("0a 00 01 00 00 00 00 ff ff ff ff 00", r#"{"small":4294967295}"#),
    ];
    check(cases.iter().map(|&(input, expected)| (input, shown("thrift-binary", &layout, &bytes(input)), expected)));
}

#[test]
fn framings() {
    let layout = thrift("M");
    let count = |format: &str, framing, input: &str| {
        let input = bytes(input);
        match read(format, &layout, &input, framing) {
            Ok(batch) => format!("{} records, {} skipped", batch.len(), batch.skipped()),
            Err(error) => error.to_string(),
        }
    };
    let cases = [
        ("thrift-binary", Framing::List, "0f 00 01 0c 00 00 00 02 00 00 00", "2 records, 0 skipped"),
        ("thrift-binary", Framing::List, "08 00 05 00 00 00 01 0f 00 01 0c 00 00 00 01 00 00", "1 records, 1 skipped"),
        ("thrift-binary", Framing::List, "00", "0 records, 0 skipped"),
        (
            "thrift-binary",
            Framing::List,
            "0f 00 01 08 00 00 00 00 00",
            "byte 8: a list of I32 where records, a list of Struct, are due",
        ),
        (
            "thrift-binary",
            Framing::List,
            "0f 00 01 0c 7f ff ff ff 00",
            "record 1, byte 9: the input ends inside a struct",
        ),
        ("thrift-binary", Framing::List, "00 00", "byte 1: 1 bytes behind the end of the struct"),
        ("thrift-binary", Framing::Stream, "00 00 00", "3 records, 0 skipped"),
        ("thrift-binary", Framing::Stream, "00 08", "record 1, byte 2: the input ends inside a value"),
        ("thrift-compact", Framing::List, "19 2c 00 00 00", "2 records, 0 skipped"),
        (
            "thrift-compact",
            Framing::List,
            "19 fc ff ff ff ff ff 01 00 00",
            "record 2, byte 10: the input ends inside a value",
        ),
        ("thrift-compact", Framing::Stream, "00 11 00", "2 records, 0 skipped"),
    ];
    check(cases.iter().map(|&(format, framing, input, expected)| (input, count(format, framing, input), expected)));
}
