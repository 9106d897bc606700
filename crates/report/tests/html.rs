//! What holds for every page: well-formed, on its own, without a figure that is none.

mod weighings;

use bantam_report::{Options, by_name};
use bantam_weigh::Weighing;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::HashSet;
use weighings::cases;

fn page(weighing: &Weighing) -> String {
    let mut out = Vec::new();
    by_name("html").unwrap().render(weighing, &Options::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// An element: its name, its attributes with their values as they stand, and the names of those around it.
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    around: Vec<String>,
}

impl Element {
    fn of(start: &BytesStart<'_>, around: &[String]) -> Self {
        let attributes = start.attributes().map(|attribute| {
            let attribute = attribute.expect("an attribute is well-formed and not there twice");
            (attribute.key.as_ref().to_owned(), attribute.value.as_ref().to_owned())
        });
        Self { name: start.name().as_ref().to_owned(), attributes: attributes.collect(), around: around.to_vec() }
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// All elements in order; the page has to be well-formed as XML, too.
fn elements(page: &str) -> Vec<Element> {
    let mut reader = Reader::from_str(page);
    let (mut around, mut found) = (Vec::new(), Vec::new());
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Start(start) => {
                let element = Element::of(&start, &around);
                around.push(element.name.clone());
                found.push(element);
            }
            Event::Empty(start) => found.push(Element::of(&start, &around)),
            Event::End(_) => drop(around.pop()),
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(around.is_empty(), "{around:?} is not closed");
    found
}

#[test]
fn every_page_is_well_formed_and_its_ids_are_its_own() {
    for (name, weighing) in cases() {
        let elements = elements(&page(&weighing));
        let mut ids = HashSet::new();
        for id in elements.iter().filter_map(|element| element.get("id")) {
            assert!(ids.insert(id), "{name}: {id} twice");
        }
        for element in &elements {
            let fragment = element.get("href").and_then(|href| href.strip_prefix('#'));
            let referred = element.get("aria-labelledby").into_iter().flat_map(|ids| ids.split(' ')).chain(fragment);
            referred.for_each(|id| assert!(ids.contains(id), "{name}: nothing is called {id}"));
        }
    }
}

#[test]
fn nothing_is_asked_from_elsewhere() {
    for (name, weighing) in cases() {
        let page = page(&weighing);
        let text = page.replace("http://www.w3.org/2000/svg", "");
        for word in ["http://", "https://", "url(", "@import", "src="] {
            assert!(!text.contains(word), "{name}: {word}");
        }
        for element in elements(&page) {
            for (key, value) in &element.attributes {
                assert!(!key.starts_with("on") && key != "style", "{name}: {key}");
                assert!(key != "href" || value.starts_with('#') || value == "data:,", "{name}: {value}");
            }
        }
    }
}

#[test]
fn nothing_from_data_becomes_markup() {
    for (name, weighing) in cases() {
        let elements = elements(&page(&weighing));
        let count = |name: &str| elements.iter().filter(|element| element.name == name).count();
        assert_eq!((count("script"), count("style"), count("i")), (1, 1, 0), "{name}");
    }
}

#[test]
fn every_number_in_a_drawing_is_one_and_lies_in_it() {
    const NUMBERS: [&str; 12] = ["x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height", "data-v"];
    for (name, weighing) in cases() {
        for element in elements(&page(&weighing)) {
            for (key, value) in &element.attributes {
                let listed = ["points", "viewBox"].contains(&key.as_str());
                if !listed && !NUMBERS.contains(&key.as_str()) {
                    continue;
                }
                for number in value.split([' ', ',']) {
                    let number: f64 = number.parse().unwrap_or_else(|_| panic!("{name}: {key}={value}"));
                    assert!(number.is_finite(), "{name}: {key}={value}");
                    let in_drawing = element.around.iter().any(|name| name == "svg") && key != "points";
                    assert!(!in_drawing || (-1.0..5_000.0).contains(&number), "{name}: {key}={value}");
                }
            }
        }
    }
}

#[test]
fn every_chart_says_what_it_shows() {
    for (name, weighing) in cases() {
        let elements = elements(&page(&weighing));
        for (at, svg) in elements.iter().enumerate().filter(|(_, element)| element.name == "svg") {
            assert_eq!(svg.get("role"), Some("img"), "{name}");
            let [title, desc] = [&elements[at + 1], &elements[at + 2]];
            assert_eq!((title.name.as_str(), desc.name.as_str()), ("title", "desc"), "{name}");
            let named = format!("{} {}", title.get("id").unwrap(), desc.get("id").unwrap());
            assert_eq!(svg.get("aria-labelledby"), Some(named.as_str()), "{name}");
        }
    }
}

#[test]
fn headings_are_in_order_and_landmarks_there() {
    for (name, weighing) in cases() {
        let elements = elements(&page(&weighing));
        let mut last = 0;
        for element in &elements {
            let level = element.name.strip_prefix('h').and_then(|level| level.parse::<u32>().ok());
            if let Some(level) = level {
                assert!(level <= last + 1, "{name}: a heading of level {level} after one of {last}");
                assert!(level > 1 || last == 0, "{name}: two headings of level 1");
                last = level;
            }
        }
        for landmark in ["header", "nav", "main", "footer"] {
            assert_eq!(elements.iter().filter(|element| element.name == landmark).count(), 1, "{name}: {landmark}");
        }
    }
}

/// The text of the section with this id.
fn section(page: &str, id: &str) -> Option<String> {
    let start = page.find(&format!("<section id=\"{id}\""))?;
    let rest = &page[start..];
    Some(rest[..rest.find("</section>")?].to_owned())
}

#[test]
fn what_is_not_there_is_not_shown() {
    for (name, weighing) in cases() {
        let page = page(&weighing);
        let has = |id: &str| section(&page, id).is_some();
        let timed = weighing.rows.iter().any(|row| row.decode.is_some());
        assert_eq!(has("scatter"), timed, "{name}");
        assert_eq!(has("sizes"), weighing.rows.iter().any(|row| row.bytes.is_some()), "{name}");
        assert_eq!(has("fields"), weighing.rows.iter().any(|row| !row.fields.is_empty()), "{name}");
        assert_eq!(has("memory"), weighing.rows.iter().any(|row| row.memory.is_some()), "{name}");
        assert_eq!(has("each"), weighing.rows.iter().any(|row| row.each.is_some()), "{name}");
        assert_eq!(has("notes"), !weighing.notes.is_empty(), "{name}");
        assert!(["answers", "measured", "environment"].into_iter().all(has), "{name}");
        assert_eq!(page.contains("This is a debug build"), name == "lanes");
    }
}

#[test]
fn bars_start_at_zero_and_are_as_long_as_their_bytes() {
    let (_, weighing) = cases().into_iter().find(|(name, _)| *name == "dns").unwrap();
    let sizes = section(&page(&weighing), "sizes").unwrap();
    let chart = &sizes[..sizes.find("</svg>").unwrap()];
    let widths: Vec<f64> = chart
        .split("<rect class=\"f\"")
        .skip(1)
        .map(|rest| rest.split("width=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap())
        .collect();
    let longest = widths.iter().copied().fold(0.0, f64::max);
    let mut expected: Vec<f64> = weighing.rows.iter().filter_map(|row| row.bytes).map(|b| b as f64).collect();
    let largest = expected.iter().copied().fold(0.0, f64::max);
    for bytes in &mut expected {
        *bytes *= longest / largest;
    }
    expected.sort_by(f64::total_cmp);
    let mut widths = widths;
    widths.sort_by(f64::total_cmp);
    assert_eq!(widths.len(), expected.len());
    assert!(widths.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 0.1), "{widths:?} {expected:?}");
}

#[test]
fn a_logarithmic_axis_says_so() {
    let (_, weighing) = cases().into_iter().find(|(name, _)| *name == "dns").unwrap();
    let page = page(&weighing);
    assert!(section(&page, "times").unwrap().contains(", logarithmic →"));
    assert!(section(&page, "scatter").unwrap().contains("↑ time to read, for each record, logarithmic"));
    let links = section(&page, "links").unwrap();
    assert!(links.contains("↑ total time, logarithmic") && links.contains("speed of the link, logarithmic →"));
    assert!(!section(&page, "sizes").unwrap().contains("logarithmic"));
}
