//! Each rule of the readers on a document made for it.

use bantam_model::{Error, ErrorKind, Row, Value};
use bantam_quake::{NoteKind, Options, Reading, Severity, Time, read};

/// What a document gives: its quakes as text of some fields, and its notes.
fn reading(document: &str) -> Reading<'_> {
    read(document.as_bytes(), &Options::default()).unwrap_or_else(|e| panic!("{e}\n{document}"))
}

fn error(document: &str) -> Error {
    read(document.as_bytes(), &Options::default()).expect_err(document)
}

/// SeisComPML with these elements in `EventParameters`.
fn sc(elements: &str) -> String {
    let namespace = "http://geofon.gfz.de/ns/seiscomp-schema/0.14";
    format!("<seiscomp xmlns=\"{namespace}\" version=\"0.14\"><EventParameters>{elements}</EventParameters></seiscomp>")
}

/// QuakeML with these elements in `eventParameters`.
fn qml(elements: &str) -> String {
    let (bed, root) = ("http://quakeml.org/xmlns/bed/1.2", "http://quakeml.org/xmlns/quakeml/1.2");
    format!("<q:quakeml xmlns=\"{bed}\" xmlns:q=\"{root}\"><eventParameters>{elements}</eventParameters></q:quakeml>")
}

/// An event that prefers the origin `o` and the magnitude `m`.
const EVENT: &str = "<event publicID=\"e\"><preferredOriginID>o</preferredOriginID>\
    <preferredMagnitudeID>m</preferredMagnitudeID></event>";

/// SeisComPML with one event whose origin `o` holds these elements.
fn origin(elements: &str) -> String {
    sc(&format!("<origin publicID=\"o\">{elements}</origin>{EVENT}"))
}

/// The value at a path such as `phases.0.time`, as text; absent is `-`.
fn at(row: Row<'_>, path: &str) -> String {
    let (step, rest) = path.split_once('.').map_or((path, None), |(step, rest)| (step, Some(rest)));
    match (row.field(step), rest) {
        (None, _) => "-".to_owned(),
        (Some(Value::List(items)), None) => items.len().to_string(),
        (Some(Value::List(items)), Some(rest)) => {
            let (index, rest) = rest.split_once('.').expect("an index and a field");
            match items.get(index.parse().expect("an index")) {
                Some(Value::Message(item)) => at(item, rest),
                _ => "-".to_owned(),
            }
        }
        (Some(Value::Message(inner)), Some(rest)) => at(inner, rest),
        (Some(Value::Message(time)), None) => {
            let part = |name| if let Some(Value::Int(part)) = time.field(name) { part } else { 0 };
            Time { secs: part("secs"), nanos: part("nanos") as u32 }.to_string()
        }
        (Some(Value::String(text)), None) => text.to_owned(),
        (Some(Value::Double(number)), None) => number.to_string(),
        (Some(Value::Int(number)), None) => number.to_string(),
        (Some(Value::Bool(truth)), None) => truth.to_string(),
        _ => panic!("{path}"),
    }
}

fn first(reading: &Reading<'_>, path: &str) -> String {
    at(reading.quakes.get(0).expect("a quake"), path)
}

/// How often a note was given.
fn count(reading: &Reading<'_>, kind: NoteKind) -> u64 {
    reading.notes.iter().find(|n| n.kind == kind).map_or(0, |n| n.count)
}

/// The warnings, as kinds and counts.
fn warnings(reading: &Reading<'_>) -> Vec<(NoteKind, u64)> {
    let warnings = reading.notes.iter().filter(|n| n.kind.severity() == Severity::Warning);
    warnings.map(|n| (n.kind, n.count)).collect()
}

