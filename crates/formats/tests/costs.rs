//! Where the bytes go: the sums are the file's size, and each byte is the right field's.

use bantam_formats::{Account, FORMATS, Framing, find};
use bantam_model::{Batch, Layout, source};
use bantam_sample::Rng;
use bantam_sample::random::Options;
use std::sync::Arc;

#[test]
fn the_costs_of_random_records_add_up_to_the_bytes() {
    for format in FORMATS.iter().filter(|f| f.costs.is_some()) {
        let costs = format.costs.expect("filtered");
        let mut done = 0;
        for seed in 0..200 {
            let layout = Options::default().layout(&mut Rng::new(seed), 1 + (seed % 9) as usize);
            let Ok(mut codec) = (format.engines[0].build)(&layout) else { continue };
            for framing in Framing::ALL.into_iter().filter(|&f| format.has(f)) {
                let records = if framing == Framing::Each { 1 } else { 4 };
                let batch = Options::default().batch(&layout, records, seed).expect("random records fit");
                let mut bytes = Vec::new();
                if codec.encode(&batch, framing, &mut bytes).is_err() {
                    continue;
                }
                let mut account = Account::default();
                costs(&layout, &bytes, framing, &mut account)
                    .unwrap_or_else(|e| panic!("{} {framing}, seed {seed}: {e}", format.name));
                let found = account.costs();
                let sum: u64 = found.iter().map(bantam_formats::Cost::bytes).sum();
                assert_eq!(sum, bytes.len() as u64, "{} {framing}, seed {seed}", format.name);
                assert!(found.iter().all(|cost| !cost.path.contains('?')), "{} {framing}, seed {seed}", format.name);
                // Cut bytes are an error or another sum, and no panic.
                for cut in 0..bytes.len().min(60) {
                    let _ = costs(&layout, &bytes[..cut], framing, &mut Account::default());
                }
                done += 1;
            }
        }
        assert!(done > 200, "{}: only {done}", format.name);
    }
}

fn layout(proto: &str) -> Arc<Layout> {
    let text = format!("syntax = \"proto3\"; {proto}");
    let source = source::read("m.proto", text.as_bytes(), &[]).expect("a schema");
    let root = source.schema.find("M").expect("a message");
    Arc::new(Layout::new(source.schema, root).expect("a layout"))
}

/// The costs of records given as JSON, as `path count tag/length/value`.
fn costs(format: &str, proto: &str, json: &str, framing: Framing) -> Vec<String> {
    let layout = layout(proto);
    let build = |name: &str| (find(name).expect("a format").engines[0].build)(&layout).expect("a codec");
    let mut batch = Batch::new(layout.clone());
    build("json").decode(json.as_bytes(), Framing::List, &mut batch).expect("records");
    let mut bytes = Vec::new();
    build(format).encode(&batch, framing, &mut bytes).expect("bytes");
    let mut account = Account::default();
    let count = find(format).and_then(|f| f.costs).expect("a binary format");
    count(&layout, &bytes, framing, &mut account).expect("the bytes just written");
    let shown = |c: bantam_formats::Cost| format!("{} {} {}/{}/{}", c.path, c.count, c.tag, c.length, c.value);
    account.costs().into_iter().map(shown).collect()
}

const NESTED: &str = "message M { string name = 1; repeated P p = 2; repeated int32 n = 3; map<string, bool> m = 20; } \
                      message P { double x = 1; bool up = 2; }";
const RECORD: &str = r#"[{"name":"abc","p":[{"x":1.5,"up":true},{"x":2}],"n":[1,300],"m":{"k":true}}]"#;

#[test]
fn each_byte_is_the_right_fields() {
    for (format, framing, expected) in [
        (
            "protobuf",
            Framing::List,
            vec![
                "p[].x 2 2/0/16",
                "name 1 1/1/3",
                "n[] 2 1/1/3",
                "p[] 2 2/2/0",
                "m[].key 1 1/1/1",
                "m[] 1 2/1/0",
                " 0 1/1/0",
                "m[].value 1 1/0/1",
                "p[].up 1 1/0/1",
            ],
        ),
        (
            "thrift-binary",
            Framing::Each,
            vec![
                "p[].x 2 6/0/16",
                "n[] 2 3/5/8",
                "p[] 2 3/7/0",
                "name 1 3/4/3",
                "m[] 1 3/6/0",
                "m[].key 1 0/4/1",
                "p[].up 1 3/0/1",
                " 0 0/1/0",
                "m[].value 1 0/0/1",
            ],
        ),
        (
            "thrift-compact",
            Framing::Each,
            vec![
                "p[].x 2 2/0/16",
                "name 1 1/1/3",
                "n[] 2 1/1/3",
                "m[] 1 2/2/0",
                "p[] 2 1/3/0",
                "m[].key 1 0/1/1",
                " 0 0/1/0",
                "m[].value 1 0/0/1",
                "p[].up 1 1/0/0",
            ],
        ),
    ] {
        let (mut found, mut expected) = (costs(format, NESTED, RECORD, framing), expected);
        found.sort();
        expected.sort_unstable();
        assert_eq!(found, expected, "{format}");
    }
}
