//! The text form of FDSN event services: one line an event, for people and spreadsheets.
//!
//! FDSN web service specification fdsnws-event, version 1.2 (2019-06-27), "Text format",
//! <https://www.fdsn.org/webservices/fdsnws-event-1.2.pdf>; times as in its "Commonalities", "Time parameter values". The header is
//! that of the specification, `EventType` included, which version 1.2 added.
//!
//! | column | from a Quake |
//! |---|---|
//! | `EventID`, `ContributorID` | `public_iD`; the specification's contributor may have another identifier, a Quake has one |
//! | `Time` | `time`, in UTC without a zone, to the microsecond; digits beyond are cut off |
//! | `Latitude`, `Longitude`, `Depth/km` | `latitude`, `longitude`, `depth` |
//! | `Author` | who located it: `origin_author`, else `origin_agency` |
//! | `Catalog` | always empty: a Quake does not name its catalogue |
//! | `Contributor` | who gives the event: `agency` |
//! | `MagType`, `Magnitude` | `magnitude_type`, `magnitude` |
//! | `MagAuthor` | `magnitude_author`, else `magnitude_agency` |
//! | `EventLocationName` | `place_name`, else `region`; SeisComP gives the region |
//! | `EventType` | `quake_type` as the nearest word of QuakeML 1.2, which the specification asks for |
//!
//! What is absent is empty. A field cannot hold a vertical bar, which becomes `/`, nor a line break, which becomes a blank as other
//! control characters do. A line that starts with `#` is a comment, so a `#` that an identifier starts with becomes `_`.

use crate::codec::{QuakeCodec, WRITTEN};
use crate::message::Fields;
use crate::quakeml::vocabulary::event_type;
use crate::time::Time;
use crate::view::{View, push_number};
use bantam_formats::{Engine, Format, Framing};
use bantam_model::{Result, Row};

const HEADER: &str = "#EventID|Time|Latitude|Longitude|Depth/km|Author|Catalog|Contributor|ContributorID|MagType|Magnitude|\
MagAuthor|EventLocationName|EventType\n";

/// The table's row.
pub(crate) static FDSN_TEXT: Format = Format {
    name: "fdsn-text",
    about: "FDSN event text: a header and one line an earthquake, fields between vertical bars",
    extensions: &["txt"],
    engines: &[Engine {
        name: "bantam",
        adapter: false,
        build: |layout| QuakeCodec::build(layout, &FDSN_TEXT, Some(write)),
    }],
    ..WRITTEN
};

// The signature is the table's.
#[allow(clippy::unnecessary_wraps)]
fn write(fields: &Fields, quakes: &[Row<'_>], _: Framing, out: &mut Vec<u8>) -> Result<()> {
    out.extend_from_slice(HEADER.as_bytes());
    for &row in quakes {
        line(View::new(fields, row), out);
    }
    Ok(())
}

fn line(quake: View<'_>, out: &mut Vec<u8>) {
    let of = &quake.fields.quake;
    let id = quake.text(&of.public_id);
    let start = out.len();
    field(out, id);
    if out[start..].starts_with(b"#") {
        out[start] = b'_';
    }
    out.push(b'|');
    if let Some(time) = quake.time(&of.time) {
        let text = Time { nanos: time.nanos / 1_000 * 1_000, ..time }.to_string();
        out.extend_from_slice(text.trim_end_matches('Z').as_bytes());
    }
    for slot in [&of.latitude, &of.longitude, &of.depth] {
        out.push(b'|');
        number(out, quake.number(slot));
    }
    let author = quake.first([&of.origin_author, &of.origin_agency]);
    for text in [author, "", quake.text(&of.agency), id, quake.text(&of.magnitude_type)] {
        out.push(b'|');
        field(out, text);
    }
    out.push(b'|');
    number(out, quake.number(&of.magnitude));
    let author = quake.first([&of.magnitude_author, &of.magnitude_agency]);
    let kind = event_type(quake.text(&of.quake_type)).unwrap_or("");
    for text in [author, quake.first([&of.place_name, &of.region]), kind] {
        out.push(b'|');
        field(out, text);
    }
    out.push(b'\n');
}

fn number(out: &mut Vec<u8>, number: Option<f64>) {
    if let Some(number) = number {
        push_number(out, number);
    }
}

fn field(out: &mut Vec<u8>, text: &str) {
    let mut buffer = [0; 4];
    for character in text.chars() {
        let character = match character {
            '|' => '/',
            // Some readers take these for the end of a line.
            '\u{2028}' | '\u{2029}' => ' ',
            c if c.is_control() => ' ',
            c => c,
        };
        out.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
    }
}