#[test]
fn namespaces_prefixes_and_versions_do_not_hinder() {
    for root in [
        "seiscomp xmlns=\"http://geofon.gfz-potsdam.de/ns/seiscomp3-schema/0.3\" version=\"0.3\"",
        "seiscomp xmlns=\"http://geofon.gfz-potsdam.de/ns/seiscomp3-schema/0.7\" version=\"0.7\"",
        "seiscomp xmlns=\"http://geofon.gfz-potsdam.de/ns/seiscomp-schema/0.12\" version=\"0.12\"",
        "seiscomp xmlns=\"http://geofon.gfz.de/ns/seiscomp3-schema/0.13\" version=\"0.13\"",
        "seiscomp xmlns=\"http://geofon.gfz.de/ns/seiscomp-schema/0.14\"",
        "seiscomp version=\"0.10\"",
        "seiscomp",
        "s:seiscomp xmlns:s=\"http://geofon.gfz.de/ns/seiscomp-schema/0.14\"",
    ] {
        let (name, prefix) = match root.split_once(':').filter(|(p, _)| *p == "s") {
            Some(_) => ("s:seiscomp", "s:"),
            None => ("seiscomp", ""),
        };
        let text = format!(
            "<?xml version=\"1.0\"?>\n<!-- a comment --><{root}><{prefix}EventParameters><{prefix}event publicID=\"e\">\
             <{prefix}type>earthquake</{prefix}type></{prefix}event></{prefix}EventParameters></{name}>"
        );
        let reading = reading(&text);
        assert_eq!(first(&reading, "quake_type"), "earthquake", "{root}");
        assert_eq!(count(&reading, NoteKind::NewerVersion), 0, "{root}");
    }
    for root in ["seiscomp version=\"0.15\"", "seiscomp xmlns=\"http://geofon.gfz.de/ns/seiscomp-schema/1.0\""] {
        let text = format!("<{root}><EventParameters><event publicID=\"e\"/></EventParameters></seiscomp>");
        assert_eq!(count(&reading(&text), NoteKind::NewerVersion), 1, "{root}");
    }
    for version in ["1.0", "1.1", "1.2"] {
        let text = format!(
            "<quakeml xmlns=\"http://quakeml.org/xmlns/quakeml/{version}\"><eventParameters><event publicID=\"e\"/>\
             </eventParameters></quakeml>"
        );
        assert_eq!(
            (first(&reading(&text), "public_iD"), count(&reading(&text), NoteKind::NewerVersion)),
            ("e".into(), 0)
        );
    }
}

#[test]
fn every_event_is_read_in_catalogs_too() {
    let text =
        sc("<event publicID=\"a\"/><catalog publicID=\"c\"><event publicID=\"b\"/><event publicID=\"d\"/></catalog>");
    let reading = reading(&text);
    let ids: Vec<_> = reading.quakes.rows().map(|row| at(row, "public_iD")).collect();
    assert_eq!(ids, ["a", "b", "d"]);
}

#[test]
fn a_file_without_events_says_what_it_holds() {
    let seiscomp = |inner: &str| format!("<seiscomp version=\"0.14\">{inner}</seiscomp>");
    for (inner, held) in [
        ("", "it holds nothing"),
        ("<Inventory><network/></Inventory>", "it holds Inventory"),
        ("<Config/><DataAvailability/>", "it holds Config, DataAvailability"),
        ("<EventParameters><origin publicID=\"o\"/></EventParameters>", "it holds 1 origin"),
    ] {
        let text = seiscomp(inner);
        let reading = reading(&text);
        assert_eq!(reading.quakes.len(), 0);
        let note = reading.notes.iter().find(|n| n.kind == NoteKind::NoEvent).expect("a note");
        assert_eq!(note.what, held);
        let strict = read(text.as_bytes(), &Options { strict: true, ..Options::default() });
        assert!(strict.unwrap_err().to_string().contains(held));
    }
    let error = error(&seiscomp("<module name=\"scautopick\"><configuration/></module>"));
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("SeisComP's description of a module"), "{error}");
    for (text, says) in [
        ("<html/>", "the root element is <html>; <seiscomp> (SeisComPML) or <quakeml> is expected"),
        ("", "there is no root element; <seiscomp> (SeisComPML) or <quakeml> is expected"),
    ] {
        assert_eq!(self::error(text).message(), says);
    }
}

