//! What the documents promise, read from their text.

mod sums;
mod tree;

use super::{Network, write};
use std::collections::{HashMap, HashSet};
use tree::Element;

const SEEDS: [u64; 6] = [0, 1, 2, 42, 20_191_012, u64::MAX];

fn document(seed: u64, events: std::ops::Range<usize>) -> Vec<u8> {
    let mut out = Vec::new();
    write(seed, events, &mut out);
    out
}

fn parameters(seed: u64, events: std::ops::Range<usize>) -> Element {
    Element::read(&document(seed, events)).children.remove(0)
}

/// One event with its origin and the picks and amplitudes that belong to it.
fn each_event(seeds: &[u64], count: usize, mut check: impl FnMut(u64, &Network, &Element)) {
    for &seed in seeds {
        let network = Network::new(seed);
        for at in 0..count {
            check(seed, &network, &parameters(seed, at..at + 1));
        }
    }
}

/// FNV-1a with 64 bits (<http://www.isthe.com/chongo/tech/comp/fnv/>).
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &b| (sum ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn what_a_seed_gives_is_a_promise() {
    let found = [(1, 0), (1, 1), (1, 2), (1, 3), (42, 0), (42, 1_000_000)]
        .map(|(seed, number)| (seed, number, hash(&document(seed, number..number + 1))));
    assert_eq!(found, PROMISED);
}

const PROMISED: [(u64, usize, u64); 6] = [
    (1, 0, 11_779_773_880_148_658_240),
    (1, 1, 13_169_937_364_217_743_117),
    (1, 2, 16_728_682_476_323_062_000),
    (1, 3, 16_143_263_615_462_806_948),
    (42, 0, 5_711_396_809_626_234_753),
    (42, 1_000_000, 4_090_783_821_215_941_707),
];

#[test]
fn the_first_event_is_as_large_as_a_real_one() {
    for seed in SEEDS {
        let size = document(seed, 0..1).len();
        assert!((430_000..560_000).contains(&size), "seed {seed}: {size} bytes");
        let all = parameters(seed, 0..1);
        let origin = all.find("origin").unwrap();
        let counts = [
            ("picks", all.all("pick").count(), 170..=210),
            ("arrivals", origin.all("arrival").count(), 170..=210),
            ("used", origin.all("arrival").filter(|a| a.number("weight") > 0.0).count(), 30..=60),
            ("amplitudes", all.all("amplitude").count(), 180..=220),
            ("station magnitudes", origin.all("stationMagnitude").count(), 180..=220),
            ("magnitudes", origin.all("magnitude").count(), 3..=3),
            ("events", all.all("event").count(), 1..=1),
            ("descriptions", all.find("event").unwrap().all("description").count(), 2..=2),
        ];
        for (what, count, range) in counts {
            assert!(range.contains(&count), "seed {seed}: {count} {what}");
        }
        assert!((150..=250).contains(&Network::new(seed).stations.len()));
    }
}

#[test]
fn other_events_differ() {
    let mut kinds: HashMap<String, usize> = HashMap::new();
    let mut count = |what: String| *kinds.entry(what).or_default() += 1;
    each_event(&[7], 120, |_, _, all| {
        let arrivals = all.find("origin").unwrap().all("arrival").count();
        assert!((20..=60).contains(&arrivals) || (170..=210).contains(&arrivals), "{arrivals}");
        count(if arrivals < 100 { "small" } else { "typical" }.to_owned());
        count(all.text("origin/evaluationMode").to_owned());
        count(all.find("event/type").map_or("no type", |t| &t.text).to_owned());
        let bare = |p: &&Element| p.find("waveformID").unwrap().attribute("locationCode").is_none();
        if all.all("pick").filter(bare).count() > 0 {
            count("without location code".to_owned());
        }
        assert!((2010..=2025).contains(&all.text("origin/time/value")[..4].parse().unwrap()));
    });
    for (what, range) in [
        ("small", 20..60),
        ("typical", 60..100),
        ("manual", 70..110),
        ("automatic", 15..50),
        ("no type", 10..40),
        ("earthquake", 60..110),
        ("quarry blast", 1..10),
        ("without location code", 60..121),
    ] {
        let found = kinds.get(what).copied().unwrap_or(0);
        assert!(range.contains(&found), "{what}: {found} of {kinds:?}");
    }
}

#[test]
fn ranges_hold_the_same_events() {
    let [first, second, both] = [0..1, 1..2, 0..2].map(|range| parameters(3, range));
    for name in ["pick", "amplitude", "origin", "event"] {
        assert!(first.all(name).chain(second.all(name)).eq(both.all(name)), "{name}");
    }
    let order: Vec<_> = both.children.iter().map(|c| c.name.as_str()).collect();
    let place = |name: &str| ["pick", "amplitude", "origin", "event"].iter().position(|n| *n == name).unwrap();
    assert!(order.is_sorted_by_key(|name| place(name)));
    assert!(document(3, 4..4).ends_with(b"<EventParameters>\n  </EventParameters>\n</seiscomp>\n"));
}

#[test]
fn ids_are_unique_and_lead_somewhere() {
    let all = parameters(5, 0..30);
    let mut ids = HashSet::new();
    let mut add = |element: &Element| assert!(ids.insert(element.id().to_owned()), "{} twice", element.id());
    all.children.iter().for_each(&mut add);
    for origin in all.all("origin") {
        origin.children.iter().filter(|c| c.attribute("publicID").is_some()).for_each(&mut add);
    }
    let ids_of = |name| all.all(name).map(Element::id).collect::<HashSet<_>>();
    let (picks, amplitudes, origins) = (ids_of("pick"), ids_of("amplitude"), ids_of("origin"));
    for amplitude in all.all("amplitude") {
        assert!(picks.contains(amplitude.text("pickID")));
    }
    for (origin, event) in all.all("origin").zip(all.all("event")) {
        let station_magnitudes: HashSet<_> = origin.all("stationMagnitude").map(Element::id).collect();
        let arrivals = origin.all("arrival").map(|a| a.text("pickID"));
        assert!(arrivals.clone().all(|id| picks.contains(id)));
        assert_eq!(arrivals.clone().collect::<HashSet<_>>().len(), arrivals.count(), "an arrival for each pick");
        assert!(origin.all("stationMagnitude").all(|s| amplitudes.contains(s.text("amplitudeID"))));
        let parts = origin.all("magnitude").flat_map(|m| m.all("stationMagnitudeContribution"));
        let parts: HashSet<_> = parts.map(|c| c.text("stationMagnitudeID")).collect();
        assert_eq!(parts, station_magnitudes, "each counts once");
        assert_eq!(event.text("preferredOriginID"), origin.id());
        assert_eq!(event.text("originReference"), origin.id());
        assert!(origin.all("magnitude").any(|m| m.id() == event.text("preferredMagnitudeID")));
    }
    assert_eq!(origins.len(), 30);
}
