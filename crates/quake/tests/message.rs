//! The names, numbers and types of the fields that data in this form has: a promise.

use bantam_model::{Cardinality, Kind};
use bantam_quake::{MESSAGE, layout};

const PROMISED: &[(&str, &str)] = &[
    (
        "Quake",
        "repeated Phase phases=1; repeated Magnitude magnitudes=2; string public_iD=10; string quake_type=11; Timestamp time=12; \
         double latitude=13; double latitude_uncertainty=14; double longitude=15; double longitude_uncertainty=16; \
         double depth=17; double depth_uncertainty=18; string depth_type=19; double magnitude=20; \
         double magnitude_uncertainty=21; string magnitude_type=22; int64 magnitude_station_count=23; string method=24; \
         string earth_model=25; string evaluation_mode=26; string evaluation_status=27; int64 used_phase_count=28; \
         int64 used_station_count=29; double standard_error=30; double azimuthal_gap=31; double minimum_distance=32; \
         string agency=33; Timestamp modification_time=34",
    ),
    (
        "Phase",
        "string network_code=1; string station_code=2; string location_code=3; string channel_code=4; string phase=5; \
         Timestamp time=6; double residual=7; double weight=8; double azimuth=9; double distance=10; \
         string evaluation_mode=11; string evaluation_status=12",
    ),
    (
        "Magnitude",
        "repeated StationMagnitude station_magnitude=1; double magnitude=2; double magnitude_uncertainty=3; \
         string magnitude_type=4; string magnitude_method=5; int64 station_count=6",
    ),
    (
        "StationMagnitude",
        "string network_code=1; string station_code=2; string location_code=3; string channel_code=4; double magnitude=5; \
         string magnitude_type=6; double residual=7; double weight=8; double amplitude=9",
    ),
    ("Timestamp", "int64 secs=1; int64 nanos=2"),
    ("Key", "string quake_iD=1"),
];

#[test]
fn fields_keep_their_names_numbers_and_types() {
    let schema = layout().schema().clone();
    assert_eq!(schema.message(layout().root().id).name, MESSAGE);
    for (name, promised) in PROMISED {
        let message = schema.message(schema.find(name).expect("a message"));
        for field in promised.split("; ") {
            let (rest, number) = field.split_once('=').expect("a number");
            let (kind, name) = rest.rsplit_once(' ').expect("a type");
            let found = message.field(name).unwrap_or_else(|| panic!("{name} is gone"));
            let of = match found.kind {
                Kind::Message(id) => schema.message(id).short_name().to_owned(),
                kind => kind.to_string(),
            };
            let repeated = if found.cardinality == Cardinality::Repeated { "repeated " } else { "" };
            assert_eq!(
                (found.number.to_string(), format!("{repeated}{of}")),
                (number.to_owned(), kind.to_owned()),
                "{name}"
            );
            // Where zero is a real value, absent is not zero.
            let presence = matches!(found.kind, Kind::Double) || name.ends_with("_count");
            assert_eq!(found.cardinality == Cardinality::Optional && !of.contains("Timestamp"), presence, "{name}");
        }
    }
}

#[test]
fn every_field_documents_itself() {
    let schema = layout().schema().clone();
    for message in &schema.messages {
        assert!(!message.doc.trim().is_empty(), "{}", message.name);
        for field in &message.fields {
            assert!(!field.doc.trim().is_empty(), "{}.{}", message.name, field.name);
        }
    }
}