#[test]
fn preferred_origin_and_magnitude_are_found_in_the_whole_file() {
    // The preferred magnitude is in another origin than the preferred one, to which the event does not even refer.
    let text = sc(&format!(
        "<origin publicID=\"o\"><time><value>2020-01-01T00:00:00Z</value></time></origin>\
         <origin publicID=\"p\"><magnitude publicID=\"m\"><magnitude><value>4.5</value></magnitude><type>Mw</type>\
         </magnitude></origin>{EVENT}"
    ));
    let found = reading(&text);
    assert_eq!((first(&found, "time"), first(&found, "magnitude")), ("2020-01-01T00:00:00Z".into(), "4.5".into()));
    assert_eq!((first(&found, "magnitude_type"), first(&found, "magnitudes")), ("Mw".into(), "-".into()));
    assert_eq!(warnings(&found), []);
    // In QuakeML, in another event, or beside the events.
    let text = qml(&format!(
        "{EVENT}<event publicID=\"f\"><origin publicID=\"o\"><depth><value>1500</value></depth></origin></event>\
         <magnitude publicID=\"m\"><mag><value>3</value></mag><originID>o</originID></magnitude>"
    ));
    let found = reading(&text);
    assert_eq!((first(&found, "depth"), first(&found, "magnitude")), ("1.5".into(), "3".into()));
    assert_eq!(first(&found, "magnitudes.0.magnitude"), "3");
}

#[test]
fn what_is_not_preferred_is_chosen_by_rule_and_said() {
    let origin = |id: &str, inner: &str| format!("<origin publicID=\"{id}\">{inner}</origin>");
    let created =
        |day: u32| format!("<creationInfo><creationTime>2020-01-{day:02}T00:00:00Z</creationTime></creationInfo>");
    let manual = "<evaluationMode>manual</evaluationMode>";
    let rejected = "<evaluationStatus>rejected</evaluationStatus>";
    for (origins, chosen) in [
        // The newest; without times the last.
        (origin("a", &created(2)) + &origin("b", &created(1)), "a"),
        (origin("a", "") + &origin("b", ""), "b"),
        (origin("a", "") + &origin("b", &created(1)) + &origin("c", ""), "b"),
        // Evaluated before newer.
        (origin("a", &format!("{manual}{}", created(1))) + &origin("b", &created(2)), "a"),
        // Not rejected before evaluated.
        (origin("a", &created(1)) + &origin("b", &format!("{manual}{rejected}{}", created(2))), "a"),
        (origin("a", rejected), "a"),
    ] {
        let event = "<event publicID=\"e\"><originReference>a</originReference><originReference>b</originReference>\
                     <originReference>c</originReference></event>";
        let text = sc(&format!("{origins}{event}"));
        let found = reading(&text);
        assert_eq!(first(&found, "preferred_origin_iD"), chosen, "{text}");
        assert_eq!(warnings(&found), [(NoteKind::OriginChosen, 1), (NoteKind::NoMagnitude, 1)]);
        // In QuakeML the origins lie in the event.
        let text = qml(&format!("<event publicID=\"e\"><preferredOriginID>x</preferredOriginID>{origins}</event>"));
        let found = reading(&text);
        assert_eq!(first(&found, "preferred_origin_iD"), chosen, "{text}");
        let missing = [(NoteKind::OriginNotFound, 1), (NoteKind::OriginChosen, 1), (NoteKind::NoMagnitude, 1)];
        assert_eq!(warnings(&found), missing);
    }
    // One event that refers to nothing: the file's origins are its own. Of two events, they are nobody's.
    let one = sc("<origin publicID=\"a\"/><event publicID=\"e\"/>");
    assert_eq!(first(&reading(&one), "preferred_origin_iD"), "a");
    let two = sc("<origin publicID=\"a\"/><event publicID=\"e\"/><event publicID=\"f\"/>");
    assert_eq!(first(&reading(&two), "preferred_origin_iD"), "-");
    assert_eq!(warnings(&reading(&two)), [(NoteKind::NoOrigin, 2), (NoteKind::NoMagnitude, 2)]);
}

