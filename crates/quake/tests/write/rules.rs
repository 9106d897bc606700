//! The rules of QuakeML 1.2 BED, as its schema (QuakeML-BED-1.2.xsd) states them, for the elements that are written: which element
//! lies where and how often, what it holds, required attributes, lengths, enumerations, resource identifiers; and beyond the
//! schema, as its manual has it, that no two objects have one `publicID`, and that references inside of an event are found.

use bantam_quake::Time;
use quick_xml::events::{BytesStart, Event};
use std::collections::{BTreeMap, HashSet};

/// An element of a document.
#[derive(Debug, Default)]
pub(crate) struct Node {
    /// The name as it is written, with its prefix.
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
    pub(crate) children: Vec<Node>,
    pub(crate) text: String,
}

impl Node {
    pub(crate) fn named<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'n Node> {
        self.children.iter().filter(move |child| child.name == name)
    }

    fn all<'n>(&'n self, found: &mut Vec<&'n Node>) {
        found.push(self);
        self.children.iter().for_each(|child| child.all(found));
    }
}

/// Reads a document, which has to be well-formed.
pub(crate) fn parse(document: &str) -> Node {
    let mut reader = quick_xml::Reader::from_str(document);
    let mut open = vec![Node::default()];
    loop {
        match reader.read_event().expect("well-formed XML") {
            Event::Start(start) => open.push(node(&start)),
            Event::Empty(start) => open.last_mut().expect("a root").children.push(node(&start)),
            Event::End(_) => {
                let done = open.pop().expect("an element");
                open.last_mut().expect("a root").children.push(done);
            }
            Event::Text(text) => open.last_mut().expect("a root").text += &text,
            Event::GeneralRef(name) => {
                let text = quick_xml::escape::unescape(&format!("&{};", &*name)).expect("an entity").into_owned();
                open.last_mut().expect("a root").text += &text;
            }
            Event::Eof => return open.pop().expect("a root"),
            _ => {}
        }
    }
}

fn node(start: &BytesStart<'_>) -> Node {
    let attributes = start.attributes().map(|a| {
        let a = a.expect("an attribute");
        let value = quick_xml::escape::unescape(&a.value).expect("a value").into_owned();
        (a.key.as_ref().to_owned(), value)
    });
    Node { name: start.name().as_ref().to_owned(), attributes: attributes.collect(), ..Node::default() }
}

/// What an element or attribute holds.
#[derive(Clone, Copy)]
enum Holds {
    /// Elements, by a rule's name.
    Elements(&'static str),
    Double,
    Integer,
    DateTime,
    Resource,
    /// Text of so many characters at most.
    Text(usize),
    Words(&'static [&'static str]),
}

use Holds::{DateTime, Double, Elements, Integer, Resource, Text, Words};

const MODES: Holds = Words(&["manual", "automatic"]);
const STATUSES: Holds = Words(&["preliminary", "confirmed", "reviewed", "final", "rejected"]);
const REAL: Holds = Elements("RealQuantity");
const CREATION: Holds = Elements("CreationInfo");
const FREE: Holds = Text(usize::MAX);

