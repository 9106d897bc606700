//! QuakeML 1.0 to 1.2, BED and BED-RT: what FDSN services write. See [`crate::read`] for the rules of reading.

use crate::codec::QuakeCodec;
use crate::message::MESSAGE;
use bantam_formats::{Engine, Format, Framing, Scope};
use bantam_model::Lowerings;

/// The table's row.
pub(crate) static QUAKEML: Format = Format {
    name: "quakeml",
    about: "QuakeML 1.0 to 1.2, also real-time: earthquakes, read as quakes",
    extensions: &["qml", "quakeml"],
    framings: &[Framing::List],
    text: true,
    scope: Scope::Only { message: MESSAGE, reads: true, writes: false },
    idl: None,
    lowers: Lowerings::NONE,
    forgets: Lowerings::NONE,
    engines: &[Engine { name: "bantam", adapter: false, build: |layout| QuakeCodec::build(layout, &QUAKEML, None) }],
};
