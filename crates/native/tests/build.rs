//! Really generates, builds and runs. It needs the registry, or a cache of cargo's that has been there, and minutes:
//! so it is skipped, and says so, unless `BANTAM_NATIVE_TEST` is set. `BANTAM_NATIVE_CACHE` names a folder to keep.

use bantam_model::source::read;
use bantam_model::{Batch, Layout};
use bantam_native::{ALLOCATORS, Native, weigh};
use bantam_weigh::Fidelity;
use std::path::PathBuf;
use std::sync::Arc;

/// The native lane of these records.
fn native(batch: &Batch<'_>) -> Native {
    let kept = std::env::var_os("BANTAM_NATIVE_CACHE").map(PathBuf::from);
    let folder = tempfile::tempdir().unwrap();
    let cache = kept.unwrap_or_else(|| folder.path().to_owned());
    weigh(batch, &cache, true, &mut |step| eprintln!("{step:?}")).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
#[ignore = "needs the registry and minutes: set BANTAM_NATIVE_TEST and run with --ignored"]
fn samples_go_through_every_contender() {
    if std::env::var_os("BANTAM_NATIVE_TEST").is_none() {
        return;
    }
    for name in ["dns", "dns-text"] {
        let sample = bantam_sample::find(name).unwrap();
        let file = sample.schema("proto").unwrap();
        let source = read(file.name, file.text.as_bytes(), &[]).unwrap();
        let root = source.schema.root().unwrap();
        let layout = Arc::new(Layout::new(source.schema, root).unwrap());
        let batch = sample.generate(1, 1_000, &layout).unwrap();
        let found = native(&batch);
        for row in &found.rows {
            eprintln!(
                "{:<14} {:<24} {:<9} {:<12} {:>8} {:>10.1} {:>10.1} {}",
                row.format,
                row.codec,
                row.allocator.as_deref().unwrap_or("-"),
                row.fidelity.name(),
                row.bytes.unwrap_or(0),
                row.encode.map_or(0.0, |t| t.median_ns / 1_000.0),
                row.decode.map_or(0.0, |t| t.median_ns / 1_000.0),
                row.reason.as_deref().unwrap_or("")
            );
        }
        let ranked = |row: &&bantam_weigh::Row| matches!(row.fidelity, Fidelity::Exact | Fidelity::Profile);
        assert!(found.rows.iter().filter(ranked).count() >= 10 * ALLOCATORS.len());
        assert!(found.rows.iter().all(|row| row.fidelity != Fidelity::Lossy));
    }
}

/// Names that no generated code may trip over, and messages that hold themselves.
const HOSTILE: &str = r#"
syntax = "proto2";
message Vec {
  required string self = 1;
  optional int32 type = 2;
  optional int32 Type = 3;
  optional int32 __proto__ = 4;
  optional double from = 5;
  optional string to = 6;
  optional bool out = 7;
  repeated Option list = 8;
  map<int32, String> map = 9;
  optional Vec value = 10;
  optional bytes src = 11;
  optional Box kind = 12;
  optional int32 encoded_len = 13;
  optional int32 clear = 14;
  optional int32 _ = 15;
}
message Option { optional string crate = 1; optional uint64 super = 2; repeated float dst = 3; }
message String { required bool Self = 1; }
enum Box { None = 0; Some = -1; Ok = 5; }
"#;

#[test]
#[ignore = "needs the registry and minutes: set BANTAM_NATIVE_TEST and run with --ignored"]
fn hostile_names_compile() {
    if std::env::var_os("BANTAM_NATIVE_TEST").is_none() {
        return;
    }
    let source = read("hostile.proto", HOSTILE.as_bytes(), &[]).unwrap();
    let root = source.schema.find("Vec").unwrap();
    let layout = Arc::new(Layout::new(source.schema, root).unwrap());
    let batch = bantam_sample::random::batch(&layout, 20, 1).unwrap();
    let found = native(&batch);
    let exact = found.rows.iter().filter(|row| matches!(row.fidelity, Fidelity::Exact | Fidelity::Profile));
    found.rows.iter().filter(|row| row.reason.is_some()).for_each(|row| eprintln!("{}: {:?}", row.codec, row.reason));
    assert!(exact.count() >= 4 * ALLOCATORS.len());
}
