//! The formats that are written: made documents held against files in `tests/golden`, and what must hold for every document.

mod event_csv;
mod fdsn_text;
mod fixture;
mod geojson;
mod quakeml;
mod rules;
#[path = "../shared/mod.rs"]
mod shared;

use bantam_formats::{Format, Framing};
use bantam_model::{Batch, Error, ErrorKind, Value};
use bantam_quake::{FORMATS, Options, layout, read};
use std::path::Path;

fn format(name: &str) -> &'static Format {
    FORMATS.iter().copied().find(|f| f.name == name).expect("a format")
}

/// All records as one document.
fn written(name: &str, quakes: &Batch<'_>) -> String {
    framed(name, quakes, Framing::List)
}

fn framed(name: &str, quakes: &Batch<'_>, framing: Framing) -> String {
    let mut codec = (format(name).engines[0].build)(&layout()).expect("a codec");
    let mut out = Vec::new();
    codec.encode(quakes, framing, &mut out).unwrap_or_else(|e| panic!("{name}: {e}"));
    String::from_utf8(out).expect("text")
}

/// Every quake of the shared files, file by file, unused phases too, where the files are.
fn for_every_file(mut check: impl FnMut(&str, &Batch<'_>)) {
    let Some(data) = shared::shared() else { return };
    let mut files = 0;
    for row in shared::table(&data.join("expected/files.tsv")) {
        let document = std::fs::read(data.join(&row["file"])).expect("a file");
        let options = Options { keep_unused: true, ..Options::default() };
        check(&row["file"], &read(&document, &options).expect("a document").quakes);
        files += 1;
    }
    assert!(files >= 40, "only {files}");
}

#[test]
fn documents_are_the_golden_ones() {
    let cases = [("full", fixture::full(2)), ("none", fixture::none(1)), ("nothing", fixture::none(0))];
    for format in FORMATS.iter().filter(|f| f.writes()) {
        for (case, quakes) in &cases {
            golden(&format!("{case}.{}", format.name), &written(format.name, quakes));
        }
    }
}

/// A document against its file. `BANTAM_UPDATE_GOLDEN=1` writes the files instead.
fn golden(file: &str, document: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(file);
    if std::env::var_os("BANTAM_UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, document).expect("a file to write");
        return;
    }
    let due = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert!(due == document, "{file} differs; it is now:\n{document}");
}

#[test]
fn a_format_that_is_only_written_says_so() {
    for format in FORMATS.iter().filter(|f| f.writes() && !f.reads()) {
        let mut codec = (format.engines[0].build)(&layout()).expect("a codec");
        let error = codec.decode(b"", Framing::List, &mut Batch::new(layout())).expect_err("no reader");
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert_eq!(error.to_string(), format!("{} is written, but not read", format.name));
    }
}

/// A codec that has written before, and fresh ones, write the same; one by itself is what a list of one holds.
#[test]
fn writing_leaves_nothing_behind() -> Result<(), Error> {
    let quakes = fixture::full(3);
    for format in FORMATS.iter().filter(|f| f.writes()) {
        let mut codec = (format.engines[0].build)(&layout())?;
        let (mut first, mut second) = (Vec::new(), b"before".to_vec());
        codec.encode(&quakes, Framing::List, &mut first)?;
        codec.encode(&quakes, Framing::List, &mut second)?;
        assert!(second.strip_prefix(b"before") == Some(&first[..]), "{}", format.name);
    }
    Ok(())
}

/// The text of a field, and numbers as they are shown; empty where it is absent.
fn shown(value: Option<Value<'_>>) -> String {
    match value {
        None => String::new(),
        Some(Value::String(text)) => text.to_owned(),
        Some(Value::Double(number)) => number.to_string(),
        Some(Value::Int(number)) => number.to_string(),
        Some(_) => panic!("no scalar"),
    }
}
