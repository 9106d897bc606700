//! GeoJSON as the USGS earthquake feeds write it, for maps and web pages.
//!
//! RFC 7946, <https://www.rfc-editor.org/rfc/rfc7946>, with the fields of
//! <https://earthquake.usgs.gov/earthquakes/feed/v1.0/geojson.php>. Several quakes are a `FeatureCollection`, one by itself is a
//! `Feature`. All keys of the feed's `properties` are there, in its order; what a Quake does not say is `null`.
//!
//! | key | from a Quake |
//! |---|---|
//! | `mag`, `magType`, `type` | `magnitude`, `magnitude_type`, `quake_type`, as they are |
//! | `place` | `place_name`, else `region` |
//! | `time`, `updated` | `time`, `modification_time`, in milliseconds since 1970, rounded down |
//! | `status` | `deleted` if `evaluation_status` is `rejected` or the type `not existing`; else `reviewed` if it was evaluated by a person (mode `manual`, or status `confirmed`, `reviewed` or `final`); else `automatic` if the mode is so |
//! | `net`, `sources` | `agency`; between commas in `sources` |
//! | `code`, `ids`, `id` | `public_iD` as it is; between commas in `ids`. In the feed, `id` is `net` before `code` |
//! | `nst`, `dmin`, `rms`, `gap` | `used_station_count`, `minimum_distance` (degrees), `standard_error` (seconds), `azimuthal_gap` (degrees) |
//! | `title` | `M 5.7 - place`, with `?` for no magnitude; what is no earthquake is named: `M 1.4 Quarry Blast - place` |
//! | `tz`, `url`, `detail`, `felt`, `cdi`, `mmi`, `alert`, `tsunami`, `sig`, `types` | always `null` |
//!
//! `metadata` has `title` and `count`; `generated`, `url`, `api` and `status` are a server's, and left out.
//!
//! Coordinates are longitude, latitude and depth. As in the feed, depth is in kilometres and positive downwards, where the RFC
//! has metres upwards. Without a depth there are two coordinates, without a latitude or longitude the geometry is `null`. Longitudes are
//! kept as they are, also beyond 180 degrees: the feed has such, and so a swarm across the antimeridian stays together. `bbox` has
//! the least and greatest of all; no depths if no quake has one, and it is left out if no quake has a place.

use crate::codec::{QuakeCodec, WRITTEN};
use crate::message::Fields;
use crate::time::Time;
use crate::view::{View, push_number};
use bantam_formats::{Engine, Format, Framing};
use bantam_model::{Result, Row};
use std::fmt::Write as _;

/// The table's row.
pub(crate) static GEOJSON: Format = Format {
    name: "geojson",
    about: "GeoJSON with the fields of the USGS feeds: a FeatureCollection, one Feature an earthquake",
    extensions: &["geojson"],
    engines: &[Engine {
        name: "bantam",
        adapter: false,
        build: |layout| QuakeCodec::build(layout, &GEOJSON, Some(write)),
    }],
    ..WRITTEN
};

