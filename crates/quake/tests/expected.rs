//! The values that two other readers, and the original converter, find in real files.

mod shared;

use bantam_formats::{Framing, find};
use bantam_model::{Batch, Kind, List, Lowerings, MessageLayout, Row, Value, compare};
use bantam_quake::{NoteKind, Options, Reading, Time, layout, read};
use shared::{shared, table};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

fn count(reading: &Reading<'_>, kind: NoteKind) -> usize {
    reading.notes.iter().find(|n| n.kind == kind).map_or(0, |n| n.count as usize)
}

fn text(quake: Row<'_>, field: &str) -> String {
    match quake.field(field) {
        None => String::new(),
        Some(Value::String(text)) => text.to_owned(),
        Some(Value::Double(number)) => number.to_string(),
        Some(Value::Int(number)) => number.to_string(),
        Some(Value::Message(time)) => {
            let part = |name| match time.field(name) {
                Some(Value::Int(part)) => part,
                _ => 0,
            };
            Time { secs: part("secs"), nanos: part("nanos") as u32 }.to_string()
        }
        Some(_) => panic!("{field}"),
    }
}

fn len(quake: Row<'_>, field: &str) -> usize {
    match quake.field(field) {
        Some(Value::List(items)) => items.len(),
        _ => 0,
    }
}

