use super::*;
use crate::fixture::{Random, everything, numbers, random, text};
use bantam_model::{Limits, Lowerings, Value, compare};

type Build = fn(&Arc<Layout>) -> Result<Box<dyn Codec>>;

const BUILDS: [(&str, Look, Build); 8] = [
    ("serde_json compact", Look::Compact, serde_json_compact),
    ("serde_json spaced", Look::Spaced, serde_json_spaced),
    ("serde_json pretty", Look::Pretty, serde_json_pretty),
    ("serde_json lines", Look::Lines, serde_json_lines),
    ("sonic-rs compact", Look::Compact, sonic_rs_compact),
    ("sonic-rs spaced", Look::Spaced, sonic_rs_spaced),
    ("sonic-rs pretty", Look::Pretty, sonic_rs_pretty),
    ("sonic-rs lines", Look::Lines, sonic_rs_lines),
];

fn framings(look: Look) -> &'static [Framing] {
    if look == Look::Lines { &[Framing::Stream] } else { &[Framing::List, Framing::Stream] }
}

/// Both libraries, to read with.
const READERS: [(&str, Build); 2] = [("serde_json", serde_json_compact), ("sonic-rs", sonic_rs_compact)];

fn read(build: Build, layout: &Arc<Layout>, input: &str) -> Result<Batch<'static>> {
    read_limited(build, layout, input.as_bytes(), Limits::default())
}

fn read_limited(build: Build, layout: &Arc<Layout>, input: &[u8], limits: Limits) -> Result<Batch<'static>> {
    let mut batch = Batch::with_limits(layout.clone(), limits).renew();
    build(layout)?.decode(input, Framing::List, &mut batch)?;
    Ok(batch.into_owned())
}

