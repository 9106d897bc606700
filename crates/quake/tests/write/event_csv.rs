//! Lines of event CSV.

use super::{fixture, for_every_file, shown, written};

fn rows(text: &str) -> (csv::StringRecord, Vec<csv::StringRecord>) {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    (header, reader.records().map(|line| line.expect("as many cells as the header")).collect())
}

#[test]
fn every_file_is_a_header_and_one_line_an_event() {
    for_every_file(|file, quakes| {
        let (header, lines) = rows(&written("event-csv", quakes));
        assert_eq!(lines.len(), quakes.len(), "{file}");
        let cell = |line: &csv::StringRecord, name| {
            let at = header.iter().position(|n| n == name).expect("a column");
            line[at].to_owned()
        };
        for (line, quake) in lines.iter().zip(quakes.rows()) {
            assert_eq!(cell(line, "event_id"), shown(quake.field("public_iD")), "{file}");
            assert_eq!(cell(line, "place"), shown(quake.field("place_name")), "{file}");
            for (column, field) in [("depth_km", "depth"), ("standard_error_s", "standard_error")] {
                let number = cell(line, column).parse::<f64>().ok().map(|n| n.to_string()).unwrap_or_default();
                assert_eq!(number, shown(quake.field(field)), "{file}: {column}");
            }
        }
    });
}

#[test]
fn every_cell_is_full_for_a_full_quake_and_empty_for_none() {
    let (header, lines) = rows(&written("event-csv", &fixture::full(1)));
    for (name, cell) in header.iter().zip(&lines[0]) {
        assert!(!cell.is_empty(), "{name}");
    }
    let (header, lines) = rows(&written("event-csv", &fixture::none(1)));
    for (name, cell) in header.iter().zip(&lines[0]) {
        assert_eq!(cell, if matches!(name, "phases" | "magnitudes") { "0" } else { "" }, "{name}");
    }
}

#[test]
fn any_text_comes_back() {
    let text = "a,\"b\"\r\n|<c>\u{1}ü";
    let (header, lines) = rows(&written("event-csv", &fixture::of_text(text)));
    let at = header.iter().position(|name| name == "region").expect("a column");
    assert_eq!((&lines[0][at], lines.len()), (text, 2));
}

#[test]
fn what_is_not_finite_or_beyond_the_calendar_is_absent() {
    let mut quakes = fixture::full(1);
    fixture::set_number(&mut quakes, 0, "depth", Some(f64::NAN));
    fixture::set_number(&mut quakes, 0, "magnitude", Some(f64::NEG_INFINITY));
    // The year 10000, and nanoseconds of which there are too many.
    fixture::set_time(&mut quakes, 0, "time", [253_402_300_800, 1]);
    fixture::set_time(&mut quakes, 0, "modification_time", [1, 1_000_000_000]);
    fixture::set_time(&mut quakes, 0, "creation_time", [253_402_300_799, 999_999_999]);
    let (header, lines) = rows(&written("event-csv", &quakes));
    let created = header.iter().position(|name| name == "created").expect("a column");
    assert_eq!(&lines[0][created], "9999-12-31T23:59:59.999999999Z");
    for name in ["depth_km", "magnitude", "time", "modified"] {
        assert_eq!(&lines[0][header.iter().position(|n| n == name).expect("a column")], "", "{name}");
    }
}
