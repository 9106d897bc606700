//! A list of events as CSV (RFC 4180, <https://www.rfc-editor.org/rfc/rfc4180>): a header and one line an event, for spreadsheets
//! and data frames.
//!
//! Columns are in [`COLUMNS`], named by the field of a Quake or by what people call it, with the unit in the name where
//! there is one. Times are RFC 3339 in UTC; numbers are the shortest text that reads back the same; what is absent is an
//! empty cell. Lines end with a line feed alone, as CSV of the foundation does and as all tools read. `phases` and `magnitudes` are
//! the numbers of items of these lists, 0 where there is none; `used_phases` and `used_stations` are what the locator says.
//!
//! Not held: phases, magnitudes and station magnitudes themselves, the confidence ellipsoid.

use crate::codec::{QuakeCodec, WRITTEN};
use crate::message::{Fields, QuakeFields};
use crate::view::View;
use bantam_formats::{Engine, Format, Framing};
use bantam_model::{Error, ErrorKind, Result, Row, Slot};

/// The table's row. `.csv` is the generic format's.
pub(crate) static EVENT_CSV: Format = Format {
    name: "event-csv",
    about: "CSV for event lists: a header and one line an earthquake, without phases",
    engines: &[Engine {
        name: "bantam",
        adapter: false,
        build: |layout| QuakeCodec::build(layout, &EVENT_CSV, Some(write)),
    }],
    ..WRITTEN
};

/// How a cell comes from a field.
#[derive(Clone, Copy)]
enum Cell {
    Text,
    Time,
    Number,
    Count,
    /// The number of a list's items.
    Items,
}

type Column = (&'static str, Cell, fn(&QuakeFields) -> &Slot);

/// Who, when, where, how big; then how well it is known; then who says so.
const COLUMNS: &[Column] = &[
    ("event_id", Cell::Text, |of| &of.public_id),
    ("time", Cell::Time, |of| &of.time),
    ("latitude", Cell::Number, |of| &of.latitude),
    ("longitude", Cell::Number, |of| &of.longitude),
    ("depth_km", Cell::Number, |of| &of.depth),
    ("magnitude", Cell::Number, |of| &of.magnitude),
    ("magnitude_type", Cell::Text, |of| &of.magnitude_type),
    ("event_type", Cell::Text, |of| &of.quake_type),
    ("event_type_certainty", Cell::Text, |of| &of.type_certainty),
    ("place", Cell::Text, |of| &of.place_name),
    ("region", Cell::Text, |of| &of.region),
    ("agency", Cell::Text, |of| &of.agency),
    ("author", Cell::Text, |of| &of.author),
    ("evaluation_mode", Cell::Text, |of| &of.evaluation_mode),
    ("evaluation_status", Cell::Text, |of| &of.evaluation_status),
    ("depth_type", Cell::Text, |of| &of.depth_type),
    ("method", Cell::Text, |of| &of.method),
    ("earth_model", Cell::Text, |of| &of.earth_model),
    ("azimuthal_gap_deg", Cell::Number, |of| &of.azimuthal_gap),
    ("secondary_azimuthal_gap_deg", Cell::Number, |of| &of.secondary_azimuthal_gap),
    ("minimum_distance_deg", Cell::Number, |of| &of.minimum_distance),
    ("median_distance_deg", Cell::Number, |of| &of.median_distance),
    ("maximum_distance_deg", Cell::Number, |of| &of.maximum_distance),
    ("standard_error_s", Cell::Number, |of| &of.standard_error),
    ("used_phases", Cell::Count, |of| &of.used_phase_count),
    ("used_stations", Cell::Count, |of| &of.used_station_count),
    ("time_uncertainty_s", Cell::Number, |of| &of.time_uncertainty),
    // Without a unit: degrees by QuakeML, kilometres by SeisComP's locators (see the schema).
    ("latitude_uncertainty", Cell::Number, |of| &of.latitude_uncertainty),
    ("longitude_uncertainty", Cell::Number, |of| &of.longitude_uncertainty),
    ("depth_uncertainty_km", Cell::Number, |of| &of.depth_uncertainty),
    ("horizontal_uncertainty_km", Cell::Number, |of| &of.horizontal_uncertainty),
    ("min_horizontal_uncertainty_km", Cell::Number, |of| &of.min_horizontal_uncertainty),
    ("max_horizontal_uncertainty_km", Cell::Number, |of| &of.max_horizontal_uncertainty),
    ("azimuth_max_horizontal_uncertainty_deg", Cell::Number, |of| &of.azimuth_max_horizontal_uncertainty),
    ("magnitude_uncertainty", Cell::Number, |of| &of.magnitude_uncertainty),
    ("magnitude_stations", Cell::Count, |of| &of.magnitude_station_count),
    ("origin_agency", Cell::Text, |of| &of.origin_agency),
    ("origin_author", Cell::Text, |of| &of.origin_author),
    ("magnitude_agency", Cell::Text, |of| &of.magnitude_agency),
    ("magnitude_author", Cell::Text, |of| &of.magnitude_author),
    ("created", Cell::Time, |of| &of.creation_time),
    ("modified", Cell::Time, |of| &of.modification_time),
    ("origin_id", Cell::Text, |of| &of.preferred_origin_id),
    ("magnitude_id", Cell::Text, |of| &of.preferred_magnitude_id),
    ("phases", Cell::Items, |of| &of.phases),
    ("magnitudes", Cell::Items, |of| &of.magnitudes),
];

fn write(fields: &Fields, quakes: &[Row<'_>], _: Framing, out: &mut Vec<u8>) -> Result<()> {
    let failed = |e: csv::Error| Error::new(ErrorKind::Unsupported, e.to_string());
    let mut lines = csv::Writer::from_writer(out);
    lines.write_record(COLUMNS.iter().map(|(name, ..)| name)).map_err(failed)?;
    for &row in quakes {
        let quake = View::new(fields, row);
        let cells = COLUMNS.iter().map(|(_, cell, slot)| cell.of(quake, slot(&fields.quake)));
        lines.write_record(cells).map_err(failed)?;
    }
    lines.flush().map_err(|e| failed(e.into()))
}

impl Cell {
    fn of(self, quake: View<'_>, slot: &Slot) -> String {
        let shown = match self {
            Self::Text => Some(quake.text(slot).to_owned()),
            Self::Time => quake.time(slot).map(|time| time.to_string()),
            Self::Number => quake.number(slot).map(|number| zmij::Buffer::new().format_finite(number).to_owned()),
            Self::Count => quake.count(slot).map(|count| count.to_string()),
            Self::Items => Some(quake.items(slot).len().to_string()),
        };
        shown.unwrap_or_default()
    }
}
