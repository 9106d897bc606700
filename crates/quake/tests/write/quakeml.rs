//! QuakeML by the rules of its schema, and read back.

use super::rules::{broken, parse};
use super::{fixture, for_every_file, written};
use bantam_model::{Batch, Kind, Lowerings, MessageLayout, Value, compare};
use bantam_quake::{NoteKind, Options, layout, read};
use std::process::Command;

/// Checks a document by the rules; and by the schema itself, where `BANTAM_QUAKEML_XSD` names QuakeML-1.2.xsd and xmllint is there.
fn check(what: &str, document: &str) {
    let wrong = broken(document);
    assert!(wrong.is_empty(), "{what}: {}\n{document}", wrong.join("\n"));
    let Some(schema) = std::env::var_os("BANTAM_QUAKEML_XSD") else { return };
    let name: String = what.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let file = std::env::temp_dir().join(format!("bantam-{}-{name}.xml", std::process::id()));
    std::fs::write(&file, document).expect("a file to write");
    let done = Command::new("xmllint").arg("--noout").arg("--schema").arg(schema).arg(&file).output().expect("xmllint");
    std::fs::remove_file(&file).expect("the file");
    assert!(done.status.success(), "{what}: {}\n{document}", String::from_utf8_lossy(&done.stderr));
}

/// Read with what is unused, in memory of its own.
fn reread(document: &str) -> Batch<'static> {
    let options = Options { keep_unused: true, ..Options::default() };
    read(document.as_bytes(), &options).expect("a document").quakes.into_owned()
}

/// Makes quakes what QuakeML can hold of them: the whole list of what it cannot.
fn reduce(quakes: &mut Batch<'_>) {
    let layout = layout();
    for at in 0..quakes.len() {
        let row = quakes.get(at).expect("a quake").offset();
        message(quakes, layout.root(), row);
        modified(quakes, row);
    }
}

fn message(quakes: &mut Batch<'_>, of: &MessageLayout, row: usize) {
    let layout = layout();
    let name = layout.schema().message(of.id).short_name().to_owned();
    for slot in &of.slots {
        let Some(value) = bantam_model::Row::new(quakes, of, row).get(slot) else { continue };
        match value {
            // Identifiers, methods and models are made resource identifiers; they are compared by themselves.
            Value::String(_) if is_identifier(&slot.name) => quakes.unset(row, slot),
            Value::String(text) => {
                let held = held(&slot.name, text);
                if held.is_empty() {
                    quakes.unset(row, slot);
                } else if held != text {
                    let span = quakes.store(held.as_bytes()).expect("room");
                    quakes.set(row, slot, span.word());
                }
            }
            Value::Message(inner) => {
                let at = inner.offset();
                let Kind::Message(id) = slot.kind else { unreachable!() };
                message(quakes, layout.message(id), at);
            }
            Value::List(items) => {
                let rows: Vec<_> =
                    items.iter().map(|i| if let Value::Message(r) = i { r.offset() } else { 0 }).collect();
                let Kind::Message(id) = slot.kind else { unreachable!() };
                for at in rows {
                    message(quakes, layout.message(id), at);
                }
            }
            _ => {}
        }
    }
    if name == "Phase" || name == "StationMagnitude" {
        unused(quakes, of, row);
    }
}

fn is_identifier(field: &str) -> bool {
    field.ends_with("iD") || ["method", "earth_model", "magnitude_method"].contains(&field)
}

/// Text as QuakeML holds it.
fn held(field: &str, text: &str) -> String {
    let known = |words: &[&str], other: &str| if words.contains(&text) { text } else { other }.to_owned();
    let most = |characters: usize| text.chars().take(characters).collect::<String>();
    match field {
        "evaluation_status" => known(&["preliminary", "confirmed", "reviewed", "final", "rejected"], ""),
        "evaluation_mode" => known(&["manual", "automatic"], ""),
        "type_certainty" => known(&["known", "suspected"], ""),
        "quake_type" => match text {
            "outside of network interest" | "other" | "quarry" | "duplicate" => "other event".into(),
            "induced earthquake" => "induced or triggered event".into(),
            "meteor impact" => "meteorite".into(),
            "null" => "not reported".into(),
            "quarry_blast" => "quarry blast".into(),
            known => known.into(),
        },
        "agency" | "origin_agency" | "magnitude_agency" => most(64),
        "author" | "origin_author" | "magnitude_author" => most(128),
        "magnitude_type" => most(32),
        _ if field.ends_with("_code") => most(8),
        _ => text.to_owned(),
    }
}