#[test]
fn every_event_has_the_expected_values() {
    let Some(data) = shared() else { return };
    let mut files: BTreeMap<String, Vec<HashMap<String, String>>> = BTreeMap::new();
    for row in table(&data.join("expected/events.tsv")) {
        files.entry(row["file"].clone()).or_default().push(row);
    }
    let mut wrong = Vec::new();
    let mut events = 0;
    for (file, rows) in &files {
        let document = std::fs::read(data.join(file)).expect("a file");
        let keep = Options { keep_unused: true, ..Options::default() };
        let reading = read(&document, &keep).unwrap_or_else(|e| panic!("{file}: {e}"));
        if reading.quakes.len() != rows.len() || rows[0]["events_in_file"] != rows.len().to_string() {
            wrong.push(format!("{file}: {} events", reading.quakes.len()));
            continue;
        }
        for (quake, row) in reading.quakes.rows().zip(rows) {
            events += 1;
            let mut check = |what: &str, found: String, claim: bool| {
                let right = if what == "depth_km" {
                    match (found.parse::<f64>(), row[what].parse::<f64>()) {
                        (Ok(a), Ok(b)) => (a - b).abs() <= b.abs() * 1e-12,
                        (a, b) => a.is_err() == b.is_err(),
                    }
                } else {
                    found == row[what]
                };
                if !right && (claim || !row[what].is_empty()) {
                    wrong.push(format!("{file} {}: {what} is {found}, not {}", row["event_index"], row[what]));
                }
            };
            check("public_id", text(quake, "public_iD"), true);
            check("origin_time", text(quake, "time"), false);
            check("latitude", text(quake, "latitude"), false);
            check("longitude", text(quake, "longitude"), false);
            check("depth_km", text(quake, "depth"), false);
            check("magnitude", text(quake, "magnitude"), false);
            check("magnitude_type", text(quake, "magnitude_type"), false);
            check("event_type", text(quake, "quake_type"), true);
            check("agency", text(quake, "agency"), true);
            check("arrivals", len(quake, "phases").to_string(), false);
        }
        let of_preferred: usize =
            rows.iter().map(|row| row["magnitudes_preferred_origin"].parse::<usize>().unwrap_or(0)).sum();
        let found: usize = reading.quakes.rows().map(|quake| len(quake, "magnitudes")).sum();
        let guessed = count(&reading, NoteKind::MagnitudeWithoutOrigin);
        let chosen = count(&reading, NoteKind::OriginChosen) + count(&reading, NoteKind::OriginNotFound);
        if found - guessed != of_preferred && chosen == 0 {
            wrong.push(format!("{file}: {found} magnitudes of the preferred origins, not {of_preferred}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(events >= 100, "only {events} events");
}

#[test]
fn every_file_is_read_or_says_what_it_holds() {
    let Some(data) = shared() else { return };
    for row in table(&data.join("expected/files.tsv")) {
        let file = &row["file"];
        let document = std::fs::read(data.join(file)).expect("a file");
        let reading = read(&document, &Options::default()).unwrap_or_else(|e| panic!("{file}: {e}"));
        assert_eq!(reading.quakes.len().to_string(), row["events"], "{file}");
        let unused = count(&reading, NoteKind::UnusedArrival);
        let phases: usize = reading.quakes.rows().map(|quake| len(quake, "phases")).sum();
        let arrivals: usize = row["arrivals"].parse().expect("a count");
        // All arrivals, less those of origins that no event prefers.
        assert!(phases + unused <= arrivals, "{file}");
        if count(&reading, NoteKind::OtherOrigin) == 0 {
            assert_eq!(phases + unused, arrivals, "{file}");
        }
        let counted = [("focal_mechanisms", NoteKind::FocalMechanism)];
        for (column, kind) in counted {
            assert_eq!(count(&reading, kind).to_string(), row[column], "{file}: {column}");
        }
        assert_eq!(count(&reading, NoteKind::NoEvent) == 1, row["events"] == "0", "{file}");
        let strict = read(&document, &Options { strict: true, ..Options::default() });
        assert_eq!(strict.is_ok(), reading.notes.iter().all(|n| n.kind < NoteKind::NewerVersion), "{file}");
    }
}

/// The original converter's file, as records of the Quake's layout.
fn original(bytes: &[u8]) -> Batch<'_> {
    let mut codec = (find("protobuf").expect("protobuf").engines[0].build)(&layout()).expect("a codec");
    let mut batch = Batch::new(layout()).renew();
    codec.decode(bytes, Framing::Each, &mut batch).expect("a quake");
    assert_eq!(batch.skipped(), 0);
    batch
}

fn encoded(batch: &Batch<'_>) -> Vec<u8> {
    let mut codec = (find("protobuf").expect("protobuf").engines[0].build)(&layout()).expect("a codec");
    let mut out = Vec::new();
    codec.encode(batch, Framing::Each, &mut out).expect("a quake");
    out
}

/// Takes away what the original converter does not write: station magnitudes' residuals, the depth's type, zeros, and the
/// fields that it does not have.
fn reduce(batch: &mut Batch<'_>, row: usize, message: &MessageLayout) {
    let layout = layout();
    let name = layout.schema().message(message.id).short_name();
    for slot in &message.slots {
        let word = batch.words()[row + slot.word as usize];
        let beyond = match name {
            "Quake" => slot.number > 34 || slot.name.as_ref() == "depth_type",
            "Phase" => slot.number > 12,
            "StationMagnitude" => slot.number > 9 || slot.name.as_ref() == "residual",
            _ => false,
        };
        if !batch.has(row, slot.index) {
            continue;
        }
        match slot.kind {
            _ if beyond => batch.unset(row, slot),
            Kind::Message(id) if slot.cardinality.is_many() => {
                let (list, of) = (List::from_word(word), layout.message(id));
                (0..list.len()).for_each(|i| reduce(batch, list.offset() + i * of.stride as usize, of));
            }
            Kind::Message(id) => reduce(batch, word as usize, layout.message(id)),
            Kind::Double | Kind::Int(_) if word << 1 == 0 => batch.unset(row, slot),
            _ => {}
        }
    }
}

#[test]
fn quakes_are_those_of_the_original_converter_byte_for_byte() {
    let Some(data) = shared() else { return };
    let folder = data.join("expected/quake");
    let mut compared = 0;
    for row in table(&folder.join("INDEX.tsv")).iter().filter(|row| row["kept"].starts_with("yes")) {
        let file = &row["file"];
        let name = file.strip_suffix(".xml").unwrap_or(file);
        let document = std::fs::read(data.join("seiscompml").join(file)).expect("a file");
        let bytes = std::fs::read(folder.join(format!("{name}.pb"))).expect("a quake");
        assert_eq!(bytes.len().to_string(), row["pb_bytes"], "{file}");
        let mut quakes = read(&document, &Options::default()).expect("a document").quakes;
        let at = quakes.records().offset();
        reduce(&mut quakes, at, layout().root());
        // First field by field, so that a difference is named.
        if let Err(difference) = compare(&original(&bytes), &quakes, Lowerings::NONE) {
            panic!("{file}: {difference}");
        }
        assert!(encoded(&quakes) == bytes, "{file}: {} bytes", encoded(&quakes).len());
        compared += 1;
    }
    assert!(compared >= 9, "only {compared} quakes");
}

#[test]
fn what_the_original_converter_leaves_out_is_there() {
    let Some(data) = shared() else { return };
    let mut corrected = 0;
    for row in table(&data.join("expected/quake/corrections.tsv")) {
        let path = data.join("seiscompml").join(format!("{}.xml", row["name"]));
        let document = std::fs::read(&path).expect("a file");
        let reading = read(&document, &Options::default()).expect("a document");
        let quake = reading.quakes.get(0).expect("a quake");
        assert_eq!(at(quake, &row["field"]), row["right_value"], "{} {}", row["name"], row["field"]);
        corrected += 1;
    }
    assert!(corrected >= 46, "only {corrected}");
}

/// The value at a path such as `magnitudes[1].station_magnitude[0].residual`.
fn at(row: Row<'_>, path: &str) -> String {
    let Some((step, rest)) = path.split_once('.') else { return text(row, path) };
    let (field, index) = step.trim_end_matches(']').split_once('[').expect("an index");
    match row.field(field) {
        Some(Value::List(items)) => match items.get(index.parse().expect("a number")) {
            Some(Value::Message(item)) => at(item, rest),
            _ => panic!("no item {step}"),
        },
        _ => panic!("no list {step}"),
    }
}

#[test]
fn the_post_figures_come_out() {
    let Some(data) = shared() else { return };
    let file = Path::new("2015p768477");
    let document = std::fs::read(data.join("seiscompml").join(file.with_extension("xml"))).expect("a file");
    assert_eq!(document.len(), 495_917);
    let mut reading = read(&document, &Options::default()).expect("a document");
    // All 23 residuals, a tag and eight bytes each, and the lengths that grow with them.
    let whole = encoded(&reading.quakes).len();
    let at = reading.quakes.records().offset();
    reduce(&mut reading.quakes, at, layout().root());
    assert_eq!(encoded(&reading.quakes).len(), 14_181);
    assert!(whole > 14_181 + 23 * 9 && whole < 14_181 + 23 * 9 + 500, "{whole}");
}
