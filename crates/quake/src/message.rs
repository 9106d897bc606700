//! The Quake message: its schema, its layout, and its fields by name.

use bantam_model::{Error, ErrorKind, Kind, Layout, MessageLayout, Result, Schema, Slot, source};
use std::sync::{Arc, OnceLock};

/// The schema of a Quake, as a `.proto` file.
pub const PROTO: &str = include_str!("../schemas/quake.proto");

/// The full name of the message.
pub const MESSAGE: &str = "quake.Quake";

/// The schema of a Quake.
pub fn schema() -> Arc<Schema> {
    layout().schema().clone()
}

/// The layout of a Quake.
pub fn layout() -> Arc<Layout> {
    static LAYOUT: OnceLock<Arc<Layout>> = OnceLock::new();
    LAYOUT.get_or_init(|| own_layout("quake.proto", PROTO, "Quake")).clone()
}

/// The layout of one of this crate's own schema files, which tests show to be sound.
pub(crate) fn own_layout(file: &str, text: &str, root: &str) -> Arc<Layout> {
    let compile = || {
        let source = source::read(file, text.as_bytes(), &[])?;
        let root = source.schema.find(root)?;
        Layout::new(source.schema, root)
    };
    Arc::new(compile().expect("the schema files of this crate are sound"))
}

/// Whether records of this layout are quakes, field by field.
pub fn is_quake(layout: &Layout) -> bool {
    layout.schema().message(layout.root().id).name == MESSAGE && layout.same_rows(&self::layout())
}

/// The fields of a message by name, checked once.
macro_rules! fields {
    ($(#[$doc:meta])* $name:ident { $($field:ident $(= $text:literal)?),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone)]
        pub(crate) struct $name { $(pub(crate) $field: Slot),* }

        impl $name {
            fn of_message(message: &MessageLayout) -> Result<Self> {
                Ok(Self { $($field: find(message, fields!(@name $field $($text)?))?),* })
            }
        }
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $text:literal) => { $text };
}

fields! {
    /// Of Quake.
    QuakeFields {
        phases, magnitudes, public_id = "public_iD", quake_type, time, latitude, latitude_uncertainty, longitude,
        longitude_uncertainty, depth, depth_uncertainty, depth_type, magnitude, magnitude_uncertainty, magnitude_type,
        magnitude_station_count, method, earth_model, evaluation_mode, evaluation_status, used_phase_count, used_station_count,
        standard_error, azimuthal_gap, minimum_distance, agency, modification_time, place_name, region,
        preferred_origin_id = "preferred_origin_iD", preferred_magnitude_id = "preferred_magnitude_iD", author, creation_time,
        type_certainty, maximum_distance, median_distance, secondary_azimuthal_gap, time_uncertainty, horizontal_uncertainty,
        min_horizontal_uncertainty, max_horizontal_uncertainty, azimuth_max_horizontal_uncertainty, confidence_ellipsoid,
        origin_agency, origin_author, magnitude_agency, magnitude_author,
    }
}

fields! {
    /// Of Phase.
    PhaseFields {
        network_code, station_code, location_code, channel_code, phase, time, residual, weight, azimuth, distance,
        evaluation_mode, evaluation_status, unused,
    }
}

fields! {
    /// Of Magnitude.
    MagnitudeFields {
        station_magnitude, magnitude, magnitude_uncertainty, magnitude_type, magnitude_method, station_count,
    }
}

fields! {
    /// Of `StationMagnitude`.
    StationMagnitudeFields {
        network_code, station_code, location_code, channel_code, magnitude, magnitude_type, residual, weight, amplitude, unused,
    }
}

fields! {
    /// Of `ConfidenceEllipsoid`.
    EllipsoidFields {
        semi_major_axis_length, semi_minor_axis_length, semi_intermediate_axis_length, major_axis_plunge, major_axis_azimuth,
        major_axis_rotation,
    }
}

fields! {
    /// Of Timestamp.
    TimestampFields { secs, nanos }
}

/// The fields of a Quake and of all below it, in one layout.
#[derive(Debug, Clone)]
pub(crate) struct Fields {
    pub(crate) quake: QuakeFields,
    pub(crate) phase: PhaseFields,
    pub(crate) magnitude: MagnitudeFields,
    pub(crate) station_magnitude: StationMagnitudeFields,
    pub(crate) ellipsoid: EllipsoidFields,
    pub(crate) timestamp: TimestampFields,
}

impl Fields {
    /// Finds all fields.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if this is not the layout of a Quake.
    pub(crate) fn of(layout: &Layout) -> Result<Self> {
        if !is_quake(layout) {
            return Err(no_quake());
        }
        let quake = QuakeFields::of_message(layout.root())?;
        let magnitude = MagnitudeFields::of_message(below(layout, &quake.magnitudes)?)?;
        Ok(Self {
            phase: PhaseFields::of_message(below(layout, &quake.phases)?)?,
            station_magnitude: StationMagnitudeFields::of_message(below(layout, &magnitude.station_magnitude)?)?,
            ellipsoid: EllipsoidFields::of_message(below(layout, &quake.confidence_ellipsoid)?)?,
            timestamp: TimestampFields::of_message(below(layout, &quake.time)?)?,
            magnitude,
            quake,
        })
    }
}

fn find(message: &MessageLayout, name: &str) -> Result<Slot> {
    message.by_name(name.as_bytes()).cloned().ok_or_else(|| no_quake().in_field(name))
}

/// The message that a field holds.
fn below<'l>(layout: &'l Layout, slot: &Slot) -> Result<&'l MessageLayout> {
    match slot.kind {
        Kind::Message(id) => Ok(layout.message(id)),
        _ => Err(no_quake().in_field(&slot.name)),
    }
}

fn no_quake() -> Error {
    Error::new(ErrorKind::Unsupported, "this format holds quakes only (see `bantam schema show sample:quake`)")
}
