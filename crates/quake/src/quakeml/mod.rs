//! QuakeML 1.0 to 1.2, BED and BED-RT: what FDSN services write. See [`crate::read`] for the rules of reading.
//!
//! Written is QuakeML 1.2 BED, <https://quake.ethz.ch/quakeml/docs/REC?action=AttachFile&do=get&target=QuakeML-BED-20130214b.pdf>,
//! valid by its XML Schema (QuakeML-1.2.xsd with QuakeML-BED-1.2.xsd). Depth, its uncertainty and horizontal uncertainties are metres, with the
//! digits that the kilometres have.
//!
//! # How a Quake is spelled
//! - Identifiers are kept where QuakeML allows them. Else they are made so: `smi:local/`, then the identifier with `_` for each character
//!   that is not allowed. Objects without one (picks, arrivals, amplitudes, station magnitudes, magnitudes but the preferred
//!   one) get one below the event's. Each is there once: a second object of the same identifier gets a number behind it.
//! - The preferred magnitude is the one of the Quake's magnitudes that has the same value, uncertainty, type and station count. If none
//!   has, it is of another origin, and so it is written with an `originID` that is not in the document.
//! - `place_name` and `region` are descriptions of the types `earthquake name` and `region name`.
//! - `modification_time` has no element in QuakeML. SeisComP's converter writes SeisComP's own at the end of `creationInfo`,
//!   where the schema allows foreign elements, and so it is here, on the event, unless it is the creation time.
//! - What the schema requires by attribute (`networkCode`, `stationCode`) is empty where it is absent. Elements that the data model requires
//!   (such as an origin's time) are left out where the Quake does not have them, which the XML Schema allows and its RELAX NG does not.
//! - A phase without any part of a pick, and a station magnitude of which only the contribution is known, name an
//!   object that is not in the document.
//!
//! # What is changed
//! - Identifiers, methods and earth models that are no resource identifiers, as above; absent identifiers become generated ones.
//! - Event types that QuakeML does not have become the nearest one or `other event`, such depth types `other`.
//! - The weight of an unused phase or station magnitude is 0 if it was above 0 or absent: there is no other mark for unused.
//! - Text beyond the schema's lengths is cut: agencies 64 characters, authors 128, magnitude types 32, codes 8.
//!   Characters that XML cannot hold become U+FFFD, and readers take away blanks round a text.
//! - A Quake that has magnitudes but prefers none is read with one of them preferred; one that has a creation time, with
//!   a modification time that is at least that.
//!
//! # What is left out
//! - Evaluation modes and statuses that QuakeML does not have, such as SeisComP's `reported`, and the certainties
//!   `felt` and `damaging`: as SeisComP's converter does.
//! - Numbers that are not finite, and times outside of the years 1 to 9999.

mod element;
mod event;
mod identifier;
pub(crate) mod vocabulary;

use crate::codec::{QuakeCodec, WRITTEN};
use crate::message::{Fields, MESSAGE};
use crate::view::View;
use bantam_formats::{Engine, Format, Framing, Scope};
use bantam_model::{Result, Row};
use element::Elements;
use identifier::Identifiers;

/// The table's row.
pub(crate) static QUAKEML: Format = Format {
    name: "quakeml",
    about: "QuakeML: earthquakes; 1.0 to 1.2, also real-time, is read, 1.2 written",
    extensions: &["qml", "quakeml"],
    scope: Scope::Only { message: MESSAGE, reads: true, writes: true },
    engines: &[Engine {
        name: "bantam",
        adapter: false,
        build: |layout| QuakeCodec::build(layout, &QUAKEML, Some(write)),
    }],
    ..WRITTEN
};

// The signature is the table's.
#[allow(clippy::unnecessary_wraps)]
fn write(fields: &Fields, quakes: &[Row<'_>], _: Framing, out: &mut Vec<u8>) -> Result<()> {
    let quakes = || quakes.iter().map(|&row| View::new(fields, row));
    let of = &fields.quake;
    let mut ids = Identifiers::of(quakes().flat_map(|quake| {
        [&of.public_id, &of.preferred_origin_id, &of.preferred_magnitude_id].map(|slot| quake.text(slot))
    }));
    let parameters = ids.generate("smi:local/eventParameters".to_owned());
    out.extend_from_slice(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let namespaces =
        [("xmlns:q", "http://quakeml.org/xmlns/quakeml/1.2"), ("xmlns", "http://quakeml.org/xmlns/bed/1.2")];
    Elements::new(out, 0).element("q:quakeml", &namespaces, |to| {
        to.element("eventParameters", &[("publicID", &parameters)], |to| {
            for (at, quake) in quakes().enumerate() {
                event::write(quake, at + 1, &mut ids, to);
            }
        });
    });
    Ok(())
}
