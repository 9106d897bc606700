//! What RFC 8259 and the schema say about unusual JSON, one line a case. The public test suite of
//! parsers is in `public_data.rs`.

mod cases;

use bantam_formats::Framing;
use bantam_model::Layout;
use cases::{check, layout, read, shown};
use std::sync::Arc;

const SCHEMA: &str = r#"
syntax = "proto3";
enum Colour { NONE = 0; RED = 1; }
message Inner { optional int32 a = 1; optional string b = 2; }
message M {
  optional int32 i32 = 1;
  optional int64 i64 = 2;
  optional uint32 u32 = 3;
  optional uint64 u64 = 4;
  optional float float = 5;
  optional double double = 6;
  optional bool flag = 7;
  optional string text = 8;
  optional bytes data = 9;
  optional Colour colour = 10;
  Inner inner = 11;
  repeated int32 list = 12;
  repeated Inner inners = 13;
  map<string, int32> map = 14;
  map<int32, Inner> numbered = 15;
  map<bool, string> flags = 16;
  oneof choice { int32 one = 17; string two = 18; Inner three = 19; }
  M me = 20;
  int32 zero = 21;
  string empty = 22;
  repeated M all = 23;
}
"#;

fn schema() -> Arc<Layout> {
    layout("m.proto", SCHEMA, "M", false)
}

fn run(cases: &[(&str, &str)]) {
    let layout = schema();
    check(cases.iter().map(|&(input, expected)| (input, shown("json", &layout, input.as_bytes()), expected)));
}