/// What lies in an element: `*` behind a name for any number, `!` for exactly one, else one or none; attributes after `@`.
type Rule = (&'static str, &'static [(&'static str, Holds)]);

const RULES: &[Rule] = &[
    ("EventParameters", &[("@publicID!", Resource), ("event*", Elements("Event"))]),
    (
        "Event",
        &[
            ("@publicID!", Resource),
            ("preferredOriginID", Resource),
            ("preferredMagnitudeID", Resource),
            ("type", Words(EVENT_TYPES)),
            ("typeCertainty", Words(&["known", "suspected"])),
            ("description*", Elements("Description")),
            ("creationInfo", CREATION),
            ("origin*", Elements("Origin")),
            ("magnitude*", Elements("Magnitude")),
            ("stationMagnitude*", Elements("StationMagnitude")),
            ("amplitude*", Elements("Amplitude")),
            ("pick*", Elements("Pick")),
        ],
    ),
    ("Description", &[("text!", FREE), ("type", Words(&["earthquake name", "region name"]))]),
    ("CreationInfo", &[("agencyID", Text(64)), ("author", Text(128)), ("creationTime", DateTime)]),
    (
        "Origin",
        &[
            ("@publicID!", Resource),
            ("time", Elements("TimeQuantity")),
            ("latitude", REAL),
            ("longitude", REAL),
            ("depth", REAL),
            ("depthType", Words(DEPTH_TYPES)),
            ("methodID", Resource),
            ("earthModelID", Resource),
            ("quality", Elements("OriginQuality")),
            ("originUncertainty", Elements("OriginUncertainty")),
            ("evaluationMode", MODES),
            ("evaluationStatus", STATUSES),
            ("creationInfo", CREATION),
            ("arrival*", Elements("Arrival")),
        ],
    ),
    (
        "OriginQuality",
        &[
            ("usedPhaseCount", Integer),
            ("usedStationCount", Integer),
            ("standardError", Double),
            ("azimuthalGap", Double),
            ("secondaryAzimuthalGap", Double),
            ("minimumDistance", Double),
            ("medianDistance", Double),
            ("maximumDistance", Double),
        ],
    ),
    (
        "OriginUncertainty",
        &[
            ("horizontalUncertainty", Double),
            ("minHorizontalUncertainty", Double),
            ("maxHorizontalUncertainty", Double),
            ("azimuthMaxHorizontalUncertainty", Double),
            ("confidenceEllipsoid", Elements("ConfidenceEllipsoid")),
        ],
    ),
    (
        "ConfidenceEllipsoid",
        &[
            ("semiMajorAxisLength", Double),
            ("semiMinorAxisLength", Double),
            ("semiIntermediateAxisLength", Double),
            ("majorAxisPlunge", Double),
            ("majorAxisAzimuth", Double),
            ("majorAxisRotation", Double),
        ],
    ),
    (
        "Arrival",
        &[
            ("@publicID!", Resource),
            ("pickID!", Resource),
            ("phase!", FREE),
            ("azimuth", Double),
            ("distance", Double),
            ("timeResidual", Double),
            ("timeWeight", Double),
        ],
    ),
    (
        "Pick",
        &[
            ("@publicID!", Resource),
            ("time", Elements("TimeQuantity")),
            ("waveformID!", Elements("WaveformStreamID")),
            ("evaluationMode", MODES),
            ("evaluationStatus", STATUSES),
        ],
    ),
    (
        "WaveformStreamID",
        &[
            ("@networkCode!", Text(8)),
            ("@stationCode!", Text(8)),
            ("@locationCode", Text(8)),
            ("@channelCode", Text(8)),
        ],
    ),
    (
        "Magnitude",
        &[
            ("@publicID!", Resource),
            ("stationMagnitudeContribution*", Elements("Contribution")),
            ("mag", REAL),
            ("type", Text(32)),
            ("originID", Resource),
            ("methodID", Resource),
            ("stationCount", Integer),
            ("creationInfo", CREATION),
        ],
    ),
    ("Contribution", &[("stationMagnitudeID!", Resource), ("residual", Double), ("weight", Double)]),
    (
        "StationMagnitude",
        &[
            ("@publicID!", Resource),
            ("originID!", Resource),
            ("mag", REAL),
            ("type", Text(32)),
            ("amplitudeID", Resource),
            ("waveformID", Elements("WaveformStreamID")),
        ],
    ),
    ("Amplitude", &[("@publicID!", Resource), ("genericAmplitude!", REAL)]),
    ("RealQuantity", &[("value", Double), ("uncertainty", Double)]),
    ("TimeQuantity", &[("value", DateTime), ("uncertainty", Double)]),
];

#[rustfmt::skip]
const EVENT_TYPES: &[&str] = &[
    "not existing", "not reported", "earthquake", "anthropogenic event", "collapse", "cavity collapse", "mine collapse",
    "building collapse", "explosion", "accidental explosion", "chemical explosion", "controlled explosion",
    "experimental explosion", "industrial explosion", "mining explosion", "quarry blast", "road cut", "blasting levee",
    "nuclear explosion", "induced or triggered event", "rock burst", "reservoir loading", "fluid injection", "fluid extraction",
    "crash", "plane crash", "train crash", "boat crash", "other event", "atmospheric event", "sonic boom", "sonic blast",
    "acoustic noise", "thunder", "avalanche", "snow avalanche", "debris avalanche", "hydroacoustic event", "ice quake", "slide",
    "landslide", "rockslide", "meteorite", "volcanic eruption",
];

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

/// Whether a document keeps the rules; else what is wrong with it.
pub(crate) fn broken(document: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let root = parse(document);
    let names: Vec<_> = root.children.iter().map(|child| child.name.as_str()).collect();
    if names != ["q:quakeml"] {
        return vec![format!("the root is {names:?}")];
    }
    let quakeml = &root.children[0];
    if quakeml.attributes.get("xmlns:q").map(String::as_str) != Some("http://quakeml.org/xmlns/quakeml/1.2")
        || quakeml.attributes.get("xmlns").map(String::as_str) != Some("http://quakeml.org/xmlns/bed/1.2")
    {
        wrong.push(format!("namespaces: {:?}", quakeml.attributes));
    }
    for parameters in &quakeml.children {
        if parameters.name != "eventParameters" {
            wrong.push(format!("{} in quakeml", parameters.name));
        }
        elements(parameters, "EventParameters", &mut wrong);
        references(parameters, &mut wrong);
    }
    wrong
}

fn elements(node: &Node, rule: &str, wrong: &mut Vec<String>) {
    let (_, rules) = RULES.iter().find(|(name, _)| *name == rule).expect("a rule");
    let mut known: HashSet<String> = HashSet::new();
    for &(name, holds) in *rules {
        let plain = name.trim_end_matches(['*', '!']);
        known.insert(plain.to_owned());
        let found: Vec<(&str, Option<&Node>)> = match plain.strip_prefix('@') {
            Some(name) => node.attributes.get(name).map(|value| (value.as_str(), None)).into_iter().collect(),
            None => node.named(plain).map(|child| (child.text.as_str(), Some(child))).collect(),
        };
        let fits = match name.chars().last() {
            Some('*') => true,
            Some('!') => found.len() == 1,
            _ => found.len() <= 1,
        };
        if !fits {
            wrong.push(format!("{} {plain} in {}", found.len(), node.name));
        }
        for (text, child) in found {
            match (holds, child) {
                (Elements(rule), Some(child)) => elements(child, rule, wrong),
                _ if !value(text, holds) => wrong.push(format!("{plain} in {}: `{text}`", node.name)),
                _ => {}
            }
        }
    }
    let attributes = node.attributes.keys().map(|name| format!("@{name}"));
    // Elements of other namespaces may come, at the end.
    let foreign = node.children.iter().position(|c| c.name.contains(':')).unwrap_or(node.children.len());
    let own = node.children[..foreign].iter().map(|child| child.name.clone());
    wrong.extend(attributes.chain(own).filter(|n| !known.contains(n)).map(|n| format!("{n} in {}", node.name)));
    if node.children[foreign..].iter().any(|child| !child.name.contains(':')) {
        wrong.push(format!("a foreign element is not at the end of {}", node.name));
    }
}

fn value(text: &str, holds: Holds) -> bool {
    match holds {
        Elements(_) => false,
        // As XML Schema, part 2, section 3.2.5, less the blanks.
        Double => text.parse::<f64>().is_ok_and(f64::is_finite),
        Integer => text.parse::<i64>().is_ok(),
        DateTime => {
            let fits = text.len() >= 20 && text.ends_with('Z') && text.as_bytes()[10] == b'T';
            fits && Time::parse(text).is_some_and(|parsed| !parsed.cut && !parsed.leap_second)
        }
        Text(most) => text.chars().count() <= most,
        Words(words) => words.contains(&text),
        Resource => resource(text),
    }
}

/// `(smi|quakeml):[\w\d][\w\d\-\.\*\(\)_~']{2,}/[\w\d\-\.\*\(\)_~'][\w\d\-\.\*\(\)\+\?_~'=,;#/&]*`, and a URI at that: one `#` at most.
fn resource(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let Some((authority, path)) = rest.split_once('/') else { return false };
    let plain = |c: char| c.is_alphanumeric();
    let first = |c: char| plain(c) || "-.*()_~'".contains(c);
    let later = |c: char| first(c) || "+?=,;#/&".contains(c);
    ["smi", "quakeml"].contains(&scheme)
        && authority.starts_with(plain)
        && authority.chars().all(first)
        && authority.chars().count() >= 3
        && path.starts_with(first)
        && path.chars().all(later)
        && path.matches('#').count() <= 1
}

/// No `publicID` twice; what an event names as preferred, and amplitudes, are there.
fn references(parameters: &Node, wrong: &mut Vec<String>) {
    let mut all = Vec::new();
    parameters.all(&mut all);
    let mut ids = HashSet::new();
    for id in all.iter().filter_map(|node| node.attributes.get("publicID")) {
        if !ids.insert(id) {
            wrong.push(format!("{id} is there twice"));
        }
    }
    for node in all {
        if ["preferredOriginID", "preferredMagnitudeID", "amplitudeID"].contains(&node.name.as_str())
            && !ids.contains(&node.text)
        {
            wrong.push(format!("{} {} is not there", node.name, node.text));
        }
    }
}

#[test]
fn broken_rules_are_found() {
    let head = "<q:quakeml xmlns:q=\"http://quakeml.org/xmlns/quakeml/1.2\" xmlns=\"http://quakeml.org/xmlns/bed/1.2\">\
                <eventParameters publicID=\"smi:local/p\"><event publicID=\"smi:local/e\">";
    for (inside, due) in [
        ("", None),
        ("<type>earthquake</type>", None),
        ("<type>earth</type>", Some("type in event: `earth`")),
        ("<type>earthquake</type><type>earthquake</type>", Some("2 type in event")),
        ("<preferredOriginID>smi:local/o</preferredOriginID>", Some("preferredOriginID smi:local/o is not there")),
        ("<origin publicID=\"smi:local/e\"/>", Some("smi:local/e is there twice")),
        ("<origin publicID=\"a b\"/>", Some("@publicID in origin: `a b`")),
        ("<amplitude publicID=\"smi:local/a\"/>", Some("0 genericAmplitude in amplitude")),
        ("<origin publicID=\"smi:local/o\"><depth><value>NaN</value></depth></origin>", Some("value in depth: `NaN`")),
        ("<depth/>", Some("depth in event")),
        ("<x:y/><type>earthquake</type>", Some("a foreign element is not at the end of event")),
    ] {
        let found = broken(&format!("{head}{inside}</event></eventParameters></q:quakeml>"));
        assert_eq!(found.first().map(String::as_str), due, "{inside}");
    }
}
