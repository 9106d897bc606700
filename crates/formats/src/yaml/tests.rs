use super::*;
use crate::fixture::{Random, everything, numbers, random, text, texts};
use bantam_model::{Value, compare};

/// Strings that readers of YAML 1.1 or 1.2 may take for something else, or that its grammar has trouble with.
const HARD: &[&str] = &[
    "",
    " ",
    "  ",
    "\t",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    "\0",
    "\u{1}",
    "\u{1b}",
    "\u{7f}",
    "\u{85}",
    "\u{9f}",
    "\u{a0}",
    "\u{2028}",
    "\u{2029}",
    "\u{feff}",
    "\u{feff}a",
    "a\u{feff}b",
    "\u{fffe}",
    "\u{ffff}",
    "\u{10ffff}",
    "é",
    "漢字",
    "😀",
    "e\u{301}",
    "1",
    "0",
    "-1",
    "+1",
    "007",
    "0o14",
    "0x1F",
    "0b11",
    "014",
    "1_000",
    "1e3",
    "1E+3",
    "1.",
    ".5",
    "-.5",
    "1.5",
    "1e999",
    "123456789012345678901234567890",
    ".inf",
    "-.inf",
    "+.Inf",
    ".INF",
    ".nan",
    ".NaN",
    "NaN",
    "Infinity",
    "-Infinity",
    "inf",
    "nan",
    "190:20:30",
    "12:30",
    "12:30:45",
    "1:1",
    "2001-01-01",
    "2001-12-14t21:59:43.10-05:00",
    "2001-12-14 21:59:43.10 -5",
    "2001-12-15 2:59:43",
    "true",
    "True",
    "TRUE",
    "false",
    "yes",
    "Yes",
    "YES",
    "no",
    "No",
    "NO",
    "on",
    "On",
    "off",
    "OFF",
    "y",
    "Y",
    "n",
    "N",
    "~",
    "null",
    "Null",
    "NULL",
    "=",
    "<<",
    "<",
    ">",
    "|",
    "|-",
    ">-",
    "-",
    "--",
    "---",
    "--- a",
    "...",
    "... a",
    "- a",
    "-a",
    "?",
    "? a",
    "?a",
    ":",
    ": a",
    ":a",
    "a:",
    "a: b",
    "a:b",
    "a :b",
    "a #b",
    "a#b",
    "#a",
    "# a",
    "a # b",
    "&a",
    "*a",
    "!a",
    "!!str a",
    "%a",
    "@a",
    "`a",
    "\"",
    "'",
    "\"a\"",
    "'a'",
    "a'b",
    "a\"b",
    "\\",
    "a\\nb",
    "{",
    "}",
    "[",
    "]",
    "{a}",
    "[a]",
    "{a: b}",
    ",",
    "a,b",
    "a, b",
    "a]",
    "a}",
    " a",
    "a ",
    "\ta",
    "a\t",
    "a\tb",
    "a\nb",
    "a\n b",
    "a\n\nb\n",
    "\na",
    "a\n",
    " a\n b",
    "line one\n  indented\nend\n\n",
    "a\r\nb",
    "${HOME}",
    "$a",
];