/// The weight of what was not used is 0, if it was not at most that.
fn unused(quakes: &mut Batch<'_>, of: &MessageLayout, row: usize) {
    let slot = |name: &str| of.by_name(name.as_bytes()).expect("a field");
    if !quakes.has(row, slot("unused").index) {
        return;
    }
    let weight = f64::from_bits(quakes.words()[row + slot("weight").word as usize]);
    if !quakes.has(row, slot("weight").index) || weight > 0.0 {
        quakes.set(row, slot("weight"), 0.0_f64.to_bits());
    }
}

/// A quake without a modification time was last modified when it was created.
fn modified(quakes: &mut Batch<'_>, row: usize) {
    let layout = layout();
    let slot = |name: &str| layout.root().by_name(name.as_bytes()).expect("a field");
    let (created, modified) = (slot("creation_time"), slot("modification_time"));
    if quakes.has(row, created.index) && !quakes.has(row, modified.index) {
        let word = quakes.words()[row + created.word as usize];
        quakes.set(row, modified, word);
    }
}

fn comes_back(what: &str, quakes: &Batch<'_>) {
    let mut due = quakes.clone();
    let mut back = reread(&written("quakeml", quakes));
    reduce(&mut due);
    reduce(&mut back);
    if let Err(difference) = compare(&due, &back, Lowerings::NONE) {
        panic!("{what}: {difference}");
    }
}

#[test]
fn every_file_keeps_the_rules_and_comes_back() {
    for_every_file(|file, quakes| {
        let document = written("quakeml", quakes);
        check(file, &document);
        comes_back(file, quakes);
        // What was written once is in all that QuakeML can hold, and so stays as it is: identifiers too.
        assert!(document == written("quakeml", &reread(&document)), "{file} changes when it is written again");
    });
}

#[test]
fn a_full_quake_comes_back_whole() {
    let quakes = fixture::full(3);
    let document = written("quakeml", &quakes);
    check("full", &document);
    compare(&quakes, &reread(&document), Lowerings::NONE).unwrap_or_else(|d| panic!("{d}"));
    let notes = read(document.as_bytes(), &Options::default()).expect("a document").notes;
    // What QuakeML requires and a Quake does not hold, such as the identifiers of arrivals.
    let required = NoteKind::OtherElement;
    let known = [required, NoteKind::UnusedArrival, NoteKind::UnusedStationMagnitude, NoteKind::OutOfRange];
    // Those that the reader leaves out, having been asked for no unused ones, are the only others.
    let left = [NoteKind::OtherPick, NoteKind::OtherAmplitude, NoteKind::OtherStationMagnitude];
    for note in notes {
        assert!(known.contains(&note.kind) || left.contains(&note.kind), "{note}");
    }
}

#[test]
fn a_quake_with_one_field_comes_back() {
    let layout = layout();
    let full = fixture::full(1);
    for kept in &layout.root().slots {
        let mut quakes = full.clone();
        let row = quakes.get(0).expect("a quake").offset();
        for slot in layout.root().slots.iter().filter(|slot| slot.name != kept.name) {
            quakes.unset(row, slot);
        }
        check(&kept.name, &written("quakeml", &quakes));
        // A reader prefers one of the magnitudes.
        if kept.name.as_ref() != "magnitudes" {
            comes_back(&kept.name, &quakes);
        }
    }
}

#[test]
fn absent_and_zero_are_two_things() {
    let layout = layout();
    for number in [0.0, -0.0, 1e-300, -1e-7, 123_456.789, 5e-324] {
        let mut quakes = fixture::full(1);
        for slot in layout.root().slots.iter().filter(|slot| slot.kind == Kind::Double) {
            fixture::set_number(&mut quakes, 0, &slot.name, Some(number));
        }
        check("zero", &written("quakeml", &quakes));
        comes_back(&format!("{number}"), &quakes);
    }
    comes_back("none", &fixture::none(3));
}

#[test]
fn any_text_keeps_the_rules() {
    for text in [
        "<a href=\"b\">&amp;]]></a>",
        "Origin#2015 12:3#4",
        "\u{1}\u{0}\u{b}\u{fffe}\u{ffff}\u{1f}",
        " \t\n\r ",
        "smi:org.example/fine",
        "smi:x/",
        "smi:",
        "ünïcödé/日本語/\u{1f30b}",
        "'\"%{}|\\^`[]",
    ] {
        check(text, &written("quakeml", &fixture::of_text(text)));
        // Long beyond all lengths.
        let long: &'static str = Box::leak(text.repeat(50).into_boxed_str());
        check(text, &written("quakeml", &fixture::of_text(long)));
    }
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN_POSITIVE] {
        let mut quakes = fixture::full(1);
        for field in ["latitude", "depth", "magnitude", "standard_error"] {
            fixture::set_number(&mut quakes, 0, field, Some(number));
        }
        check("numbers", &written("quakeml", &quakes));
    }
}

