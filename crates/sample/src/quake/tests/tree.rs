//! A document as a tree of elements, read by a library that had no part in writing it.

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

/// An element.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<Element>,
    pub(super) text: String,
}

impl Element {
    /// The root of a document, which has to be well-formed.
    pub(super) fn read(document: &[u8]) -> Self {
        let mut reader = Reader::from_str(std::str::from_utf8(document).unwrap());
        let mut open = vec![Self::default()];
        loop {
            match reader.read_event().unwrap() {
                Event::Start(start) => open.push(Self::start(&start)),
                Event::Empty(start) => open.last_mut().unwrap().children.push(Self::start(&start)),
                Event::End(_) => {
                    let done = open.pop().unwrap();
                    open.last_mut().unwrap().children.push(done);
                }
                Event::Text(text) => open.last_mut().unwrap().text += &text,
                Event::GeneralRef(name) => {
                    open.last_mut().unwrap().text += &unescape(&format!("&{};", &*name)).unwrap();
                }
                Event::Eof => break,
                Event::Decl(_) => {}
                other => panic!("{other:?}"),
            }
        }
        assert_eq!((open.len(), open[0].children.len()), (1, 1));
        open.remove(0).children.remove(0)
    }

    fn start(start: &BytesStart<'_>) -> Self {
        let attributes = start.attributes().map(|a| {
            let a = a.unwrap();
            (a.key.as_ref().to_owned(), unescape(&a.value).unwrap().into_owned())
        });
        Self { name: start.name().as_ref().to_owned(), attributes: attributes.collect(), ..Self::default() }
    }

    /// The children of a name.
    pub(super) fn all<'e, 'n>(&'e self, name: &'n str) -> impl Iterator<Item = &'e Self> + Clone + use<'e, 'n> {
        self.children.iter().filter(move |c| c.name == name)
    }

    /// What a path of names leads to; the names on it occur once.
    pub(super) fn find(&self, path: &str) -> Option<&Self> {
        path.split('/').try_fold(self, |at, name| {
            assert!(at.all(name).count() <= 1, "{name} in {}", at.name);
            at.all(name).next()
        })
    }

    #[track_caller]
    pub(super) fn text(&self, path: &str) -> &str {
        &self.find(path).unwrap_or_else(|| panic!("no {path} in {}", self.name)).text
    }

    #[track_caller]
    pub(super) fn number(&self, path: &str) -> f64 {
        self.text(path).parse().unwrap()
    }

    /// The day of a time, from 1970, and its microseconds of the day.
    #[track_caller]
    pub(super) fn time(&self, path: &str) -> (i64, i64) {
        let text = self.text(path);
        let part = |from: usize, to: usize| text[from..to].parse::<i64>().unwrap();
        let fraction = text[20..].strip_suffix('Z').unwrap();
        let micros: i64 = format!("{fraction:0<6}").parse().unwrap();
        // The days of the years and months before, counted one by one.
        let leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let year = part(0, 4);
        let lengths = [31, 28 + i64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let years: i64 = (1970..year).map(|y| 365 + i64::from(leap(y))).sum();
        let days = years + lengths[..part(5, 7) as usize - 1].iter().sum::<i64>() + part(8, 10) - 1;
        (days, ((part(11, 13) * 60 + part(14, 16)) * 60 + part(17, 19)) * 1_000_000 + micros)
    }

    pub(super) fn id(&self) -> &str {
        self.attribute("publicID").unwrap()
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|a| a.0 == name).map(|a| a.1.as_str())
    }
}

/// Seconds from one time to another.
pub(super) fn seconds((day, micros): (i64, i64), (to_day, to_micros): (i64, i64)) -> f64 {
    ((to_day - day) * 86_400_000_000 + to_micros - micros) as f64 / 1e6
}
