//! GeoJSON by the rules of RFC 7946, and the fields of the feed.

use super::{fixture, for_every_file, framed, shown, written};
use bantam_formats::Framing;
use serde_json::Value;

const PROPERTIES: [&str; 26] = [
    "mag", "place", "time", "updated", "tz", "url", "detail", "felt", "cdi", "mmi", "alert", "status", "tsunami",
    "sig", "net", "code", "ids", "sources", "types", "nst", "dmin", "rms", "gap", "magType", "type", "title",
];

fn check_feature(feature: &Value, file: &str) {
    assert_eq!(feature["type"], "Feature", "{file}");
    let properties = feature["properties"].as_object().expect("properties");
    assert!(
        PROPERTIES.iter().all(|key| properties.contains_key(*key)) && properties.len() == PROPERTIES.len(),
        "{file}"
    );
    let title = properties["title"].as_str().expect("a title");
    assert!(title.starts_with("M "), "{file}: {title}");
    match &feature["geometry"] {
        Value::Null => {}
        geometry => {
            assert_eq!(geometry["type"], "Point", "{file}");
            let numbers = geometry["coordinates"].as_array().expect("coordinates");
            assert!((2..=3).contains(&numbers.len()) && numbers.iter().all(Value::is_number), "{file}: {numbers:?}");
        }
    }
}

#[test]
fn every_file_is_a_collection_with_a_feature_an_event() {
    for_every_file(|file, quakes| {
        let document: Value = serde_json::from_str(&written("geojson", quakes)).expect("JSON");
        assert_eq!(document["type"], "FeatureCollection", "{file}");
        let features = document["features"].as_array().expect("features");
        assert_eq!(
            (features.len(), &document["metadata"]["count"]),
            (quakes.len(), &Value::from(quakes.len())),
            "{file}"
        );
        for (feature, quake) in features.iter().zip(quakes.rows()) {
            check_feature(feature, file);
            assert_eq!(feature["id"].as_str().unwrap_or(""), shown(quake.field("public_iD")), "{file}");
            let coordinates = &feature["geometry"]["coordinates"];
            for (at, field) in ["longitude", "latitude"].into_iter().enumerate() {
                let number = coordinates[at].as_f64().map(|n| n.to_string()).unwrap_or_default();
                assert_eq!(number, shown(quake.field(field)), "{file}");
            }
        }
        let points = features.iter().filter(|f| !f["geometry"].is_null()).count();
        assert_eq!(document.get("bbox").is_some(), points > 0, "{file}");
        for feature in features {
            let (Some(numbers), Some(bounds)) =
                (feature["geometry"]["coordinates"].as_array(), document["bbox"].as_array())
            else {
                continue;
            };
            let half = bounds.len() / 2;
            for (at, number) in numbers.iter().enumerate() {
                let (least, most) = (bounds[at].as_f64(), bounds[at + half].as_f64());
                assert!(least <= number.as_f64() && number.as_f64() <= most, "{file}: {bounds:?}");
            }
        }
    });
}

#[test]
fn one_by_itself_is_a_feature() {
    let feature: Value = serde_json::from_str(&framed("geojson", &fixture::full(1), Framing::Each)).expect("JSON");
    check_feature(&feature, "full");
    assert_eq!(feature["properties"]["status"], "reviewed");
}

#[test]
fn places_may_lack_a_part() {
    let mut quakes = fixture::full(2);
    fixture::set_number(&mut quakes, 0, "depth", None);
    fixture::set_number(&mut quakes, 1, "latitude", None);
    let document: Value = serde_json::from_str(&written("geojson", &quakes)).expect("JSON");
    assert_eq!(document["features"][0]["geometry"]["coordinates"].as_array().map(Vec::len), Some(2));
    assert!(document["features"][1]["geometry"].is_null());
    assert_eq!(document["bbox"].as_array().map(Vec::len), Some(4));
}

#[test]
fn titles_and_status_are_as_in_the_feed() {
    for (kind, magnitude, place, title) in [
        ("earthquake", Some(5.65), "Ridgecrest, CA", "M 5.7 - Ridgecrest, CA"),
        ("", Some(-0.1), "Ridgecrest", "M -0.1 - Ridgecrest"),
        ("quarry blast", Some(1.4), "Princeton", "M 1.4 Quarry Blast - Princeton"),
        ("earthquake", None, "", "M ?"),
    ] {
        let mut quakes = fixture::full(1);
        fixture::set_text(&mut quakes, 0, "quake_type", kind);
        fixture::set_text(&mut quakes, 0, "place_name", place);
        if place.is_empty() {
            fixture::set_text(&mut quakes, 0, "region", "");
        }
        fixture::set_number(&mut quakes, 0, "magnitude", magnitude);
        let feature: Value = serde_json::from_str(&framed("geojson", &quakes, Framing::Each)).expect("JSON");
        assert_eq!(feature["properties"]["title"], title);
    }
    for (mode, status, kind, due) in [
        ("manual", "", "earthquake", Some("reviewed")),
        ("automatic", "preliminary", "earthquake", Some("automatic")),
        ("automatic", "confirmed", "earthquake", Some("reviewed")),
        ("", "", "earthquake", None),
        ("manual", "rejected", "earthquake", Some("deleted")),
        ("automatic", "", "not existing", Some("deleted")),
    ] {
        let mut quakes = fixture::full(1);
        for (field, text) in [("evaluation_mode", mode), ("evaluation_status", status), ("quake_type", kind)] {
            fixture::set_text(&mut quakes, 0, field, text);
        }
        let feature: Value = serde_json::from_str(&framed("geojson", &quakes, Framing::Each)).expect("JSON");
        assert_eq!(feature["properties"]["status"].as_str(), due, "{mode} {status} {kind}");
    }
}

#[test]
fn any_text_comes_back() {
    let text = "a\"\\\n\u{1}ü</script>";
    let document: Value = serde_json::from_str(&written("geojson", &fixture::of_text(text))).expect("JSON");
    assert_eq!(document["features"][1]["properties"]["place"], text);
}
