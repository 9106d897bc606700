//! What QuakeML 1.2 allows where a Quake has free text: enumerations and lengths, from QuakeML-BED-1.2.xsd.
//!
//! Where SeisComP's own converter (`sc3ml_0.12__quakeml_1.2.xsl` of SeisComP/common) has an answer for a word that QuakeML does
//! not know, it is the answer here.

/// `EventType`.
const EVENT_TYPES: &[&str] = &[
    "not existing",
    "not reported",
    "earthquake",
    "anthropogenic event",
    "collapse",
    "cavity collapse",
    "mine collapse",
    "building collapse",
    "explosion",
    "accidental explosion",
    "chemical explosion",
    "controlled explosion",
    "experimental explosion",
    "industrial explosion",
    "mining explosion",
    "quarry blast",
    "road cut",
    "blasting levee",
    "nuclear explosion",
    "induced or triggered event",
    "rock burst",
    "reservoir loading",
    "fluid injection",
    "fluid extraction",
    "crash",
    "plane crash",
    "train crash",
    "boat crash",
    "other event",
    "atmospheric event",
    "sonic boom",
    "sonic blast",
    "acoustic noise",
    "thunder",
    "avalanche",
    "snow avalanche",
    "debris avalanche",
    "hydroacoustic event",
    "ice quake",
    "slide",
    "landslide",
    "rockslide",
    "meteorite",
    "volcanic eruption",
];

/// `OriginDepthType`.
const DEPTH_TYPES: &[&str] = &[
    "from location",
    "from moment tensor inversion",
    "from modeling of broad-band P waveforms",
    "constrained by depth phases",
    "constrained by direct phases",
    "constrained by depth and direct phases",
    "operator assigned",
    "other",
];

/// The nearest event type, if there is one at all. `_` counts as a blank, as in USGS's `quarry_blast`. `null`, of QuakeML before 1.2, and `unknown` are `not reported`; what
/// QuakeML has no word for is `other event`.
pub(crate) fn event_type(text: &str) -> Option<&'static str> {
    match text {
        "" => None,
        "induced earthquake" => Some("induced or triggered event"),
        "meteor impact" => Some("meteorite"),
        "null" | "unknown" => Some("not reported"),
        _ => Some(known(EVENT_TYPES, &text.replace('_', " ")).unwrap_or("other event")),
    }
}

/// The depth's type; `other` for what QuakeML has no word for.
pub(super) fn depth_type(text: &str) -> Option<&'static str> {
    if text.is_empty() { None } else { Some(known(DEPTH_TYPES, text).unwrap_or("other")) }
}

/// `EvaluationMode`.
pub(super) fn evaluation_mode(text: &str) -> Option<&'static str> {
    known(&["manual", "automatic"], text)
}

/// `EvaluationStatus`; SeisComP's `reported` is none.
pub(super) fn evaluation_status(text: &str) -> Option<&'static str> {
    known(&["preliminary", "confirmed", "reviewed", "final", "rejected"], text)
}

/// `EventTypeCertainty`; SeisComP's `felt` and `damaging` are none.
pub(super) fn type_certainty(text: &str) -> Option<&'static str> {
    known(&["known", "suspected"], text)
}

fn known(words: &[&'static str], text: &str) -> Option<&'static str> {
    words.iter().copied().find(|&word| word == text)
}

/// The first characters of a text, as many as an element may have.
pub(super) fn cut(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end])
}
