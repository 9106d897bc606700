//! The two source languages: their schemas over the XML codec, and their fields in one shape.

use crate::message::own_layout;
use bantam_formats::Codec;
use bantam_model::{Batch, Kind, Layout, List, MessageLayout, Result, Span};
use std::sync::{Arc, OnceLock};

/// Where a field lies in its rows, if the language has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct At {
    index: u32,
    word: u32,
    /// Words of an item, for lists.
    item: u32,
    /// The name of the element or attribute.
    pub(super) name: &'static str,
}

pub(super) type Field = Option<At>;

/// An element that was read.
#[derive(Clone, Copy)]
pub(super) struct Element<'r> {
    raw: &'r Batch<'r>,
    row: usize,
}

/// Text of an element, without the blanks around it.
#[derive(Clone, Copy)]
pub(super) struct Text<'r> {
    pub(super) bytes: &'r [u8],
    span: Span,
}

impl<'r> Element<'r> {
    pub(super) fn root(raw: &'r Batch<'r>) -> Option<Self> {
        raw.get(0).map(|row| Self { raw, row: row.offset() })
    }

    fn word(self, field: Field) -> Option<(At, u64)> {
        let at = field?;
        self.raw.has(self.row, at.index).then(|| (at, self.raw.words()[self.row + at.word as usize]))
    }

    /// The text of an element or attribute that is there; it may be empty.
    #[inline]
    pub(super) fn text(self, field: Field) -> Option<Text<'r>> {
        self.word(field).map(|(_, word)| self.trimmed(Span::from_word(word)))
    }

    /// The text of an element or attribute that is there and not empty.
    #[inline]
    pub(super) fn full(self, field: Field) -> Option<Text<'r>> {
        self.text(field).filter(|t| !t.bytes.is_empty())
    }

    /// The texts of a list.
    pub(super) fn texts(self, field: Field) -> impl Iterator<Item = Text<'r>> {
        let list = self.word(field).map_or_else(List::default, |(_, word)| List::from_word(word));
        (0..list.len()).map(move |i| self.trimmed(Span::from_word(self.raw.words()[list.offset() + i])))
    }

    /// The one element below it.
    #[inline]
    pub(super) fn child(self, field: Field) -> Option<Self> {
        self.word(field).map(|(_, word)| Self { raw: self.raw, row: word as usize })
    }

    /// The elements of a list.
    pub(super) fn children(self, field: Field) -> impl ExactSizeIterator<Item = Self> {
        let (list, item) = match self.word(field) {
            Some((at, word)) => (List::from_word(word), at.item as usize),
            None => (List::default(), 0),
        };
        (0..list.len()).map(move |i| Self { raw: self.raw, row: list.offset() + i * item })
    }

    #[inline]
    fn trimmed(self, span: Span) -> Text<'r> {
        let bytes = self.raw.bytes_of(span);
        let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r');
        if !bytes.first().is_some_and(blank) && !bytes.last().is_some_and(blank) {
            return Text { bytes, span };
        }
        let start = bytes.iter().position(|b| !blank(b)).unwrap_or(bytes.len());
        let len = bytes[start..].iter().rposition(|b| !blank(b)).map_or(0, |last| last + 1);
        let offset = (span.offset() + start) as u32;
        let of = if span.is_own() { Span::of_own } else { Span::of_input };
        Text { bytes: &bytes[start..start + len], span: of(offset, len as u32) }
    }
}

impl<'r> Text<'r> {
    /// Where it lies in the document, unless it had to be changed.
    pub(super) fn place(self) -> Option<usize> {
        (!self.span.is_own()).then(|| self.span.offset())
    }

    pub(super) fn str(self) -> &'r str {
        // The XML codec has checked it.
        std::str::from_utf8(self.bytes).unwrap_or("\u{fffd}")
    }
}

/// A language that quakes are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    SeisComPml,
    QuakeMl,
}

impl Language {
    /// The layout of its elements, compiled once.
    fn layout(self) -> Arc<Layout> {
        static LAYOUTS: [OnceLock<Arc<Layout>>; 2] = [const { OnceLock::new() }; 2];
        let compile = || match self {
            Self::SeisComPml => {
                own_layout("seiscompml.proto", include_str!("../../schemas/seiscompml.proto"), "seiscomp")
            }
            Self::QuakeMl => own_layout("quakeml.proto", include_str!("../../schemas/quakeml.proto"), "quakeml"),
        };
        LAYOUTS[self as usize].get_or_init(compile).clone()
    }
}

/// A language with what is needed to read it.
pub(super) struct Source {
    pub(super) language: Language,
    pub(super) layout: Arc<Layout>,
    pub(super) codec: Box<dyn Codec>,
    pub(super) root: Root,
    pub(super) parameters: Parameters,
    pub(super) catalog: Option<Catalog>,
    pub(super) event: Event,
    pub(super) description: Description,
    pub(super) origin: Origin,
    pub(super) quality: Quality,
    pub(super) uncertainty: Uncertainty,
    pub(super) ellipsoid: Ellipsoid,
    pub(super) arrival: Arrival,
    pub(super) pick: Pick,
    pub(super) waveform: Waveform,
    pub(super) amplitude: Amplitude,
    pub(super) station_magnitude: StationMagnitude,
    pub(super) magnitude: Magnitude,
    pub(super) contribution: Contribution,
    pub(super) creation: Creation,
    pub(super) quantity: Quantity,
    pub(super) time: Quantity,
}

/// Structs of fields; where the languages have other names for the same, all names are given.
macro_rules! elements {
    ($($name:ident { $($field:ident: $($text:literal)|+),* $(,)? })*) => { $(
        pub(super) struct $name { $(pub(super) $field: Field),* }

        impl $name {
            fn of(layout: &Layout, message: &MessageLayout) -> Self {
                Self { $($field: find(layout, message, &[$($text),+])),* }
            }
        }
    )* };
}