#[test]
fn words_that_it_does_not_have_are_the_nearest() {
    for (field, text, element, due) in [
        ("quake_type", "outside of network interest", "type", "other event"),
        ("quake_type", "induced earthquake", "type", "induced or triggered event"),
        ("quake_type", "meteor impact", "type", "meteorite"),
        ("quake_type", "null", "type", "not reported"),
        ("quake_type", "ice quake", "type", "ice quake"),
        ("quake_type", "quarry_blast", "type", "quarry blast"),
        ("type_certainty", "felt", "typeCertainty", ""),
        ("evaluation_status", "reported", "evaluationStatus", ""),
        ("evaluation_mode", "by hand", "evaluationMode", ""),
        ("depth_type", "guessed", "depthType", "other"),
        ("method", "NonLinLoc", "methodID", "smi:local/NonLinLoc"),
        ("public_iD", "2015p768477", "publicID", "smi:local/2015p768477"),
        ("earth_model", "nz 3d", "earthModelID", "smi:local/nz_3d"),
    ] {
        let mut quakes = fixture::full(1);
        fixture::set_text(&mut quakes, 0, field, text);
        let root = parse(&written("quakeml", &quakes));
        let event = &root.children[0].children[0].children[0];
        let origin = event.named("origin").next().expect("an origin");
        let found =
            [event, origin].into_iter().find_map(|node| node.named(element).next()).map(|node| node.text.clone());
        let found = found.or_else(|| event.attributes.get(element).cloned()).unwrap_or_default();
        assert_eq!(found, due, "{field} {text}");
    }
}

#[test]
fn the_preferred_magnitude_is_one_of_the_list_or_of_another_origin() {
    let mut quakes = fixture::full(1);
    let document = written("quakeml", &quakes);
    let root = parse(&document);
    let event = &root.children[0].children[0].children[0];
    let preferred = &event.named("preferredMagnitudeID").next().expect("a reference").text;
    let magnitudes: Vec<_> = event.named("magnitude").collect();
    assert_eq!((magnitudes.len(), &magnitudes[2].attributes["publicID"]), (3, preferred));
    let origin = &event.named("origin").next().expect("an origin").attributes["publicID"];
    let of = |at: usize| &magnitudes[at].named("originID").next().expect("a reference").text;
    assert!(of(0) == origin && of(1) == origin && of(2) != origin, "{document}");

    // The second of the list becomes the preferred one.
    let layout = layout();
    let row = quakes.get(0).expect("a quake").offset();
    let slot = |name: &str| layout.root().by_name(name.as_bytes()).expect("a field").clone();
    let Some(Value::List(items)) = quakes.get(0).expect("a quake").field("magnitudes") else { panic!("magnitudes") };
    let Some(Value::Message(second)) = items.get(1) else { panic!("a magnitude") };
    let pairs = [
        ("magnitude", "magnitude"),
        ("magnitude_uncertainty", "magnitude_uncertainty"),
        ("magnitude_type", "magnitude_type"),
        ("magnitude_station_count", "station_count"),
    ];
    let of = second.layout();
    let words = pairs.map(|(to, from)| (slot(to), second.word(of.by_name(from.as_bytes()).expect("a field"))));
    for (slot, word) in words {
        quakes.set(row, &slot, word);
    }
    let document = written("quakeml", &quakes);
    check("same", &document);
    let root = parse(&document);
    let event = &root.children[0].children[0].children[0];
    let magnitudes: Vec<_> = event.named("magnitude").collect();
    let preferred = &event.named("preferredMagnitudeID").next().expect("a reference").text;
    assert_eq!((magnitudes.len(), &magnitudes[1].attributes["publicID"]), (2, preferred));
    compare(&quakes, &reread(&document), Lowerings::NONE).unwrap_or_else(|d| panic!("{d}"));
}

#[test]
fn one_identifier_for_all_stays_one_each() {
    let mut quakes = fixture::full(3);
    for record in 0..3 {
        for field in ["public_iD", "preferred_origin_iD", "preferred_magnitude_iD"] {
            fixture::set_text(&mut quakes, record, field, "smi:local/event/2");
        }
    }
    fixture::set_text(&mut quakes, 1, "public_iD", "");
    check("one", &written("quakeml", &quakes));
}