fn encode(codec: &mut dyn Codec, batch: &Batch<'_>, framing: Framing) -> String {
    let mut out = Vec::new();
    codec.encode(batch, framing, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn decode(
    build: fn(&Arc<Layout>) -> Result<Box<dyn Codec>>,
    layout: &Arc<Layout>,
    input: &str,
) -> Result<Batch<'static>> {
    let mut batch = Batch::new(layout.clone()).renew();
    build(layout)?.decode(input.as_bytes(), Framing::List, &mut batch)?;
    Ok(batch.into_owned())
}

/// JSON by `serde_json`, to make records from and to look at them.
fn json(format: &str, layout: &Arc<Layout>) -> Box<dyn Codec> {
    (crate::find(format).unwrap().engine("serde_json").unwrap().build)(layout).unwrap()
}

fn both(layout: &Arc<Layout>) -> [Box<dyn Codec>; 2] {
    [block(layout).unwrap(), flow(layout).unwrap()]
}

#[test]
fn random_records_come_back_in_every_style_and_framing() {
    let layout = everything();
    for seed in 0..60 {
        let batch = random(&layout, 3, seed);
        for mut codec in both(&layout) {
            for framing in [Framing::List, Framing::Stream] {
                let out = encode(&mut *codec, &batch, framing);
                let mut back = Batch::new(layout.clone()).renew();
                codec
                    .decode(out.as_bytes(), framing, &mut back)
                    .unwrap_or_else(|e| panic!("seed {seed} {framing}: {e}\n{out}"));
                compare(&batch, &back, Lowerings::NONE).unwrap_or_else(|e| panic!("seed {seed} {framing}: {e}\n{out}"));
                assert_eq!(back.skipped(), 0);
            }
            for row in batch.rows() {
                let mut out = b"# before\n".to_vec();
                codec.encode_each(row, &mut out).unwrap();
                let mut back = Batch::new(layout.clone()).renew();
                back.reset(&out).unwrap();
                codec.decode_each(&out, 9..out.len(), &mut back).unwrap();
            }
        }
    }
}

#[test]
fn hard_strings_come_back_as_they_were() {
    let long = "k".repeat(3_000);
    let batch = texts(HARD.iter().copied().chain([long.as_str(), &"many words ".repeat(50)]));
    for mut codec in both(&text()) {
        for framing in [Framing::List, Framing::Stream] {
            let out = encode(&mut *codec, &batch, framing);
            let mut back = Batch::new(text()).renew();
            codec.decode(out.as_bytes(), framing, &mut back).unwrap_or_else(|e| panic!("{e}\n{out}"));
            compare(&batch, &back, Lowerings::NONE).unwrap_or_else(|e| panic!("{framing}: {e}"));
        }
        let out = encode(&mut *codec, &batch, Framing::List);
        // Lines are not folded: a record is a line, whatever its text.
        assert_eq!(out.lines().count(), batch.len());
    }
}

#[test]
fn a_question_mark_quotes_the_record_in_flow_style() {
    let batch = texts(["a", "a?", "it's?"]);
    let wanted = "- {text: a}\n- {text: 'a?'}\n- {text: \"it's?\"}\n";
    assert_eq!(encode(&mut *flow(&text()).unwrap(), &batch, Framing::List), wanted);
}

#[test]
fn hard_strings_are_keys_too() {
    let layout = everything();
    let long = "k".repeat(3_000);
    let entries: Vec<String> =
        HARD.iter().chain([&long.as_str()]).map(|key| format!("{}:1", serde_json::to_string(key).unwrap())).collect();
    let input = format!(r#"[{{"id":1,"texts":{{{}}}}}]"#, entries.join(","));
    let mut batch = Batch::new(layout.clone()).renew();
    json("json", &layout).decode(input.as_bytes(), Framing::List, &mut batch).unwrap();
    for mut codec in both(&layout) {
        let out = encode(&mut *codec, &batch, Framing::List);
        let mut back = Batch::new(layout.clone()).renew();
        codec.decode(out.as_bytes(), Framing::List, &mut back).unwrap_or_else(|e| panic!("{e}\n{out}"));
        compare(&batch, &back, Lowerings::NONE).unwrap();
    }
}

#[test]
fn each_style_looks_as_it_should() {
    let layout = numbers();
    let mut batch = Batch::new(layout.clone());
    for first in [1, 5] {
        let row = batch.push_record().unwrap();
        layout.root().slots.iter().zip(first..).for_each(|(slot, value)| batch.set(row, slot, value));
    }
    let [mut block, mut flow] = both(&layout);
    let lines = "- sip: 1\n  dip: 2\n  sport: 3\n  dport: 4\n- sip: 5\n  dip: 6\n  sport: 7\n  dport: 8\n";
    assert_eq!(encode(&mut *block, &batch, Framing::List), lines);
    let documents = "---\nsip: 1\ndip: 2\nsport: 3\ndport: 4\n---\nsip: 5\ndip: 6\nsport: 7\ndport: 8\n";
    assert_eq!(encode(&mut *block, &batch, Framing::Stream), documents);
    let lines = "- {sip: 1, dip: 2, sport: 3, dport: 4}\n- {sip: 5, dip: 6, sport: 7, dport: 8}\n";
    assert_eq!(encode(&mut *flow, &batch, Framing::List), lines);
    let documents = "--- {sip: 1, dip: 2, sport: 3, dport: 4}\n--- {sip: 5, dip: 6, sport: 7, dport: 8}\n";
    assert_eq!(encode(&mut *flow, &batch, Framing::Stream), documents);

    let input = "[{\"id\":1,\"double_list\":[1.0,\"NaN\",\"-Infinity\"],\"string_list\":[],\"inner_optional\":{\"x\":1e300},\
                \"wrapper_optional\":[[1,2],[]],\"flags\":{\"true\":0.5},\"longs\":{\"7\":\"no\"},\"children\":[{\"id\":2}]}]";
    let mut batch = Batch::new(everything()).renew();
    json("json", &everything()).decode(input.as_bytes(), Framing::List, &mut batch).unwrap();
    let [mut block, mut flow] = both(&everything());
    let wanted = "- id: 1\n  double_list:\n  - 1.0\n  - .nan\n  - -.inf\n  string_list: []\n  inner_optional:\n    x: 1.0e+300\n  \
                  wrapper_optional:\n  - - 1\n    - 2\n  - []\n  longs:\n    7: \"no\"\n  flags:\n    true: 0.5\n  children:\n  - id: 2\n";
    assert_eq!(encode(&mut *block, &batch, Framing::List), wanted);
    let wanted = "- {id: 1, double_list: [1.0, .nan, -.inf], string_list: [], inner_optional: {x: 1.0e+300}, \
                  wrapper_optional: [[1, 2], []], longs: {7: \"no\"}, flags: {true: 0.5}, children: [{id: 2}]}\n";
    assert_eq!(encode(&mut *flow, &batch, Framing::List), wanted);
    let none = Batch::new(everything());
    assert_eq!(encode(&mut *block, &none, Framing::List), "[]\n");
    assert_eq!(encode(&mut *flow, &none, Framing::List), "[]\n");
}

#[test]
fn flow_is_seven_bytes_a_record_shorter_than_spaced_json() {
    let layout = numbers();
    let mut batch = Batch::new(layout.clone());
    for record in 0..100 {
        let row = batch.push_record().unwrap();
        layout.root().slots.iter().for_each(|slot| batch.set(row, slot, record * 7919));
    }
    let mut spaced = Vec::new();
    json("json-spaced", &layout).encode(&batch, Framing::List, &mut spaced).unwrap();
    let out = encode(&mut *flow(&layout).unwrap(), &batch, Framing::List);
    // A record in JSON: two bytes `, ` and 8 of quotes; here `- ` and a line feed. The list's own `[` and `]` are the bytes
    // that the first record's missing `, ` saves.
    assert_eq!(spaced.len() - out.len(), 100 * 7);
}

#[test]
fn readings_of_odd_but_right_input() {
    let layout = everything();
    for (input, output) in [
        (
            "- id: 1\n  string_list: [123, 1e3, yes, 2001-01-01, 0x1F, .inf]\n",
            r#"[{"id":1,"string_list":["123","1e3","yes","2001-01-01","0x1F",".inf"]}]"#,
        ),
        ("- id: 0x1F\n  bool_list: [yes, Off, true]\n", r#"[{"id":31,"bool_list":[true,false,true]}]"#),
        ("- id: 1e3\n  u64_list: [1_000, '5', 0o14]\n", r#"[{"id":1000,"u64_list":[1000,5,12]}]"#),
        (
            "- id: 18446744073709551615\n  i64_list: [-9223372036854775808]\n",
            r#"[{"id":18446744073709551615,"i64_list":[-9223372036854775808]}]"#,
        ),
        (
            "- id: 1\n  double_list: [1, -0, .nan, +.INF, -.inf]\n",
            r#"[{"id":1,"double_list":[1.0,-0.0,"NaN","Infinity","-Infinity"]}]"#,
        ),
        ("- id: 1\n  string_optional: ~\n  i32_optional:\n  inner_optional: null\n", r#"[{"id":1}]"#),
        ("- id: 1\n  id: 2\n", r#"[{"id":2}]"#),
        (
            "- id: 1\n  closed_list: [NO, 5, CNAME, 'null']\n",
            r#"[{"id":1,"closed_list":["NO","CNAME","CNAME","null"]}]"#,
        ),
        ("- id: 1\n  bytes_optional: !!binary |\n    aGVs\n    bG8=\n", r#"[{"id":1,"bytes_optional":"aGVsbG8="}]"#),
        (
            "- &a {id: 1, inner_optional: &b {x: 2}}\n- *a\n- <<: *a\n  id: 3\n",
            r#"[{"id":1,"inner_optional":{"x":2.0}},{"id":1,"inner_optional":{"x":2.0}},{"id":3,"inner_optional":{"x":2.0}}]"#,
        ),
        ("id: 9\n", r#"[{"id":9}]"#),
        ("--- # one\nid: 9\n...\n", r#"[{"id":9}]"#),
        ("%YAML 1.2\n---\n- id: 9\n", r#"[{"id":9}]"#),
        ("\u{feff}- id: 9\n", r#"[{"id":9}]"#),
        ("[{\"id\":9,\"texts\":{\"a\":1}}]", r#"[{"id":9,"texts":{"a":1}}]"#),
        (
            "- id: 1\n  flags: {true: 1, false: 2}\n  longs: {-5: a}\n",
            r#"[{"id":1,"longs":{"-5":"a"},"flags":{"true":1.0,"false":2.0}}]"#,
        ),
        (
            "- id: 1\n  string_optional: |\n    two\n    lines\n  string_implicit: >-\n    one\n    line\n",
            r#"[{"id":1,"string_optional":"two\nlines\n","string_implicit":"one line"}]"#,
        ),
        ("- id: 1\n  string_optional: plain\n    goes on\n", r#"[{"id":1,"string_optional":"plain goes on"}]"#),
        ("[]\n", "[]"),
        ("", "[]"),
        ("# nothing\n", "[]"),
    ] {
        let batch = decode(block, &layout, input).unwrap_or_else(|e| panic!("{input}: {e}"));
        let mut out = Vec::new();
        json("json", &layout).encode(&batch, Framing::List, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), output, "{input}");
    }
    let batch = decode(block, &layout, "- {id: 1, x: [1, {y: z}], w: ~}\n").unwrap();
    assert_eq!(batch.skipped(), 2);
}

#[test]
fn errors_say_what_and_where() {
    let layout = everything();
    for (input, kind, wanted) in [
        (
            "- id: 1\n- id: 2\n  i8_list:\n  - 1\n  - 300\n",
            ErrorKind::Range,
            "record 1, line 5 column 5, field i8_list[1]: 300 does not fit int8, which is -128..=127",
        ),
        ("- id: 1\n  i32_optional: é x\n", ErrorKind::Mismatch, "record 0, line 2 column 3, field i32_optional:"),
        ("- id: 1\n  string_list: [é, {}]\n", ErrorKind::Mismatch, "line 2 column 21, field string_list[1]:"),
        ("- id: 1\n  string_list: [a, ~]\n", ErrorKind::Mismatch, "field string_list[1]: "),
        (
            "- id: 1\n  closed_optional: B\n",
            ErrorKind::Mismatch,
            "field closed_optional: \"B\" is no name of enum test.Closed",
        ),
        ("- id: 1\n  bool_optional: maybe\n", ErrorKind::Mismatch, "field bool_optional:"),
        ("- id: 1\n  double_optional: a\n", ErrorKind::Mismatch, "field double_optional:"),
        ("- id: 1\n  inner_optional: [1]\n", ErrorKind::Mismatch, "field inner_optional:"),
        ("- id: 1\n  inner_list: {x: 1}\n", ErrorKind::Mismatch, "field inner_list:"),
        ("- {}\n", ErrorKind::Missing, "record 0, "),
        ("- id: '1\n", ErrorKind::Syntax, "line "),
        ("- id: 1\n - b\n", ErrorKind::Syntax, "did not find expected '-'"),
        ("- id: 1\n---\n- id: 2\n", ErrorKind::Syntax, "line "),
        ("5\n", ErrorKind::Mismatch, "expected a list of records"),
    ] {
        let error = decode(block, &layout, input).expect_err(input);
        assert!(error.to_string().contains(wanted), "of {input}: {error}");
        assert_eq!(error.kind(), kind, "of {input}: {error}");
    }
}

#[test]
fn documents_are_found_by_their_markers() {
    for (input, documents) in [
        ("", &[][..]),
        ("a: 1\n", &["a: 1\n"]),
        ("---\na: 1\n---\nb: 2", &["---\na: 1\n", "---\nb: 2"]),
        ("--- {a: 1}\n--- {b: 2}\n", &["--- {a: 1}\n", "--- {b: 2}\n"]),
        (
            "# c\n%YAML 1.2\n---\na: 1\n...\n%YAML 1.2\n---\nb: 2\n...\n",
            &["# c\n%YAML 1.2\n---\na: 1\n", "%YAML 1.2\n---\nb: 2\n"],
        ),
        ("---\n---\n# c\n--- # d\na: '\n  ---\n  '\n----: 1\n...\n...\n", &["--- # d\na: '\n  ---\n  '\n----: 1\n"]),
    ] {
        let found: Vec<&str> = Documents { input: input.as_bytes(), at: 0 }
            .map(|at| std::str::from_utf8(&input.as_bytes()[at]).unwrap())
            .collect();
        assert_eq!(found, documents, "{input}");
    }
    let mut batch = Batch::new(text()).renew();
    let error =
        block(&text()).unwrap().decode(b"---\ntext: a\n---\ntext: [b]\n", Framing::Stream, &mut batch).unwrap_err();
    assert!(error.to_string().starts_with("record 1, line 4 column 7, field text: "), "{error}");
}

#[test]
fn limits_hold_and_the_stack_does() {
    let deep =
        |messages: usize| format!("[{}{{id: 1}}{}]", "{id: 1, children: [".repeat(messages), "]}".repeat(messages));
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        let layout = everything();
        let read = |input: &str, limits: Limits| {
            let mut batch = Batch::with_limits(layout.clone(), limits).renew();
            block(&layout).unwrap().decode(input.as_bytes(), Framing::List, &mut batch)
        };
        read(&deep(100), Limits::default()).unwrap();
        let error = read(&deep(101), Limits::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        // A limit beyond what the library's stack allows is cut.
        read(&deep(198), Limits::default().depth(1_000)).unwrap();
        let error = read(&deep(200), Limits::default().depth(1_000)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        for open in ["[", "{a: ", "- ", "? "] {
            let input = format!("- unknown:\n    {}", open.repeat(20_000));
            assert!(read(&input, Limits::default()).is_err());
            assert!(read(&input, Limits::default().depth(1_000)).is_err());
        }
        let small = Limits::default().string_bytes(3);
        assert!(read("- {id: 1, string_optional: abcd}", small).unwrap_err().to_string().contains("string_bytes"));
    });
    thread.unwrap().join().unwrap();
}

#[test]
fn aliases_cannot_grow_without_end() {
    let mut bomb = "- unknown: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        bomb.extend([format!("  u{level}: &a{level} [{aliases}]\n")]);
    }
    let error = decode(block, &everything(), &bomb).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    // While data that names one value ten thousand times is read.
    let many = format!("- &a {{text: long}}\n{}", "- *a\n".repeat(10_000));
    assert_eq!(decode(block, &text(), &many).unwrap().len(), 10_001);
}

#[test]
fn large_files_are_read_whole() {
    let layout = numbers();
    let records = 30_000;
    let input = "- {sip: 3232300800, dip: 4000000000, sport: 1024, dport: 443}\n".repeat(records);
    let batch = decode(flow, &layout, &input).unwrap();
    assert_eq!(batch.len(), records);
    assert!(matches!(batch.get(records - 1).unwrap().field("dport"), Some(Value::Uint(443))));
}

#[test]
fn broken_input_never_panics() {
    let layout = everything();
    let mut random_bytes = Random::new(3);
    for mut codec in both(&layout) {
        let mut good = Vec::new();
        codec.encode(&random(&layout, 2, 5), Framing::List, &mut good).unwrap();
        for cut in 0..good.len() {
            let mut back = Batch::new(layout.clone()).renew();
            let _ = codec.decode(&good[..cut], Framing::List, &mut back);
        }
        for _ in 0..1_000 {
            let mut bad = good.clone();
            for _ in 0..=random_bytes.below(3) {
                let at = random_bytes.below(bad.len() as u64) as usize;
                bad[at] = random_bytes.next() as u8;
            }
            let mut back = Batch::new(layout.clone()).renew();
            let _ = codec.decode(&bad, Framing::List, &mut back);
            let _ = codec.decode(&bad, Framing::Stream, &mut back);
        }
    }
}
