//! What follows from the messages of several rows.

// Whole numbers are exact.
#![allow(clippy::float_cmp)]

use bantam_weigh::{CompressedEach, DictionaryCost, Each, Fidelity, Lane, MessageSizes, Row, Weighing};

fn sizes(messages: u64, total: u64) -> MessageSizes {
    MessageSizes { messages, total, ..Default::default() }
}

fn under(level: i32, total: u64, dictionary: Option<u64>) -> CompressedEach {
    let bytes = sizes(100, total);
    let dictionary = dictionary.map(|size| DictionaryCost::of(size, &bytes, None, &bytes));
    CompressedEach { compressor: "zstd".into(), level: Some(level), dictionary, bytes, ..Default::default() }
}

fn weighing(rows: &[(Fidelity, u64, Vec<CompressedEach>)]) -> Weighing {
    let row = |(fidelity, total, compressed): &(Fidelity, u64, Vec<CompressedEach>)| {
        let each = Each { test: sizes(100, *total), compressed: compressed.clone(), ..Default::default() };
        serde_json::from_value::<Row>(serde_json::json!({
            "format": "f", "codec": "c", "lane": "runtime", "framing": "each", "fidelity": fidelity, "each": each,
        }))
        .unwrap()
    };
    let rows: Vec<Row> = rows.iter().map(row).collect();
    serde_json::from_value(serde_json::json!({
        "schema_version": 1, "environment": {}, "input": {}, "rows": rows,
    }))
    .unwrap()
}

#[test]
fn the_smallest_way_is_found_with_and_without_a_dictionary() {
    let exact = Fidelity::Exact;
    let rows = weighing(&[
        (exact, 4_000, vec![under(3, 3_500, None), under(3, 1_000, Some(500))]),
        (exact, 2_000, vec![under(3, 2_000, None), under(3, 1_500, Some(10))]),
        (Fidelity::Lossy, 1, vec![]),
    ]);
    let found = rows.smallest_messages(Lane::Runtime).unwrap();
    // Of equals, rather no compressor.
    assert_eq!((found.alone, found.bytes), ((1, None), 20.0));
    // 500 + 10 N < 20 N from 51 on.
    let with = found.with_dictionary.unwrap();
    assert_eq!((with.row, with.bytes, with.from), (0, 10.0, 51));
    assert_eq!(rows.packings().len(), 2);
    // A dictionary that makes nothing smaller than the best without one is no answer.
    let rows = weighing(&[(exact, 900, vec![under(3, 800, None), under(3, 800, Some(9))])]);
    let found = rows.smallest_messages(Lane::Runtime).unwrap();
    assert_eq!((found.alone.1.map(|way| way.bytes.total), found.with_dictionary), (Some(800), None));
    assert_eq!(weighing(&[]).smallest_messages(Lane::Runtime), None);
    assert_eq!(rows.smallest_messages(Lane::Native), None);
}