#[test]
fn a_magnitude_is_chosen_of_the_preferred_origin_first() {
    let magnitude = |id: &str, day: u32| {
        format!(
            "<magnitude publicID=\"{id}\"><magnitude><value>{day}</value></magnitude><creationInfo>\
             <creationTime>2020-01-{day:02}T00:00:00Z</creationTime></creationInfo></magnitude>"
        )
    };
    let text = sc(&format!(
        "<origin publicID=\"o\">{}{}</origin><origin publicID=\"p\">{}</origin>\
         <event publicID=\"e\"><preferredOriginID>o</preferredOriginID><originReference>p</originReference></event>",
        magnitude("a", 3),
        magnitude("b", 2),
        magnitude("c", 9)
    ));
    let found = reading(&text);
    assert_eq!((first(&found, "magnitude"), first(&found, "preferred_magnitude_iD")), ("3".into(), "a".into()));
    assert_eq!(warnings(&found), [(NoteKind::MagnitudeChosen, 1)]);
    assert_eq!((first(&found, "magnitudes"), count(&found, NoteKind::OtherMagnitude)), ("2".into(), 1));
    // QuakeML: one that names no origin counts as the preferred one's, one of another origin does not.
    let text = qml("<event publicID=\"e\"><preferredOriginID>o</preferredOriginID><origin publicID=\"o\"/>\
         <magnitude publicID=\"a\"><mag><value>1</value></mag></magnitude>\
         <magnitude publicID=\"b\"><mag><value>2</value></mag><originID>x</originID></magnitude></event>");
    let found = reading(&text);
    assert_eq!((first(&found, "magnitude"), first(&found, "magnitudes")), ("1".into(), "1".into()));
    assert_eq!(warnings(&found), [(NoteKind::MagnitudeChosen, 1), (NoteKind::MagnitudeWithoutOrigin, 1)]);
}

#[test]
fn of_two_objects_with_one_identifier_the_first_counts() {
    let depth = |km: u32| format!("<origin publicID=\"o\"><depth><value>{km}</value></depth></origin>");
    let text = sc(&format!("{}{}{EVENT}", depth(1), depth(2)));
    let found = reading(&text);
    assert_eq!((first(&found, "depth"), count(&found, NoteKind::DuplicateId)), ("1".into(), 1));
    let note = found.notes.iter().find(|n| n.kind == NoteKind::DuplicateId).expect("a note");
    assert_eq!((note.what.as_str(), note.first.line.map(|(line, _)| line)), ("o", Some(1)));
}

#[test]
fn unresolved_objects_are_kept_without_what_is_missing() {
    let text = origin(
        "<arrival><pickID>x</pickID><phase>P</phase><weight>1</weight><timeResidual>0</timeResidual></arrival>\
         <stationMagnitude publicID=\"s\"><magnitude><value>2</value></magnitude><amplitudeID>x</amplitudeID></stationMagnitude>\
         <magnitude publicID=\"m\"><stationMagnitudeContribution><stationMagnitudeID>s</stationMagnitudeID><weight>1</weight>\
         </stationMagnitudeContribution><stationMagnitudeContribution><stationMagnitudeID>y</stationMagnitudeID>\
         <residual>0.5</residual></stationMagnitudeContribution></magnitude>",
    );
    let found = reading(&text);
    for (path, value) in [
        ("phases.0.phase", "P"),
        ("phases.0.residual", "0"),
        ("phases.0.time", "-"),
        ("phases.0.station_code", "-"),
        ("magnitudes.0.station_magnitude.0.magnitude", "2"),
        ("magnitudes.0.station_magnitude.0.amplitude", "-"),
        ("magnitudes.0.station_magnitude.1.residual", "0.5"),
        ("magnitudes.0.station_magnitude.1.weight", "-"),
    ] {
        assert_eq!(first(&found, path), value, "{path}");
    }
    let missing = [NoteKind::PickNotFound, NoteKind::AmplitudeNotFound, NoteKind::StationMagnitudeNotFound];
    assert_eq!(warnings(&found), missing.map(|kind| (kind, 1)));
}