// The signature is the table's.
#[allow(clippy::unnecessary_wraps)]
fn write(fields: &Fields, quakes: &[Row<'_>], framing: Framing, out: &mut Vec<u8>) -> Result<()> {
    let mut views = quakes.iter().map(|&row| View::new(fields, row));
    if framing == Framing::Each {
        views.by_ref().for_each(|quake| feature(quake, out));
    } else {
        collection(views, out);
    }
    out.push(b'\n');
    Ok(())
}

fn collection<'r>(quakes: impl ExactSizeIterator<Item = View<'r>>, out: &mut Vec<u8>) {
    let count = quakes.len();
    let head =
        format!(r#"{{"type":"FeatureCollection","metadata":{{"title":"Earthquakes","count":{count}}},"features":["#);
    out.extend_from_slice(head.as_bytes());
    // The least and greatest longitude, latitude and depth.
    let mut ranges = [const { None::<(f64, f64)> }; 3];
    for (at, quake) in quakes.enumerate() {
        out.extend_from_slice(if at == 0 { b"" } else { b",\n" });
        feature(quake, out);
        for (range, value) in ranges.iter_mut().zip(place(quake)) {
            if let Some(value) = value {
                let (least, most) = range.unwrap_or((value, value));
                *range = Some((least.min(value), most.max(value)));
            }
        }
    }
    out.push(b']');
    if ranges[0].is_some() {
        out.extend_from_slice(b",\"bbox\":");
        let known = || ranges.iter().flatten();
        numbers(known().map(|(least, _)| *least).chain(known().map(|(_, most)| *most)), out);
    }
    out.push(b'}');
}

/// Longitude, latitude and depth; nothing of them if longitude or latitude is absent.
fn place(quake: View<'_>) -> [Option<f64>; 3] {
    let of = &quake.fields.quake;
    match (quake.number(&of.longitude), quake.number(&of.latitude)) {
        (Some(longitude), Some(latitude)) => [Some(longitude), Some(latitude), quake.number(&of.depth)],
        _ => [None; 3],
    }
}

fn feature(quake: View<'_>, out: &mut Vec<u8>) {
    let of = &quake.fields.quake;
    out.extend_from_slice(b"{\"type\":\"Feature\",\"properties\":{");
    properties(quake, &mut Properties { out, first: true });
    out.extend_from_slice(b"},\"geometry\":");
    let coordinates = place(quake);
    if coordinates[0].is_some() {
        out.extend_from_slice(b"{\"type\":\"Point\",\"coordinates\":");
        numbers(coordinates.into_iter().flatten(), out);
        out.push(b'}');
    } else {
        out.extend_from_slice(b"null");
    }
    // By the RFC, a feature without an identifier has no such key.
    let id = quake.text(&of.public_id);
    if !id.is_empty() {
        out.extend_from_slice(b",\"id\":");
        string(id, out);
    }
    out.push(b'}');
}

fn properties(quake: View<'_>, to: &mut Properties<'_>) {
    let of = &quake.fields.quake;
    let (id, agency) = (quake.text(&of.public_id), quake.text(&of.agency));
    let place = quake.first([&of.place_name, &of.region]);
    to.number("mag", quake.number(&of.magnitude));
    to.text("place", place);
    to.whole("time", quake.time(&of.time).map(Time::millis));
    to.whole("updated", quake.time(&of.modification_time).map(Time::millis));
    to.nulls(&["tz", "url", "detail", "felt", "cdi", "mmi", "alert"]);
    to.text("status", status(quake));
    to.nulls(&["tsunami", "sig"]);
    to.text("net", agency);
    to.text("code", id);
    to.text("ids", &between_commas(id));
    to.text("sources", &between_commas(agency));
    to.nulls(&["types"]);
    to.whole("nst", quake.count(&of.used_station_count));
    to.number("dmin", quake.number(&of.minimum_distance));
    to.number("rms", quake.number(&of.standard_error));
    to.number("gap", quake.number(&of.azimuthal_gap));
    to.text("magType", quake.text(&of.magnitude_type));
    to.text("type", quake.text(&of.quake_type));
    to.text("title", &title(quake, place));
}

fn status(quake: View<'_>) -> &'static str {
    let of = &quake.fields.quake;
    match (quake.text(&of.evaluation_mode), quake.text(&of.evaluation_status)) {
        (_, "rejected") => "deleted",
        _ if quake.text(&of.quake_type) == "not existing" => "deleted",
        ("manual", _) | (_, "confirmed" | "reviewed" | "final") => "reviewed",
        ("automatic", _) => "automatic",
        _ => "",
    }
}

fn title(quake: View<'_>, place: &str) -> String {
    let of = &quake.fields.quake;
    let mut title = match quake.number(&of.magnitude) {
        Some(magnitude) => format!("M {magnitude:.1}"),
        None => "M ?".to_owned(),
    };
    let kind = quake.text(&of.quake_type);
    if kind != "earthquake" {
        for word in kind.split_whitespace() {
            let mut letters = word.chars();
            let first = letters.next().map(char::to_uppercase);
            title.push(' ');
            title.extend(first.into_iter().flatten());
            title.push_str(letters.as_str());
        }
    }
    if !place.is_empty() {
        // Writing to a string does not fail.
        let _ = write!(title, " - {place}");
    }
    title
}

fn between_commas(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(",{text},") }
}

/// The properties of a feature; what is absent or empty is null.
struct Properties<'o> {
    out: &'o mut Vec<u8>,
    first: bool,
}

impl Properties<'_> {
    fn key(&mut self, key: &str) {
        let before = if self.first { "" } else { "," };
        self.first = false;
        self.out.extend_from_slice(format!("{before}\"{key}\":").as_bytes());
    }

    fn nulls(&mut self, keys: &[&str]) {
        for key in keys {
            self.key(key);
            self.out.extend_from_slice(b"null");
        }
    }

    fn number(&mut self, key: &str, value: Option<f64>) {
        let Some(value) = value else { return self.nulls(&[key]) };
        self.key(key);
        push_number(self.out, value);
    }

    fn whole(&mut self, key: &str, value: Option<i64>) {
        let Some(value) = value else { return self.nulls(&[key]) };
        self.key(key);
        self.out.extend_from_slice(value.to_string().as_bytes());
    }

    fn text(&mut self, key: &str, value: &str) {
        if value.is_empty() {
            return self.nulls(&[key]);
        }
        self.key(key);
        string(value, self.out);
    }
}

fn string(text: &str, out: &mut Vec<u8>) {
    serde_json::to_writer(out, text).expect("text into a vector cannot fail");
}

fn numbers(numbers: impl Iterator<Item = f64>, out: &mut Vec<u8>) {
    for (at, number) in numbers.enumerate() {
        out.push(if at == 0 { b'[' } else { b',' });
        push_number(out, number);
    }
    out.push(b']');
}
