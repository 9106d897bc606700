//! Well-known JSON files, where they lie beside the checkout or in the folder that `BANTAM_SHARED` names.

use crate::command::bantam;
use std::path::PathBuf;

pub(crate) fn shared() -> PathBuf {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    std::env::var_os("BANTAM_SHARED").map_or_else(beside, PathBuf::from)
}

#[test]
fn no_row_is_lossy() {
    for (file, at, records) in [
        ("twitter.json", Some("statuses"), 100),
        ("citm_catalog.json", None, 1),
        ("citm_catalog.json", Some("performances"), 243),
        ("canada.json", Some("features"), 1),
    ] {
        let path = shared().join("data/json").join(file);
        if !path.is_file() {
            println!("skipped: there is no {}", path.display());
            continue;
        }
        let path = path.to_str().unwrap();
        let formats = "protobuf,thrift-compact,json/bantam,json/serde_json,yaml,xml,csv";
        let mut args = vec!["weigh", path, "--quick", "--json", "--formats", formats, "--compress", "none"];
        args.extend(at.iter().flat_map(|at| ["--at", at]));
        let document = bantam(&args).ok().json();
        assert_eq!(document["input"]["records"], records, "{file}");
        for row in document["rows"].as_array().unwrap() {
            let expected: &[&str] = if row["format"] == "csv" { &["unsupported"] } else { &["exact", "profile"] };
            assert!(expected.contains(&row["fidelity"].as_str().unwrap()), "{file}: {row}");
        }
    }
}