#[test]
fn unused_arrivals_and_contributions_are_left_out_and_counted() {
    let arrival = |inner: &str| format!("<arrival><pickID>p</pickID><phase>P</phase>{inner}</arrival>");
    for (inner, used) in [
        ("", true),
        ("<weight>1</weight>", true),
        ("<weight>5e-05</weight>", true),
        ("<weight>0</weight>", false),
        ("<weight>0.0</weight>", false),
        ("<weight>-1</weight>", false),
        ("<timeUsed>true</timeUsed>", true),
        ("<timeUsed>1</timeUsed><weight>0.5</weight>", true),
        ("<timeUsed>false</timeUsed>", false),
        ("<timeUsed> 0 </timeUsed><weight>1</weight>", false),
        ("<timeUsed>true</timeUsed><weight>0</weight>", false),
        ("<weight>NaN</weight>", true),
    ] {
        let text = format!("<pick publicID=\"p\"/><origin publicID=\"o\">{}</origin>{EVENT}", arrival(inner));
        let text = sc(&text);
        let found = reading(&text);
        assert_eq!(
            (first(&found, "phases") == "1", count(&found, NoteKind::UnusedArrival)),
            (used, u64::from(!used)),
            "{inner}"
        );
        let keep = Options { keep_unused: true, ..Options::default() };
        let kept = read(text.as_bytes(), &keep).expect("a document");
        assert_eq!(first(&kept, "phases.0.unused"), if used { "-" } else { "true" }, "{inner}");
        assert_eq!((count(&kept, NoteKind::KeptArrival), count(&kept, NoteKind::UnusedArrival)), (u64::from(!used), 0));
    }
    let text = qml("<event publicID=\"e\"><preferredOriginID>o</preferredOriginID><origin publicID=\"o\">\
         <arrival><timeWeight>0</timeWeight></arrival><arrival><timeWeight>2</timeWeight></arrival></origin></event>");
    assert_eq!(first(&reading(&text), "phases.0.weight"), "2");
    let text = origin(
        "<magnitude publicID=\"m\"><stationMagnitudeContribution><weight>0</weight></stationMagnitudeContribution>\
         <stationMagnitudeContribution><weight>-1</weight></stationMagnitudeContribution>\
         <stationMagnitudeContribution/></magnitude>",
    );
    let found = reading(&text);
    assert_eq!(first(&found, "magnitudes.0.station_magnitude"), "1");
    assert_eq!(count(&found, NoteKind::UnusedStationMagnitude), 2);
}

#[test]
fn lengths_are_kilometres_and_axes_metres() {
    let ellipsoid = "<confidenceEllipsoid><semiMajorAxisLength>7458.5</semiMajorAxisLength></confidenceEllipsoid>";
    let horizontal = "<horizontalUncertainty>5244.022519</horizontalUncertainty>";
    let depth = "<depth><value>23281.25</value><uncertainty>1e3</uncertainty></depth>";
    let text = qml(&format!(
        "<event publicID=\"e\"><preferredOriginID>o</preferredOriginID><origin publicID=\"o\">{depth}\
         <originUncertainty>{horizontal}{ellipsoid}</originUncertainty></origin></event>"
    ));
    let found = reading(&text);
    for (path, value) in [
        ("depth", "23.28125"),
        ("depth_uncertainty", "1"),
        ("horizontal_uncertainty", "5.244022519"),
        ("confidence_ellipsoid.semi_major_axis_length", "7458.5"),
    ] {
        assert_eq!(first(&found, path), value);
    }
    let text = origin(&format!("{depth}<uncertainty>{horizontal}{ellipsoid}</uncertainty>"));
    let found = reading(&text);
    for (path, value) in [
        ("depth", "23281.25"),
        ("horizontal_uncertainty", "5244.022519"),
        ("confidence_ellipsoid.semi_major_axis_length", "7458.5"),
    ] {
        assert_eq!(first(&found, path), value);
    }
    assert_eq!(count(&found, NoteKind::OutOfRange), 1);
}