elements! {
    Root {
        version: "version", parameters: "EventParameters" | "eventParameters", inventory: "Inventory", config: "Config",
        routing: "Routing", quality_control: "QualityControl", data_availability: "DataAvailability", arclink_log: "ArclinkLog",
        journaling: "Journaling", module: "module", plugin: "plugin", binding: "binding",
    }
    Parameters {
        pick: "pick", amplitude: "amplitude", origin: "origin", event: "event", catalog: "catalog", magnitude: "magnitude",
        station_magnitude: "stationMagnitude", focal_mechanism: "focalMechanism",
    }
    Catalog { event: "event" }
    Event {
        id: "publicID", preferred_origin: "preferredOriginID", preferred_magnitude: "preferredMagnitudeID", kind: "type",
        certainty: "typeCertainty", creation: "creationInfo", description: "description", origin_reference: "originReference",
        magnitude_reference: "magnitudeReference", origin: "origin", magnitude: "magnitude",
        station_magnitude: "stationMagnitude", pick: "pick", amplitude: "amplitude", focal_mechanism: "focalMechanism",
    }
    Description { text: "text", kind: "type" }
    Origin {
        id: "publicID", time: "time", latitude: "latitude", longitude: "longitude", depth: "depth", depth_type: "depthType",
        method: "methodID", earth_model: "earthModelID", quality: "quality", uncertainty: "uncertainty" | "originUncertainty",
        mode: "evaluationMode", status: "evaluationStatus", creation: "creationInfo", arrival: "arrival",
        station_magnitude: "stationMagnitude", magnitude: "magnitude",
    }
    Quality {
        used_phases: "usedPhaseCount", used_stations: "usedStationCount", standard_error: "standardError",
        gap: "azimuthalGap", secondary_gap: "secondaryAzimuthalGap", maximum_distance: "maximumDistance",
        minimum_distance: "minimumDistance", median_distance: "medianDistance",
    }
    Uncertainty {
        horizontal: "horizontalUncertainty", minimum: "minHorizontalUncertainty", maximum: "maxHorizontalUncertainty",
        azimuth: "azimuthMaxHorizontalUncertainty", ellipsoid: "confidenceEllipsoid",
    }
    Ellipsoid {
        major: "semiMajorAxisLength", minor: "semiMinorAxisLength", intermediate: "semiIntermediateAxisLength",
        plunge: "majorAxisPlunge", azimuth: "majorAxisAzimuth", rotation: "majorAxisRotation",
    }
    Arrival {
        pick: "pickID", phase: "phase", azimuth: "azimuth", distance: "distance", residual: "timeResidual",
        used: "timeUsed", weight: "weight" | "timeWeight",
    }
    Pick { id: "publicID", time: "time", waveform: "waveformID", mode: "evaluationMode", status: "evaluationStatus" }
    Waveform { network: "networkCode", station: "stationCode", location: "locationCode", channel: "channelCode" }
    Amplitude { id: "publicID", value: "amplitude" | "genericAmplitude" }
    StationMagnitude {
        id: "publicID", value: "magnitude" | "mag", kind: "type", amplitude: "amplitudeID", waveform: "waveformID",
    }
    Magnitude {
        id: "publicID", value: "magnitude" | "mag", kind: "type", origin: "originID", method: "methodID",
        station_count: "stationCount", mode: "evaluationMode", status: "evaluationStatus", creation: "creationInfo",
        contribution: "stationMagnitudeContribution",
    }
    Contribution { station_magnitude: "stationMagnitudeID", residual: "residual", weight: "weight" }
    Creation { agency: "agencyID", author: "author", created: "creationTime", modified: "modificationTime" }
    Quantity { value: "value", uncertainty: "uncertainty" }
}

fn find(layout: &Layout, message: &MessageLayout, names: &[&'static str]) -> Field {
    let (slot, name) = names.iter().find_map(|&name| Some((message.by_name(name.as_bytes())?, name)))?;
    let item = match slot.kind {
        Kind::Message(id) => layout.message(id).stride,
        _ => 1,
    };
    Some(At { index: slot.index, word: slot.word, item, name })
}

impl Source {
    pub(super) fn new(language: Language) -> Result<Self> {
        let layout = language.layout();
        let xml = bantam_formats::find("xml").expect("the table has XML");
        let codec = (xml.engines[0].build)(&layout)?;
        let message =
            |name: &str| layout.message(layout.schema().find(name).expect("both schemas have these messages"));
        macro_rules! of {
            ($name:ident) => {
                of!($name, stringify!($name))
            };
            ($name:ident, $message:expr) => {
                $name::of(&layout, message($message))
            };
        }
        Ok(Self {
            root: Root::of(&layout, layout.root()),
            parameters: of!(Parameters, "EventParameters"),
            catalog: (language == Language::SeisComPml).then(|| of!(Catalog)),
            event: of!(Event),
            description: of!(Description),
            origin: of!(Origin),
            quality: of!(Quality),
            uncertainty: of!(Uncertainty),
            ellipsoid: of!(Ellipsoid, "ConfidenceEllipsoid"),
            arrival: of!(Arrival),
            pick: of!(Pick),
            waveform: of!(Waveform, "WaveformID"),
            amplitude: of!(Amplitude),
            station_magnitude: of!(StationMagnitude),
            magnitude: of!(Magnitude),
            contribution: of!(Contribution),
            creation: of!(Creation, "CreationInfo"),
            quantity: of!(Quantity, "Real"),
            time: of!(Quantity, "Time"),
            language,
            layout,
            codec,
        })
    }
}
