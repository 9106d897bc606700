//! Earthquakes: SeisComPML and QuakeML in, the compact [Quake](PROTO) out, and what people of this field read from there.
//!
//! [`read`] gives the quakes of a document as a batch of the model, with typed [`Note`]s on all that was left out or assumed. The
//! formats that people of this field use are rows of [`FORMATS`], as those of the foundation are of its own table.

mod codec;
mod event_csv;
mod fdsn_text;
mod geojson;
mod message;
mod note;
mod quakeml;
mod read;
mod seiscompml;
mod time;
mod view;

pub use message::{MESSAGE, PROTO, is_quake, layout, schema};
pub use note::{Note, NoteKind, Severity};
pub use read::{Options, Reader, Reading, read};
pub use time::{Parsed, Time};

use bantam_formats::Format;

/// The formats that are for quakes alone, in the order in which listings show them.
pub const FORMATS: &[&Format] =
    &[&seiscompml::SEISCOMPML, &quakeml::QUAKEML, &fdsn_text::FDSN_TEXT, &geojson::GEOJSON, &event_csv::EVENT_CSV];

/// The format of a document, by its root element: SeisComPML or QuakeML, in any encoding that is read.
pub fn recognise(document: &[u8]) -> Option<&'static Format> {
    read::recognise(document).map(|language| match language {
        read::Language::SeisComPml => &seiscompml::SEISCOMPML,
        read::Language::QuakeMl => &quakeml::QUAKEML,
    })
}

/// Whether a format is one that [`Reader`] reads.
pub fn is_source(format: &Format) -> bool {
    format.only() == Some(MESSAGE) && format.reads()
}