#[test]
fn values_are_read_as_networks_write_them() {
    for (text, value, warning) in [
        ("12.5", "12.5", None),
        (" \n 12.5\t", "12.5", None),
        ("1.25E1", "12.5", None),
        ("+1e-2", "0.01", None),
        ("-0", "-0", None),
        ("0", "0", None),
        ("<![CDATA[7]]>", "7", None),
        ("&#49;2", "12", None),
        ("", "-", Some(NoteKind::Empty)),
        ("  ", "-", Some(NoteKind::Empty)),
        ("NaN", "-", Some(NoteKind::NotFinite)),
        ("INF", "-", Some(NoteKind::NotFinite)),
        ("-INF", "-", Some(NoteKind::NotFinite)),
        ("1e999", "-", Some(NoteKind::NotFinite)),
        ("12,5", "-", Some(NoteKind::BadNumber)),
        ("12.5 km", "-", Some(NoteKind::BadNumber)),
        ("91", "91", Some(NoteKind::OutOfRange)),
    ] {
        let document = origin(&format!("<latitude><value>{text}</value></latitude><magnitude publicID=\"m\"/>"));
        let found = reading(&document);
        assert_eq!(first(&found, "latitude"), value, "{text}");
        assert_eq!(warnings(&found), Vec::from_iter(warning.map(|kind| (kind, 1))), "{text}");
    }
    for (text, value, warning) in [
        ("44", "44", None),
        (" 44.0 ", "44", None),
        ("4.4e1", "44", None),
        ("0", "0", None),
        ("44.5", "-", Some(NoteKind::BadNumber)),
        ("many", "-", Some(NoteKind::BadNumber)),
        ("NaN", "-", Some(NoteKind::NotFinite)),
        ("1e300", "-", Some(NoteKind::BadNumber)),
        ("-1", "-1", Some(NoteKind::OutOfRange)),
    ] {
        let quality = format!("<quality><usedPhaseCount>{text}</usedPhaseCount></quality><magnitude publicID=\"m\"/>");
        let document = origin(&quality);
        let found = reading(&document);
        assert_eq!(first(&found, "used_phase_count"), value, "{text}");
        assert_eq!(warnings(&found), Vec::from_iter(warning.map(|kind| (kind, 1))), "{text}");
    }
    for (text, value, kind) in [
        (" 2020-01-01T00:00:00.5Z ", "2020-01-01T00:00:00.5Z", None),
        ("2020-01-01T00:00:00", "2020-01-01T00:00:00Z", Some(NoteKind::TimeWithoutZone)),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z", Some(NoteKind::LeapSecond)),
        ("2020-01-01T01:00:00.0000000019+01:00", "2020-01-01T00:00:00.000000001Z", Some(NoteKind::BeyondNanoseconds)),
        ("yesterday", "-", Some(NoteKind::BadTime)),
        ("", "-", Some(NoteKind::Empty)),
    ] {
        let document = origin(&format!("<time><value>{text}</value></time>"));
        let found = reading(&document);
        assert_eq!(first(&found, "time"), value, "{text}");
        assert!(kind.is_none_or(|kind| count(&found, kind) == 1), "{text}");
    }
    // An element without its value, and one that is empty.
    for text in ["<latitude/>", "<latitude><uncertainty>1</uncertainty></latitude>"] {
        let document = origin(text);
        let found = reading(&document);
        assert_eq!((first(&found, "latitude"), count(&found, NoteKind::Empty)), ("-".into(), 1), "{text}");
    }
    let document = sc("<event publicID=\" e \"><type> a new type </type><typeCertainty/></event>");
    let found = reading(&document);
    assert_eq!((first(&found, "public_iD"), first(&found, "quake_type")), ("e".into(), "a new type".into()));
    assert_eq!(first(&found, "type_certainty"), "-");
}

#[test]
fn the_modification_time_is_the_latest_as_a_time() {
    let info = |created: &str, modified: &str| {
        format!(
            "<creationInfo><creationTime>{created}</creationTime><modificationTime>{modified}</modificationTime></creationInfo>"
        )
    };
    // As text, the event's would be the latest, and the origin's second time the earliest.
    let text = sc(&format!(
        "<origin publicID=\"o\">{}<magnitude publicID=\"m\">{}</magnitude></origin><event publicID=\"e\">\
         <preferredOriginID>o</preferredOriginID><preferredMagnitudeID>m</preferredMagnitudeID>{}</event>",
        info("2020-01-01T00:00:00Z", "2020-01-01T00:30:00-09:00"),
        info("", "2020-01-01T01:00:00Z"),
        info("2020-01-01T09:00:00+09:00", "2020-01-01T09:15:00+09:00")
    ));
    let found = reading(&text);
    assert_eq!(first(&found, "modification_time"), "2020-01-01T09:30:00Z");
    assert_eq!(first(&found, "creation_time"), "2020-01-01T00:00:00Z");
}

#[test]
fn names_of_places_come_from_their_descriptions() {
    let described =
        |kind: &str, text: &str| format!("<description><text>{text}</text><type>{kind}</type></description>");
    for (descriptions, place, region) in [
        (described("region name", "R") + &described("earthquake name", "P"), "P", "R"),
        (described("Flinn-Engdahl region", "F") + &described("region name", "R"), "-", "R"),
        (described("Flinn-Engdahl region", "F") + &described("nearest cities", "N"), "N", "F"),
        (described("felt report", "x") + "<description><text>y</text></description>", "-", "-"),
    ] {
        let text = sc(&format!("<event publicID=\"e\">{descriptions}</event>"));
        let found = reading(&text);
        assert_eq!((first(&found, "place_name"), first(&found, "region")), (place.into(), region.into()));
    }
}

