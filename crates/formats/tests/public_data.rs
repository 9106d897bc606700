//! Data that others made and that is not part of this repository: the folder that `BANTAM_SHARED` names, or `shared`
//! beside the checkout. Where it is absent, these tests say so and pass.

mod cases;

use bantam_formats::Framing;
use bantam_model::{Batch, Layout, Lowerings, compare};
use cases::{layout, written};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn shared(folder: &str) -> Option<PathBuf> {
    let root = std::env::var_os("BANTAM_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let path = root.join("data").join(folder);
    let there = path.is_dir();
    if !there {
        println!("skipped: there is no {}", path.display());
    }
    there.then_some(path)
}

fn codec(format: &str, layout: &Arc<Layout>) -> Box<dyn bantam_formats::Codec> {
    (bantam_formats::find(format).expect("a format").engines[0].build)(layout).expect("a codec")
}

/// The suite's files stand as the value of a key that the schema does not have, so that skipping is tested too, with a
/// known key behind it. No file needs special care: what one leaves open, the comma and the key behind it do not close,
/// and what one closes too early leaves them as garbage. The two files of a byte order mark are in the free group.
#[test]
fn the_json_test_suite_is_judged_right() {
    let Some(folder) = shared("jsontestsuite") else { return };
    let layout = layout("m.proto", "syntax = \"proto3\"; message M { int32 known = 1; }", "M", false);
    let mut counts = [0; 3];
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|n| n.to_str()).expect("a name in UTF-8").to_owned();
        let content = std::fs::read(&path).expect("a file");
        let input = [b"{\"unknown\":", &content[..], b",\"known\":5}"].concat();
        let mut batch = Batch::new(layout.clone());
        let result = codec("json", &layout).decode(&input, Framing::Each, &mut batch);
        let read = result.is_ok();
        // An unknown null is nothing that was left out.
        let skipped = u64::from(content.trim_ascii() != b"null");
        if read && batch.skipped() != skipped {
            wrong.push(format!("{name}: {} fields skipped", batch.skipped()));
        }
        match &name[..2] {
            "y_" => counts[0] += 1,
            "n_" => counts[1] += 1,
            _ => counts[2] += 1,
        }
        if (name.starts_with("y_") && !read) || (name.starts_with("n_") && read) {
            wrong.push(format!("{name}: {result:?}"));
        }
    }
    println!("{} files to be read, {} to be refused, {} free", counts[0], counts[1], counts[2]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
}

/// A few of the messages' fields; all others are unknown.
const SMALL: &str = r#"
syntax = "proto2";
message SubMessage {
  optional int32 field1 = 1;
  optional int32 field2 = 2;
  optional string field15 = 15;
}
message Small {
  optional string field1 = 1;
  optional int32 field2 = 2;
  optional SubMessage field15 = 15;
}
message Nothing {}
"#;

#[test]
fn unknown_fields_of_the_old_benchmarks_come_back() {
    let Some(folder) = shared("protobuf") else { return };
    for file in ["google_message1_proto2.pb", "google_message1_proto3.pb", "google_message2.pb"] {
        let bytes = std::fs::read(folder.join(file)).expect("a message");
        for message in ["Nothing", "Small"] {
            let layout = layout("small.proto", SMALL, message, true);
            let mut batch = Batch::new(layout.clone());
            codec("protobuf", &layout)
                .decode(&bytes, Framing::Each, &mut batch)
                .unwrap_or_else(|e| panic!("{file}: {e}"));
            let again = written("protobuf", batch.get(0).unwrap());
            assert_eq!(again.len(), bytes.len(), "{file}");
            // Known fields go before unknown ones, so only a message without any comes back in its own order.
            if message == "Nothing" {
                assert!(again == bytes, "{file} as {message}");
            }
            let mut back = Batch::new(layout.clone());
            codec("protobuf", &layout).decode(&again, Framing::Each, &mut back).unwrap();
            compare(&batch, &back, Lowerings::NONE).unwrap();
        }
    }
}
