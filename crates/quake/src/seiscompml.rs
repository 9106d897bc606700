//! SeisComPML (SC3ML, SCML), schema versions 0.3 to 0.14: what SeisComP writes. It is read; see [`crate::read`] for the rules.

use crate::codec::{QuakeCodec, WRITTEN};
use crate::message::MESSAGE;
use bantam_formats::{Engine, Format, Scope};

/// The table's row.
pub(crate) static SEISCOMPML: Format = Format {
    name: "seiscompml",
    about: "SeisComPML 0.3 to 0.14 (SC3ML, SCML) of SeisComP: earthquakes, read as quakes",
    extensions: &["scml", "sc3ml"],
    scope: Scope::Only { message: MESSAGE, reads: true, writes: false },
    engines: &[Engine { name: "bantam", adapter: false, build: |layout| QuakeCodec::build(layout, &SEISCOMPML, None) }],
    ..WRITTEN
};