#[test]
fn hostile_documents_are_refused_with_their_place() {
    let inner = |text: &str| sc(&format!("\n<event publicID=\"e\">\n{text}</event>"));
    for (text, kind, says) in [
        ("<seiscomp><EventParameters>".to_owned(), ErrorKind::Truncated, "EventParameters"),
        (inner("<type>a</typo>"), ErrorKind::Syntax, "line 3"),
        (inner("<type>&unknown;</type>"), ErrorKind::Unsupported, "line 3"),
        (
            "<!DOCTYPE a [<!ENTITY b \"bb\"><!ENTITY c \"&b;&b;\">]>".to_owned() + &inner("<type>&c;</type>"),
            ErrorKind::Unsupported,
            "&c;",
        ),
        (
            "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]>".to_owned() + &inner("<type>&b;</type>"),
            ErrorKind::Unsupported,
            "&b;",
        ),
        ("<seiscomp>".to_owned() + &"<a>".repeat(2_000_000), ErrorKind::Truncated, ""),
    ] {
        let error = error(&text);
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(says), "{error}");
        assert!(error.position().line.is_some(), "{error}");
    }
}

#[test]
fn strict_refuses_warnings_and_nothing_else() {
    let strict = Options { strict: true, ..Options::default() };
    let harmless = sc(&format!(
        "<origin publicID=\"o\"><time><value>2020-01-01T00:00:00</value></time><magnitude publicID=\"m\"/>\
         <arrival><weight>0</weight></arrival></origin><focalMechanism/><other/>{EVENT}"
    ));
    let reading = read(harmless.as_bytes(), &strict).expect("no warning");
    assert!(reading.notes.len() >= 4, "{:?}", reading.notes);
    let error = read(origin("").as_bytes(), &strict).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Mismatch);
    assert!(error.to_string().starts_with("line 1 column"), "{error}");
}

#[test]
fn a_reader_that_has_learned_reads_the_same() {
    let documents =
        [origin("<depth><value>5</value></depth>"), qml(EVENT), sc(EVENT), origin("<quality/>"), qml(EVENT)];
    let mut reader = bantam_quake::Reader::new(Options::default());
    for document in documents.iter().cycle().take(15) {
        let mut batch = bantam_model::Batch::new(bantam_quake::layout()).renew();
        let notes = reader.read(document.as_bytes(), &mut batch).expect("a document");
        let fresh = reading(document);
        assert_eq!(notes, fresh.notes);
        bantam_model::compare(&fresh.quakes, &batch, bantam_model::Lowerings::NONE).expect("the same quakes");
    }
}

#[test]
fn every_encoding_that_is_declared_is_read() {
    let document = |encoding: &str| {
        let event =
            "<event publicID=\"e\"><description><text>Küste</text><type>region name</type></description></event>";
        format!("<?xml version=\"1.0\" encoding=\"{encoding}\"?>\n{}", sc(event))
    };
    let utf16 = |text: &str, to: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(to).collect::<Vec<u8>>();
    let latin = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
    for (name, bytes) in [
        ("UTF-8", document("UTF-8").into_bytes()),
        ("UTF-8 with its mark", format!("\u{feff}{}", document("UTF-8")).into_bytes()),
        ("UTF-16LE with its mark", utf16(&format!("\u{feff}{}", document("UTF-16")), u16::to_le_bytes)),
        ("UTF-16BE with its mark", utf16(&format!("\u{feff}{}", document("UTF-16")), u16::to_be_bytes)),
        ("UTF-16LE", utf16(&document("UTF-16LE"), u16::to_le_bytes)),
        ("ISO-8859-1", latin(&document("ISO-8859-1"))),
        ("US-ASCII", document("US-ASCII").replace('ü', "&#xfc;").into_bytes()),
    ] {
        assert_eq!(bantam_quake::recognise(&bytes).map(|f| f.name), Some("seiscompml"), "{name}");
        let found = read(&bytes, &Options::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(first(&found, "region"), "Küste", "{name}");
        assert!(
            count(&found, NoteKind::NoOrigin) == 1 && found.notes[0].first.line.map(|(line, _)| line) == Some(2),
            "{name}"
        );
    }
    let error = read(document("EBCDIC").as_bytes(), &Options::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
}