/// What the library writes of what it reads.
fn echo(build: Build, layout: &Arc<Layout>, input: &str) -> String {
    let batch = read(build, layout, input).unwrap_or_else(|e| panic!("{input}: {e}"));
    let mut out = Vec::new();
    build(layout).unwrap().encode(&batch, Framing::List, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn random_records_come_back_in_every_style_and_framing() {
    let layout = everything();
    for seed in 0..60 {
        let batch = random(&layout, 3, seed);
        for (name, look, build) in BUILDS {
            let mut codec = build(&layout).unwrap();
            for &framing in framings(look) {
                let mut out = Vec::new();
                codec.encode(&batch, framing, &mut out).unwrap();
                let mut back = Batch::new(layout.clone()).renew();
                codec.decode(&out, framing, &mut back).unwrap_or_else(|e| panic!("{name} {framing} seed {seed}: {e}"));
                assert_eq!(back.skipped(), 0);
                match compare(&batch, &back, Lowerings::NONE) {
                    // A fault of sonic-rs 0.5: it reads -0.0 as 0.0.
                    Err(e) if name.starts_with("sonic-rs") && e.left == "-0.0" => {}
                    other => drop(other.unwrap_or_else(|e| panic!("{name} {framing} seed {seed}: {e}"))),
                }
            }
        }
    }
}

#[test]
fn both_libraries_write_the_same_values() {
    let layout = everything();
    for seed in 0..30 {
        let batch = random(&layout, 2, seed);
        for (serde, sonic) in BUILDS[..4].iter().zip(&BUILDS[4..]) {
            let [serde_text, sonic_text] = [serde, sonic].map(|(_, look, build)| {
                let mut out = Vec::new();
                build(&layout).unwrap().encode(&batch, framings(*look)[0], &mut out).unwrap();
                String::from_utf8(out).unwrap()
            });
            assert_eq!(serde_text, sonic_text, "seed {seed} {}", serde.0);
        }
    }
}

#[test]
fn each_style_looks_as_it_should() {
    let layout = numbers();
    let input = r#"[{"sip":1,"dip":2,"sport":3,"dport":4},{"sip":5,"dip":6,"sport":7,"dport":8}]"#;
    let batch = read(serde_json_compact, &layout, input).unwrap();
    let pretty = "[\n  {\n    \"sip\": 1,\n    \"dip\": 2,\n    \"sport\": 3,\n    \"dport\": 4\n  },\n  {\n    \"sip\": 5,\n    \"dip\": 6,\n    \"sport\": 7,\n    \"dport\": 8\n  }\n]";
    let lines =
        "{\"sip\":1,\"dip\":2,\"sport\":3,\"dport\":4}\n{\"sip\":5,\"dip\":6,\"sport\":7,\"dport\":8}\n".to_owned();
    let spaced = r#"[{"sip": 1, "dip": 2, "sport": 3, "dport": 4}, {"sip": 5, "dip": 6, "sport": 7, "dport": 8}]"#;
    for (name, look, build) in BUILDS {
        let mut out = Vec::new();
        build(&layout).unwrap().encode(&batch, framings(look)[0], &mut out).unwrap();
        let wanted = match look {
            Look::Compact => input,
            Look::Spaced => spaced,
            Look::Pretty => pretty,
            Look::Lines => &lines,
        };
        assert_eq!(String::from_utf8(out).unwrap(), wanted, "{name}");
    }
}

#[test]
fn readings_of_odd_but_right_input() {
    let layout = everything();
    for (name, build) in READERS {
        for (input, output) in [
            // Last wins, also over messages and lists; null is absence.
            (r#"[{"id":1,"id":2}]"#, r#"[{"id":2}]"#),
            (r#"[{"id":1,"i32_list":[1,2],"i32_list":[3]}]"#, r#"[{"id":1,"i32_list":[3]}]"#),
            (r#"[{"id":1,"i32_list":[1],"i32_list":null}]"#, r#"[{"id":1}]"#),
            (
                r#"[{"id":1,"inner_optional":{"x":1.5,"say \"hi\"\n":"b"},"inner_optional":{"x":2.5}}]"#,
                r#"[{"id":1,"inner_optional":{"x":2.5}}]"#,
            ),
            (r#"[{"id":1,"u8_optional":null}]"#, r#"[{"id":1}]"#),
            // Oneofs, in either direction.
            (r#"[{"id":1,"left":4,"right":"r"}]"#, r#"[{"id":1,"right":"r"}]"#),
            (r#"[{"id":1,"right":"r","middle":{"x":0.5},"left":0}]"#, r#"[{"id":1,"left":0}]"#),
            (r#"[{"id":1,"left":4,"right":null}]"#, r#"[{"id":1,"left":4}]"#),
            // Implicit zeros are absence, optional ones are not.
            (r#"[{"id":1,"i32_implicit":0,"string_implicit":"","bool_implicit":false}]"#, r#"[{"id":1}]"#),
            (
                r#"[{"id":0,"i32_optional":0,"string_optional":""}]"#,
                r#"[{"id":0,"i32_optional":0,"string_optional":""}]"#,
            ),
            // Numbers.
            (r#"[{"id":18446744073709551615}]"#, r#"[{"id":18446744073709551615}]"#),
            (r#"[{"id":"18446744073709551615"}]"#, r#"[{"id":18446744073709551615}]"#),
            (
                r#"[{"id":1e3,"i64_optional":-9223372036854775808}]"#,
                r#"[{"id":1000,"i64_optional":-9223372036854775808}]"#,
            ),
            (
                r#"[{"id":2.0,"i8_optional":-128.0,"double_optional":7}]"#,
                r#"[{"id":2,"i8_optional":-128,"double_optional":7.0}]"#,
            ),
            (
                r#"[{"id":2,"double_list":["NaN","Infinity","-Infinity"]}]"#,
                r#"[{"id":2,"double_list":["NaN","Infinity","-Infinity"]}]"#,
            ),
            // Enums by name and number.
            (
                r#"[{"id":2,"closed_list":["CNAME",5,1,"null"],"open_list":[7,"ZERO"]}]"#,
                r#"[{"id":2,"closed_list":["CNAME","CNAME","NO","null"],"open_list":[7,"ZERO"]}]"#,
            ),
            // Base64 of both alphabets, padded or not.
            (
                r#"[{"id":2,"bytes_list":["+/8=","+/8","-_8=","-_8",""]}]"#,
                r#"[{"id":2,"bytes_list":["+/8=","+/8=","+/8=","+/8=",""]}]"#,
            ),
            // Maps, by their keys and as entries.
            (
                r#"[{"id":2,"flags":{"true":1.5,"false":2.5,"true":3.5}}]"#,
                r#"[{"id":2,"flags":{"true":3.5,"false":2.5}}]"#,
            ),
            (r#"[{"id":2,"longs":{"-5":"a","0":""}}]"#, r#"[{"id":2,"longs":{"-5":"a","0":""}}]"#),
            (
                r#"[{"id":2,"enums":{"CNAME":{"x":1.0},"0":{"x":2.0}}}]"#,
                r#"[{"id":2,"enums":{"CNAME":{"x":1.0},"A":{"x":2.0}}}]"#,
            ),
            (r#"[{"id":2,"texts":[{"key":"k","value":3}]}]"#, r#"[{"id":2,"texts":{"k":3}}]"#),
            (r#"[{"id":2,"doubles":[{"key":0.5,"value":"v"}]}]"#, r#"[{"id":2,"doubles":[{"key":0.5,"value":"v"}]}]"#),
            // Lists of lists, empty lists, no records, one record.
            (
                r#"[{"id":2,"wrapper_optional":[[1],[],[2,3]],"lists":{"a":[]}}]"#,
                r#"[{"id":2,"wrapper_optional":[[1],[],[2,3]],"lists":{"a":[]}}]"#,
            ),
            (r#"[{"id":2,"string_list":[],"texts":{}}]"#, r#"[{"id":2,"string_list":[],"texts":{}}]"#),
            ("[]", "[]"),
            (r#"{"id":9}"#, r#"[{"id":9}]"#),
            ("\u{feff} [ {\"id\" : 9 } ]\r\n", r#"[{"id":9}]"#),
            // Every escape.
            (
                r#"[{"id":1,"string_optional":"\"\\\/\b\f\n\r\t\u0041\ud83d\ude00\u0000"}]"#,
                "[{\"id\":1,\"string_optional\":\"\\\"\\\\/\\b\\f\\n\\r\\tA😀\\u0000\"}]",
            ),
        ] {
            assert_eq!(echo(build, &layout, input), output, "{name} reads {input}");
        }
    }
}

#[test]
fn the_sign_of_zero_is_kept_by_serde_json_and_lost_by_sonic_rs() {
    // When sonic-rs is mended this fails, and then the exceptions for it can go.
    let layout = everything();
    for zero in ["-0.0", "-0", "-0e5"] {
        let input = format!(r#"[{{"id":2,"double_optional":{zero}}}]"#);
        let kept = READERS.map(|(_, build)| {
            let batch = read(build, &layout, &input).unwrap();
            matches!(batch.get(0).unwrap().field("double_optional"), Some(Value::Double(v)) if v.is_sign_negative())
        });
        assert_eq!(kept, [true, false], "{zero}");
    }
}

#[test]
fn unknown_fields_are_skipped_and_counted() {
    let layout = numbers();
    let input = r#"[{"x":[{"y":[1,"]}"]}],"sip":1,"z":{"a":null,"b":1e300},"dip":2,"sport":3,"dport":4,"w":"\u00e9"}]"#;
    for (name, build) in READERS {
        let batch = read(build, &layout, input).unwrap();
        assert_eq!(batch.skipped(), 3, "{name}");
        assert_eq!(batch.get(0).unwrap().field("dport").map(|v| matches!(v, Value::Uint(4))), Some(true));
    }
    for (name, build) in READERS {
        let batch = read(build, &everything(), r#"[{"id":1,"closed_optional":77,"closed_list":[5,77]}]"#).unwrap();
        assert_eq!(batch.skipped(), 2, "{name}: numbers that a closed enum has no name for");
    }
}

#[test]
fn errors_say_what_and_where() {
    let layout = everything();
    for (name, build) in READERS {
        for (input, kind, wanted) in [
            ("[{\"id\":1},\n{\"id\":1,\"i8_list\":[1,300]}]", ErrorKind::Range, "record 1, line 2 column"),
            (
                "[{\"id\":1},\n{\"id\":1,\"i8_list\":[1,300]}]",
                ErrorKind::Range,
                "field i8_list[1]: 300 does not fit int8, which is -128..=127",
            ),
            (
                r#"[{"id":1,"children":[{"id":2},{"id":3,"inner_list":[{"x":"a"}]}]}]"#,
                ErrorKind::Mismatch,
                r#"field children[1].inner_list[0].x: invalid type: string "a", expected double"#,
            ),
            (
                r#"[{"id":1,"u8_optional":1.5}]"#,
                ErrorKind::Range,
                "field u8_optional: 1.5 does not fit uint8, which is 0..=255",
            ),
            (r#"[{"id":-1}]"#, ErrorKind::Range, "field id: -1 does not fit uint64"),
            (
                r#"[{"id":18446744073709551616}]"#,
                ErrorKind::Range,
                "field id: 18446744073709552000 does not fit uint64",
            ),
            (
                r#"[{"id":1,"i64_optional":-9223372036854775809}]"#,
                ErrorKind::Range,
                "field i64_optional: -9.223372036854776e18 is a float of 2^53 or beyond, which need not be the number written",
            ),
            (
                r#"[{"id":1,"i32_optional":"5"}]"#,
                ErrorKind::Mismatch,
                r#"field i32_optional: invalid type: string "5", expected int32"#,
            ),
            (r#"[{"id":1,"float_optional":1e39}]"#, ErrorKind::Range, "field float_optional:"),
            (
                r#"[{"id":1,"string_optional":5}]"#,
                ErrorKind::Mismatch,
                "field string_optional: invalid type: integer `5`, expected string",
            ),
            (
                r#"[{"id":1,"string_list":["a",null]}]"#,
                ErrorKind::Mismatch,
                "field string_list[1]: invalid type: null, expected string",
            ),
            (
                r#"[{"id":1,"closed_optional":"B"}]"#,
                ErrorKind::Mismatch,
                r#"field closed_optional: "B" is no name of enum test.Closed; there are: A, NO, CNAME, null"#,
            ),
            (
                r#"[{"id":1,"bytes_optional":"%"}]"#,
                ErrorKind::Mismatch,
                r#"field bytes_optional: "%" is no base64 text"#,
            ),
            (r#"[{"id":1,"texts":{"a":1,"b":"x"}}]"#, ErrorKind::Mismatch, "field texts[1].value:"),
            (r#"[{"id":1,"longs":{"x":"a"}}]"#, ErrorKind::Mismatch, "field longs[0]:"),
            (
                r#"[{"id":1,"texts":{"a":null}}]"#,
                ErrorKind::Missing,
                "field texts[0].value: the required field is missing",
            ),
            (r#"[{"id":1},{}]"#, ErrorKind::Missing, "field id: the required field is missing"),
            (
                r#"[{"id":1,"inner_optional":{}}]"#,
                ErrorKind::Missing,
                "field inner_optional.x: the required field is missing",
            ),
            (r#"[{"id":1,"inner_list":{"x":1}}]"#, ErrorKind::Mismatch, "field inner_list:"),
            (r#"[{"id":1,"inner_optional":[]}]"#, ErrorKind::Mismatch, "field inner_optional:"),
            (r#"[{"id":1}] x"#, ErrorKind::Syntax, "line 1 column 12"),
            (r#"[{"id":1},]"#, ErrorKind::Syntax, "line 1 column"),
            (r#"[{"id":1"#, ErrorKind::Truncated, "record 0, line 1 column"),
            ("", ErrorKind::Truncated, "line 1 column 1"),
            ("5", ErrorKind::Mismatch, "expected a list of records"),
        ] {
            let error = read(build, &layout, input).expect_err(input);
            assert!(error.to_string().contains(wanted), "{name} says of {input}: {error}");
            assert_eq!(error.kind(), kind, "{name} says of {input}: {error}");
        }
    }
}

#[test]
fn floats_that_may_have_been_rounded_are_no_integers() {
    let layout = everything();
    for (name, build) in READERS {
        for (written, held) in [
            ("9007199254740991.0", Some(r#"[{"id":9007199254740991}]"#)),
            ("9007199254740992.0", None),
            ("9007199254740993.0", None),
            ("1e18", None),
            ("9007199254740993", Some(r#"[{"id":9007199254740993}]"#)),
        ] {
            let input = format!("[{{\"id\":{written}}}]");
            if let Some(held) = held {
                assert_eq!(echo(build, &layout, &input), held, "{name}");
            } else {
                let error = read(build, &layout, &input).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Range, "{name} says of {input}: {error}");
            }
        }
    }
}

#[test]
fn doubles_are_exact() {
    let layout = everything();
    let mut texts: Vec<String> = [
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "1.7976931348623157e308",
        "4.9406564584124654e-324",
        "5e-324",
        "9007199254740993",
        "9007199254740993.0",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
        "0.1",
        "123456789012345678901234567890",
        "3.4028235677973366e38",
        "8.41e21",
        "6.8985865317742180e-5",
        "2.7328478297191296e-7",
    ]
    .map(str::to_owned)
    .into();
    let mut random = Random::new(7);
    for _ in 0..20_000 {
        let value = f64::from_bits(random.next());
        if value.is_finite() {
            texts.push(format!("{value:e}"));
        }
        // 17 to 19 digits, as no shortest form has them.
        texts.push(format!("{}.{}e{}", random.below(10), random.next(), random.below(600) as i64 - 300));
    }
    for (name, build) in READERS {
        let input = format!("[{{\"id\":1,\"double_list\":[{}]}}]", texts.join(","));
        let batch = read(build, &layout, &input).unwrap();
        let Some(Value::List(items)) = batch.get(0).unwrap().field("double_list") else { panic!() };
        assert_eq!(items.len(), texts.len());
        for (item, text) in items.iter().zip(&texts) {
            let Value::Double(value) = item else { panic!() };
            assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{name} reads {text} as {value:e}");
        }
    }
}

#[test]
fn strings_without_escapes_are_ranges_of_the_input() {
    let layout = text();
    let input = r#"[{"text":"plain"},{"text":"esc\naped"}]"#;
    for (name, build) in READERS {
        let mut batch = Batch::new(layout.clone()).renew();
        build(&layout).unwrap().decode(input.as_bytes(), Framing::List, &mut batch).unwrap();
        assert_eq!(batch.text(), b"esc\naped", "{name}");
    }
}

#[test]
fn each_reads_its_range_and_counts_from_the_start() {
    let layout = text();
    let input = b"{\"text\":\"a\"}\n{\"text\":\"b\"}\n{\"text\":7}\n";
    for (name, build) in READERS {
        let mut codec = build(&layout).unwrap();
        let mut batch = Batch::new(layout.clone()).renew();
        batch.reset(input).unwrap();
        codec.decode_each(input, 13..25, &mut batch).unwrap();
        assert!(matches!(batch.get(0).unwrap().field("text"), Some(Value::String("b"))), "{name}");
        let error = codec.decode_each(input, 26..37, &mut batch).unwrap_err();
        assert!(error.to_string().starts_with("line 3 column "), "{name}: {error}");
        assert!(codec.decode_each(input, 0..25, &mut batch).is_err(), "{name}: two records are not one");
    }
}

#[test]
fn streams_may_have_blank_lines_and_name_the_record() {
    let layout = text();
    for (name, _, build) in BUILDS {
        let mut codec = build(&layout).unwrap();
        let mut batch = Batch::new(layout.clone()).renew();
        codec.decode(b"\n{\"text\":\"a}\"}\r\n \n{\"text\":\"b\\\"}\"}", Framing::Stream, &mut batch).unwrap();
        assert_eq!(batch.len(), 2, "{name}");
        let error = codec.decode(b"{\"text\":\"a\"}\n{\"text\":7}\n", Framing::Stream, &mut batch).unwrap_err();
        assert!(error.to_string().starts_with("record 1, line 2 column"), "{name}: {error}");
        assert!(codec.decode(b"{\"text\":\"a\"} x", Framing::Stream, &mut batch).is_err(), "{name}");
        assert!(codec.decode(b"{\"text\":\"a\"", Framing::Stream, &mut batch).is_err(), "{name}");
        codec.decode(b"", Framing::Stream, &mut batch).unwrap();
        assert!(batch.is_empty(), "{name}");
    }
    let mut batch = Batch::new(layout.clone()).renew();
    sonic_rs_pretty(&layout)
        .unwrap()
        .decode(b"{\n \"text\":\n\"a\"\n}{\"text\":\"b\"}", Framing::Stream, &mut batch)
        .unwrap();
    assert_eq!(batch.len(), 2);
}

#[test]
fn limits_hold_and_the_stack_does() {
    let deep = |messages: usize| {
        let open = r#"{"id":1,"children":["#.repeat(messages);
        format!("[{open}{}]", "]}".repeat(messages)).into_bytes()
    };
    // The smallest stack in use: that of a thread which was not told otherwise.
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        let layout = everything();
        for (name, build) in READERS {
            let limit = |depth| Limits::default().depth(depth);
            let error = read_limited(build, &layout, &deep(200), limit(100)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Limit, "{name}: {error}");
            read_limited(build, &layout, &deep(101), limit(100)).unwrap();
            let error = read_limited(build, &layout, &deep(102), limit(100)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Limit, "{name}: {error}");
            let error = read_limited(build, &layout, &deep(100_000), limit(1_000)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Limit, "{name}: {error}");
            for unknown in ["[", "{\"a\":", "[{\"a\":"] {
                let input = format!("[{{\"unknown\":{}", unknown.repeat(100_000));
                assert!(read(build, &layout, &input).is_err(), "{name}");
            }
            let small = Limits::default().string_bytes(3);
            let error = read_limited(build, &layout, br#"[{"id":1,"string_optional":"abcd"}]"#, small).unwrap_err();
            assert!(
                error.to_string().contains("field string_optional: 4 is beyond the limit `string_bytes` of 3"),
                "{error}"
            );
            let small = Limits::default().list_items(2);
            let error = read_limited(build, &layout, br#"[{"id":1,"i8_list":[1,2,3]}]"#, small).unwrap_err();
            assert!(error.to_string().contains("field i8_list[2]: 3 is beyond the limit `list_items` of 2"), "{error}");
        }
        let deepest = read_limited(serde_json_compact, &layout, &deep(1_001), Limits::default().depth(1_000)).unwrap();
        let mut out = Vec::new();
        serde_json_compact(&layout).unwrap().encode(&deepest, Framing::List, &mut out).unwrap();
        assert_eq!(out, deep(1_001));
    });
    thread.unwrap().join().unwrap();
}

#[test]
fn broken_input_never_panics() {
    let layout = everything();
    for (_, look, build) in BUILDS {
        let batch = random(&layout, 2, 5);
        let mut codec = build(&layout).unwrap();
        let framing = framings(look)[0];
        let mut good = Vec::new();
        codec.encode(&batch, framing, &mut good).unwrap();
        let mut random = Random::new(3);
        for cut in 0..good.len() - 1 {
            let mut back = Batch::new(layout.clone()).renew();
            let cut_off = codec.decode(&good[..cut], framing, &mut back);
            assert!(cut_off.is_err() || look == Look::Lines, "cut at {cut}");
        }
        for _ in 0..2_000 {
            let mut bad = good.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(bad.len() as u64) as usize;
                bad[at] = random.next() as u8;
            }
            let mut back = Batch::new(layout.clone()).renew();
            let _ = codec.decode(&bad, framing, &mut back);
        }
    }
    for (name, build) in READERS {
        for bad in
            [&b"[{\"id\":1,\"string_optional\":\"\xff\"}]"[..], b"[{\"id\":1,\"string_optional\":\"\xed\xa0\x80\"}]"]
        {
            assert!(read_limited(build, &layout, bad, Limits::default()).is_err(), "{name}");
        }
        for bad in [r#""\ud800""#, r#""\udc00x""#, r#""\x""#, "\"\u{1}\"", "\"a\nb\"", r#""\u12""#] {
            let input = format!("[{{\"id\":1,\"string_optional\":{bad}}}]");
            assert!(read(build, &layout, &input).is_err(), "{name} takes {bad}");
        }
        for bad in ["01", "1.", ".5", "+1", "-", "1e", "0x1", "NaN", "1_0", "--1", "tru", "nul"] {
            let input = format!("[{{\"id\":1,\"double_optional\":{bad}}}]");
            assert!(read(build, &layout, &input).is_err(), "{name} takes {bad}");
        }
    }
}