#[test]
fn numbers() {
    run(&[
        (r#"{"i64":9223372036854775807}"#, r#"{"i64":9223372036854775807}"#),
        (r#"{"i64":-9223372036854775808}"#, r#"{"i64":-9223372036854775808}"#),
        (r#"{"u64":18446744073709551615}"#, r#"{"u64":18446744073709551615}"#),
        (r#"{"u64":9007199254740993}"#, r#"{"u64":9007199254740993}"#),
        // A whole number is one however it is written.
        (r#"{"i32":1.0}"#, r#"{"i32":1}"#),
        (r#"{"i32":1e3}"#, r#"{"i32":1000}"#),
        (r#"{"i32":-2.50E+1}"#, r#"{"i32":-25}"#),
        (r#"{"i32":1500e-2}"#, r#"{"i32":15}"#),
        (r#"{"i32":-0}"#, r#"{"i32":0}"#),
        (r#"{"u32":-0}"#, r#"{"u32":0}"#),
        (r#"{"i32":0e999999999999}"#, r#"{"i32":0}"#),
        (r#"{"i32":"-12"}"#, r#"{"i32":-12}"#),
        (r#"{"u64":"18446744073709551615"}"#, r#"{"u64":18446744073709551615}"#),
        (r#"{"i32":"1e2"}"#, r#"{"i32":100}"#),
        (r#"{"i32":1.5}"#, "record 0, line 1 column 8, field i32: 1.5 does not fit int32 (-2147483648 to 2147483647)"),
        (
            r#"{"i32":2147483648}"#,
            "record 0, line 1 column 8, field i32: 2147483648 does not fit int32 (-2147483648 to 2147483647)",
        ),
        (r#"{"u32":-1}"#, "record 0, line 1 column 8, field u32: -1 does not fit uint32 (0 to 4294967295)"),
        (
            r#"{"i32":1e99999999999}"#,
            "record 0, line 1 column 8, field i32: 1e99999999999 does not fit int32 (-2147483648 to 2147483647)",
        ),
        (
            r#"{"u64":18446744073709551616}"#,
            "record 0, line 1 column 8, field u64: 18446744073709551616 does not fit uint64 (0 to 18446744073709551615)",
        ),
        (r#"{"i32":"x"}"#, "record 0, line 1 column 8, field i32: the string \"x\" where int32 is due"),
        (r#"{"i32":" 1"}"#, "record 0, line 1 column 8, field i32: the string \" 1\" where int32 is due"),
        (r#"{"i32":""}"#, "record 0, line 1 column 8, field i32: the string \"\" where int32 is due"),
        (r#"{"i32":true}"#, "record 0, line 1 column 8, field i32: a bool where int32 is due"),
        (r#"{"i32":[1]}"#, "record 0, line 1 column 8, field i32: an array where int32 is due"),
        // Floats: to the nearest, zero keeps its sign, too small ones are zero, too large ones an error.
        (r#"{"double":-0}"#, r#"{"double":-0.0}"#),
        (r#"{"double":-0.0}"#, r#"{"double":-0.0}"#),
        (r#"{"double":1e-999}"#, r#"{"double":0.0}"#),
        (r#"{"double":123456789012345678901234567890}"#, r#"{"double":1.2345678901234568e+29}"#),
        (r#"{"double":2.2250738585072011e-308}"#, r#"{"double":2.225073858507201e-308}"#),
        (r#"{"double":1E23}"#, r#"{"double":1e+23}"#),
        (r#"{"double":1e999}"#, "record 0, line 1 column 11, field double: a number too large for a double"),
        (r#"{"float":16777217}"#, r#"{"float":16777216.0}"#),
        (r#"{"float":1e39}"#, "record 0, line 1 column 10, field float: a number too large for a float"),
        // Rounded once: by way of a double this would be the next one up.
        (r#"{"float":1.00000017881393432617187499}"#, r#"{"float":1.0000001}"#),
        (r#"{"double":"NaN","float":"-Infinity"}"#, r#"{"float":"-Infinity","double":"NaN"}"#),
        (r#"{"double":"Infinity"}"#, r#"{"double":"Infinity"}"#),
        (r#"{"double":"nan"}"#, "record 0, line 1 column 11, field double: a string where a double is due"),
        (r#"{"double":NaN}"#, "record 0, line 1 column 11, field double: `N` where a double is due"),
        // No numbers at all.
        (r#"{"i32":01}"#, "record 0, line 1 column 8, field i32: no number of JSON: \"01}\""),
        (r#"{"i32":-}"#, "record 0, line 1 column 8, field i32: no number of JSON: \"-}\""),
        (r#"{"double":1.}"#, "record 0, line 1 column 11, field double: no number of JSON: \"1.}\""),
        (r#"{"double":.5}"#, "record 0, line 1 column 11, field double: `.` where a double is due"),
        (r#"{"double":1e}"#, "record 0, line 1 column 11, field double: no number of JSON: \"1e}\""),
        (r#"{"i32":+1}"#, "record 0, line 1 column 8, field i32: `+` where int32 is due"),
        (r#"{"i32":0x10}"#, "record 0, line 1 column 9: `x` where `,` or `}` is due"),
    ]);
}

#[test]
fn text() {
    run(&[
        (r#"{"text":"\"\\\/\b\f\n\r\t\u0041\u00e9"}"#, r#"{"text":"\"\\/\b\f\n\r\tAé"}"#),
        (r#"{"text":"\ud83d\ude00 \uD83D\uDE00"}"#, r#"{"text":"😀 😀"}"#),
        (r#"{"text":"\u0000\u001f\u007f"}"#, "{\"text\":\"\\u0000\\u001f\u{7f}\"}"),
        ("{\"text\":\"é名😀\u{2028}\u{feff}\"}", "{\"text\":\"é名😀\u{2028}\u{feff}\"}"),
        (r#"{"text":""}"#, r#"{"text":""}"#),
        (r#"{"te\u0078t":"x"}"#, r#"{"text":"x"}"#),
        (
            r#"{"text":"\ud83d"}"#,
            "record 0, line 1 column 10, field text: `\\ud83d` is half a surrogate pair, no character",
        ),
        (
            r#"{"text":"a\ude00\ud83d"}"#,
            "record 0, line 1 column 11, field text: `\\ude00` is half a surrogate pair, no character",
        ),
        (
            r#"{"text":"\ud83d\u0041"}"#,
            "record 0, line 1 column 10, field text: `\\ud83d` is half a surrogate pair, no character",
        ),
        (r#"{"text":"\x41"}"#, "record 0, line 1 column 10, field text: `\\x` is no escape of JSON"),
        (r#"{"text":"\u00g0"}"#, "record 0, line 1 column 10, field text: `\\u` wants four hexadecimal digits"),
        (r#"{"text":"\u00"}"#, "record 0, line 1 column 10, field text: `\\u` wants four hexadecimal digits"),
        ("{\"text\":\"a\nb\"}", "record 0, line 1 column 11, field text: a raw control character 0x0a in a string"),
        ("{\"text\":\"\\n\tb\"}", "record 0, line 1 column 12, field text: a raw control character 0x09 in a string"),
        ("{\"text\":\"\0\"}", "record 0, line 1 column 10, field text: a raw control character 0x00 in a string"),
        (r#"{"text":"abc"#, "record 0, line 1 column 13, field text: the input ends where the end of a string is due"),
        (r#"{"text":"abc\"#, "record 0, line 1 column 14, field text: the input ends where the end of a string is due"),
        (r#"{"text":5}"#, "record 0, line 1 column 9, field text: a number where a string is due"),
        (r#"{"text":'a'}"#, "record 0, line 1 column 9, field text: `\\'` where a string is due"),
        // Bytes are base64 in either alphabet, padded or not.
        (r#"{"data":"+/+/"}"#, r#"{"data":"+/+/"}"#),
        (r#"{"data":"-_-_"}"#, r#"{"data":"+/+/"}"#),
        (r#"{"data":"AQ=="}"#, r#"{"data":"AQ=="}"#),
        (r#"{"data":"AQ"}"#, r#"{"data":"AQ=="}"#),
        (r#"{"data":""}"#, r#"{"data":""}"#),
        (r#"{"data":"A"}"#, "record 0, line 1 column 9, field data: text that is not base64, where bytes are due"),
        (r#"{"data":"A Q="}"#, "record 0, line 1 column 9, field data: text that is not base64, where bytes are due"),
        (r#"{"colour":"RED"}"#, r#"{"colour":"RED"}"#),
        (r#"{"colour":1}"#, r#"{"colour":"RED"}"#),
        (r#"{"colour":7}"#, r#"{"colour":7}"#),
        (r#"{"colour":"red"}"#, "record 0, line 1 column 11, field colour: `red` is no name of the enum Colour"),
        (r#"{"flag":true}"#, r#"{"flag":true}"#),
        (r#"{"flag":1}"#, "record 0, line 1 column 9, field flag: a number where a bool is due"),
        (r#"{"flag":tru}"#, "record 0, line 1 column 9, field flag: no word of JSON: \"tru}\""),
        (r#"{"flag":truex}"#, "record 0, line 1 column 13: `x` where `,` or `}` is due"),
    ]);
    let invalid = |input: &[u8]| shown("json", &schema(), input);
    let wrong = "text that is not UTF-8; JSON is always UTF-8";
    check([
        ("text", invalid(b"{\"text\":\"ab\xff\"}"), &*format!("record 0, line 1 column 12, field text: {wrong}")),
        (
            "escaped text",
            invalid(b"{\"text\":\"\\n\xc3\"}"),
            &format!("record 0, line 1 column 12, field text: {wrong}"),
        ),
        ("an unknown key's text", invalid(b"{\"x\":\"\xc0\x80\"}"), &format!("record 0, line 1 column 7: {wrong}")),
        ("a key", invalid(b"{\"\xed\xa0\x80\":1}"), &format!("record 0, line 1 column 3: {wrong}")),
    ]);
}

#[test]
fn objects() {
    run(&[
        ("{}", "{}"),
        (" {\t\"i32\" :\r\n1 , \"text\":\"x\"\n} ", r#"{"i32":1,"text":"x"}"#),
        // Of double keys the last one counts, whatever it holds.
        (r#"{"i32":1,"i32":2}"#, r#"{"i32":2}"#),
        (r#"{"inner":{"a":1},"inner":{"b":"x"}}"#, r#"{"inner":{"b":"x"}}"#),
        (r#"{"list":[1,2],"list":[3]}"#, r#"{"list":[3]}"#),
        (r#"{"list":[1,2],"list":[]}"#, r#"{"list":[]}"#),
        (r#"{"map":{"a":1},"map":{"b":2}}"#, r#"{"map":{"b":2}}"#),
        (r#"{"map":{"a":1,"b":2,"a":3}}"#, r#"{"map":{"a":3,"b":2}}"#),
        (r#"{"map":{"a":1,"\u0061":3}}"#, r#"{"map":{"a":3}}"#),
        (r#"{"numbered":{"1":{"a":1},"1":{"b":"x"}}}"#, r#"{"numbered":{"1":{"b":"x"}}}"#),
        (r#"{"one":1,"two":"x"}"#, r#"{"two":"x"}"#),
        (r#"{"two":"x","three":{}}"#, r#"{"three":{}}"#),
        // `null` is absence.
        (r#"{"i32":null,"inner":null,"list":null,"map":null,"text":null}"#, "{}"),
        (r#"{"i32":1,"i32":null}"#, "{}"),
        (r#"{"one":1,"two":null}"#, r#"{"one":1}"#),
        (r#"{"i32":nul}"#, "record 0, line 1 column 8: no word of JSON: \"nul}\""),
        (r#"{"list":[null]}"#, "record 0, line 1 column 10, field list[0]: null where int32 is due"),
        (r#"{"map":{"a":null}}"#, "record 0, line 1 column 17, field map[0]: null as a value of a map"),
        // Implicit zeros are absence too.
        (r#"{"zero":0,"empty":""}"#, "{}"),
        (r#"{"zero":1,"zero":0}"#, "{}"),
        // Keys of maps are text.
        (
            r#"{"numbered":{"-1":{}},"flags":{"true":"x","false":"y"}}"#,
            r#"{"numbered":{"-1":{}},"flags":{"true":"x","false":"y"}}"#,
        ),
        (r#"{"numbered":{"x":{}}}"#, "record 0, line 1 column 14, field numbered: the string \"x\" where int32 is due"),
        (r#"{"flags":{"1":""}}"#, "record 0, line 1 column 11, field flags: a map's key of another kind"),
        (r#"{"map":{1:2}}"#, "record 0, line 1 column 9, field map: a number where a string is due"),
        // Unknown keys are skipped and counted, but must be well-formed.
        (r#"{"x":1,"y":{"z":[1,"\ud83d\ude00",{}]},"i32":5,"w":null}"#, r#"{"i32":5} skipped 2"#),
        (r#"{"x":1e999,"I32":5}"#, "{} skipped 2"),
        (r#"{"":0}"#, "{} skipped 1"),
        (r#"{"x":[1,]}"#, "record 0, line 1 column 9: `]` where a value is due"),
        (r#"{"x":{"a":1,}}"#, "record 0, line 1 column 13: `}` where a key is due"),
        (r#"{"x":"\ud83d"}"#, "record 0, line 1 column 7: `\\ud83d` is half a surrogate pair, no character"),
        (r#"{"x":{"\q":1}}"#, "record 0, line 1 column 8: `\\q` is no escape of JSON"),
        (r#"{"x":truth}"#, "record 0, line 1 column 6: no word of JSON: \"truth}\""),
        (r#"{"x":01}"#, "record 0, line 1 column 6: no number of JSON: \"01}\""),
        // Grammar.
        (r#"{"i32":1,}"#, "record 0, line 1 column 10: `}` where a key is due"),
        (r#"{"i32" 1}"#, "record 0, line 1 column 8: a number where `:` is due"),
        (r"{i32:1}", "record 0, line 1 column 2: `i` where a key is due"),
        (r#"{"i32":1 "text":""}"#, "record 0, line 1 column 10: a string where `,` or `}` is due"),
        (r#"{"list":[1 2]}"#, "record 0, line 1 column 12, field list: a number where `,` or `]` is due"),
        (r#"{"list":[1,]}"#, "record 0, line 1 column 12, field list[1]: `]` where int32 is due"),
        (r#"{"list":1}"#, "record 0, line 1 column 9, field list: a number where an array is due"),
        (r#"{"inner":[]}"#, "record 0, line 1 column 10, field inner: an array where an object is due"),
        (r#"{"map":[]}"#, "record 0, line 1 column 8, field map: an array where an object is due"),
        ("{", "record 0, line 1 column 2: the input ends where a key is due"),
        ("", "record 0, line 1 column 1: the input ends where an object is due"),
        ("5", "record 0, line 1 column 1: a number where an object is due"),
        ("{} {}", "line 1 column 4: an object where the end of the input is due"),
        ("{}x", "line 1 column 3: `x` where the end of the input is due"),
        ("{}\0", "line 1 column 3: `\\u{0}` where the end of the input is due"),
        ("\u{feff}{}", "{}"),
        ("\u{feff}\u{feff}{}", "record 0, line 1 column 4: `\\u{ef}` where an object is due"),
        // Places: line and column count from 1, the path names fields and items.
        (
            "{\n  \"inners\": [\n    {\"a\": 1},\n    {\"a\": \"x\"}\n  ]\n}",
            "record 0, line 4 column 11, field inners[1].a: the string \"x\" where int32 is due",
        ),
        (
            "{\"me\":\n{\"all\":[{},{\"numbered\":{\"7\":{\"b\":true}}}]}}",
            "record 0, line 2 column 34, field me.all[1].numbered[0].value.b: a bool where a string is due",
        ),
    ]);
}

#[test]
fn enums_as_keys_of_maps() {
    let idl = "enum Colour { RED = 1 } struct M { 1: optional map<Colour, i32> by }";
    let layout = layout("m.thrift", idl, "M", false);
    let cases = [
        (r#"{"by":{"RED":1}}"#, r#"{"by":{"RED":1}}"#),
        (r#"{"by":{"99":1,"-1":2}}"#, r#"{"by":{"99":1,"-1":2}}"#),
        (r#"{"by":{"1":1,"RED":2}}"#, r#"{"by":{"RED":2}}"#),
        (r#"{"by":{"BLUE":1}}"#, "record 0, line 1 column 8, field by: `BLUE` is no name of the enum Colour"),
    ];
    check(cases.iter().map(|&(input, expected)| (input, shown("json", &layout, input.as_bytes()), expected)));
}

#[test]
fn nesting_has_a_limit() {
    let layout = schema();
    let nested = |open: &str, close: &str, levels: usize| format!("{}{}", open.repeat(levels), close.repeat(levels));
    // Ten deep in these tests: nine messages in a record.
    let known = |levels| format!("{{\"me\":{}}}", nested("{\"me\":", "}", levels).replace(":}", ":{}}"));
    assert!(shown("json", &layout, known(7).as_bytes()).starts_with("{\"me\":{\"me\":"));
    let error = shown("json", &layout, known(9).as_bytes());
    assert!(error.ends_with("11 is beyond the limit `depth` of 10"), "{error}");
    let unknown = |levels| shown("json", &layout, format!("{{\"x\":{}}}", nested("[", "]", levels)).as_bytes());
    check([
        ("nine arrays", unknown(9), "{} skipped 1"),
        ("ten arrays", unknown(10), "record 0, line 1 column 15: 11 is beyond the limit `depth` of 10"),
        ("many arrays", unknown(100_000), "record 0, line 1 column 15: 11 is beyond the limit `depth` of 10"),
    ]);
}

#[test]
fn framings() {
    let layout = schema();
    let count = |framing, input: &str| match read("json", &layout, input.as_bytes(), framing) {
        Ok(batch) => format!("{} records", batch.len()),
        Err(error) => error.to_string(),
    };
    let cases = [
        (Framing::List, "[]", "0 records"),
        (Framing::List, "[{},{}]", "2 records"),
        // A single object is a list of one.
        (Framing::List, " {} ", "1 records"),
        (Framing::List, "\u{feff}[{}]\n", "1 records"),
        (Framing::List, "[{},{},]", "record 2, line 1 column 8: `]` where an object is due"),
        (Framing::List, "[{}{}]", "line 1 column 4: an object where `,` or `]` is due"),
        (Framing::List, "[{}]]", "line 1 column 5: `]` where the end of the input is due"),
        (Framing::List, "[{},\n{\"i32\":true}]", "record 1, line 2 column 8, field i32: a bool where int32 is due"),
        (Framing::List, "[", "record 0, line 1 column 2: the input ends where an object is due"),
        (Framing::Stream, "", "0 records"),
        (Framing::Stream, "{}\n{}\r\n\n{}", "3 records"),
        (Framing::Stream, "{} {}{}", "3 records"),
        (Framing::Stream, "{}\n[]", "record 1, line 2 column 1: an array where an object is due"),
        (Framing::Stream, "{}\n{\"i32\":1", "record 1, line 2 column 9: the input ends where `,` or `}` is due"),
    ];
    check(cases.iter().map(|&(framing, input, expected)| (input, count(framing, input), expected)));
}
