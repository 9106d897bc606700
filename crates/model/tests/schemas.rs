//! Schema files of every kind, read and printed.
//!
//! Every `.proto` and `.thrift` file directly in `tests/schemas` is a test: beside it, `NAME.out` holds the
//! schema as `.proto`, or the error. `BANTAM_REWRITE=1 cargo test -p bantam-model --test schemas` writes what
//! is printed now; look at the difference before it is committed.

use bantam_model::source;
use std::path::Path;

#[test]
fn every_schema_prints_as_its_out_file_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schemas");
    let mut paths: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "proto" || e == "thrift"));
    paths.sort();
    assert!(paths.len() >= 8, "the schemas are missing");
    let mut wrong = Vec::new();
    for path in paths {
        let printed = match source::load(&path, &[folder.join("common")]) {
            Ok(read) => {
                let printed = source::to_proto(&read.schema, None);
                let again = source::read("printed.proto", printed.as_bytes(), &[]).expect("printed text is a schema");
                assert_eq!(source::to_proto(&again.schema, None), printed, "{}", path.display());
                printed
            }
            Err(error) => format!("{error}\n").replace(&folder.display().to_string(), "DIR"),
        };
        let out = path.with_added_extension("out");
        if std::env::var_os("BANTAM_REWRITE").is_some() {
            std::fs::write(&out, &printed).unwrap();
        }
        if std::fs::read_to_string(&out).unwrap_or_default() != printed {
            wrong.push(format!("{}:\n{printed}", out.display()));
        }
    }
    assert!(wrong.is_empty(), "these differ from their .out files:\n{}", wrong.join("\n"));
}
