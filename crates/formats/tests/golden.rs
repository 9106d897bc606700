//! Files that the official libraries of another language made: read, compared and written again; and files written
//! here, read by those libraries. A new file in `golden/` is a new test.

use bantam_formats::{FORMATS, Format, Framing};
use bantam_model::{Batch, ErrorKind, Layout, compare, source};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// `NAME.FORMAT.FRAMING.EXTENSION`.
struct Golden {
    file: String,
    name: String,
    format: String,
    framing: Framing,
}

fn files() -> Vec<Golden> {
    let entries = std::fs::read_dir(folder()).expect("the folder of golden files");
    let mut files: Vec<_> = entries
        .filter_map(|entry| {
            let file = entry.expect("an entry").file_name().into_string().expect("a name in UTF-8");
            let parts: Vec<_> = file.split('.').collect();
            let [name, format, framing, _] = parts[..] else { return None };
            let framing = framing.parse().unwrap_or_else(|e| panic!("{file}: {e}"));
            Some(Golden { name: name.into(), format: format.into(), framing, file })
        })
        .collect();
    files.sort_by(|a, b| a.file.cmp(&b.file));
    assert!(!files.is_empty());
    files
}

/// The layout of a name's records: by the schema file of the format's own kind where there is one.
fn layout(name: &str, format: &Format) -> Arc<Layout> {
    let own = if format.idl == Some(bantam_formats::Idl::Thrift) { ["thrift", "proto"] } else { ["proto", "thrift"] };
    let path = own.iter().map(|ext| folder().join(format!("{name}.{ext}"))).find(|p| p.exists());
    let schema = source::load(path.expect("a schema file"), &[]).unwrap_or_else(|e| panic!("{name}: {e}")).schema;
    // Entries and wrappers aside, the records are the message that no other holds, or that holds itself.
    let root = schema.root().or_else(|_| schema.find("Everything")).expect("a root message");
    Arc::new(Layout::new(schema, root).expect("a valid schema"))
}

/// The records of a name, in a format's layout; the first one only where each stands by itself.
fn reference(name: &str, format: &Format, framing: Framing) -> Batch<'static> {
    let layout = layout(name, format);
    let json = bantam_formats::find("json").expect("JSON");
    let bytes = std::fs::read(folder().join(format!("{name}.json.list.json"))).expect("the records as JSON");
    let mut batch = Batch::new(layout.clone());
    let mut codec = (json.engines[0].build)(&layout).expect("a codec of JSON");
    codec.decode(&bytes, Framing::List, &mut batch).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(batch.skipped(), 0, "{name}: the schema does not have every field");
    if framing != Framing::Each {
        return batch.into_owned();
    }
    let mut first = Batch::new(layout);
    first.append(&batch).expect("room");
    while first.len() > 1 {
        first.pop_record();
    }
    first
}

/// Whether the official library and Bantam spell the same records in the same way. YAML, CSV and XML may be spelled
/// in many ways, and Python writes `1e-05`, and floats of 32 bits with the digits of 64.
fn same_spelling(golden: &Golden) -> bool {
    let fixed = ["protobuf", "thrift-binary", "thrift-compact"];
    let json = ["json", "json-spaced", "json-pretty", "ndjson"];
    fixed.contains(&&*golden.format) || (json.contains(&&*golden.format) && golden.name != "extremes")
}

#[test]
fn golden_files_are_read_and_written_alike() {
    let mut done = 0;
    for golden in files() {
        let Some(format) = bantam_formats::find(&golden.format) else {
            println!("{}: skipped, there is no format {} here", golden.file, golden.format);
            continue;
        };
        let file = &golden.file;
        assert!(format.has(golden.framing), "{file}: {}", format.no_framing(golden.framing));
        let bytes = std::fs::read(folder().join(file)).expect("a golden file");
        let expected = reference(&golden.name, format, golden.framing);
        for engine in format.engines {
            let mut codec = (engine.build)(expected.layout()).unwrap_or_else(|e| panic!("{file}: {e}"));
            let mut found = Batch::new(expected.layout().clone());
            let allowed = format.forgets;
            let read = match golden.framing {
                Framing::Each => {
                    found.reset(&bytes).expect("a small file");
                    codec.decode_each(&bytes, 0..bytes.len(), &mut found)
                }
                framing => codec.decode(&bytes, framing, &mut found),
            };
            read.unwrap_or_else(|e| panic!("{file} by {}: {e}", engine.name));
            match compare(&expected, &found, allowed) {
                // A fault of sonic-rs 0.5: it reads -0.0 as 0.0.
                Err(d) if engine.name == "sonic-rs" && d.left == "-0.0" => continue,
                other => drop(other.unwrap_or_else(|d| panic!("{file} by {}: {d}", engine.name))),
            }
            assert_eq!(found.skipped(), 0, "{file}: fields were left out");
            let mut again = Vec::new();
            let result = match golden.framing {
                Framing::Each => codec.encode_each(found.get(0).expect("one record"), &mut again),
                framing => codec.encode(&found, framing, &mut again),
            };
            result.unwrap_or_else(|e| panic!("{file}: {e}"));
            if same_spelling(&golden) && !engine.adapter {
                assert!(again == bytes, "{file}: written as {}", String::from_utf8_lossy(&again));
            }
            done += 1;
        }
    }
    assert!(done > 50, "{done} golden files");
}

/// Writes the records of every golden file's name in every format and framing; gives the number of files.
fn write_all(to: &Path) -> usize {
    let mut names: Vec<_> = files().into_iter().map(|g| g.name).collect();
    names.dedup();
    let mut written = 0;
    for name in names {
        for format in FORMATS {
            for framing in Framing::ALL.into_iter().filter(|&f| format.has(f)) {
                let batch = reference(&name, format, framing);
                let mut bytes = Vec::new();
                let built = (format.engines[0].build)(batch.layout());
                let done = built.and_then(|mut codec| match framing {
                    Framing::Each => codec.encode_each(batch.get(0).expect("one record"), &mut bytes),
                    framing => codec.encode(&batch, framing, &mut bytes),
                });
                match done {
                    Err(e) if matches!(e.kind(), ErrorKind::Unsupported | ErrorKind::Range) => continue,
                    other => other.unwrap_or_else(|e| panic!("{name} as {} {framing}: {e}", format.name)),
                }
                let file = format!("{name}.{}.{framing}.out", format.name);
                std::fs::write(to.join(file), bytes).expect("a written file");
                written += 1;
            }
        }
    }
    written
}

#[test]
fn official_libraries_read_what_is_written() {
    // Where the libraries are in a virtual environment, BANTAM_PYTHON names its interpreter.
    let python = std::env::var("BANTAM_PYTHON").unwrap_or_else(|_| "python3".into());
    let probe = Command::new(&python).args(["-c", "import google.protobuf, grpc_tools, thrift, yaml"]).output();
    if !probe.is_ok_and(|done| done.status.success()) {
        println!("skipped: {python} does not have the official libraries; see golden/README.md");
        return;
    }
    let to = std::env::temp_dir().join(format!("bantam-golden-{}", std::process::id()));
    std::fs::create_dir_all(&to).expect("a temporary folder");
    let written = write_all(&to);
    let check =
        Command::new(&python).arg("-B").arg(folder().join("check.py")).arg(&to).output().expect("the check runs");
    std::fs::remove_dir_all(&to).expect("the folder goes");
    let text = String::from_utf8_lossy(&check.stdout);
    println!("{written} files written\n{text}{}", String::from_utf8_lossy(&check.stderr));
    assert!(check.status.success() && text.contains("files read"), "the official libraries disagree");
}
