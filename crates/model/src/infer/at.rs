//! A place inside a document: `statuses`, `result.items`, `responses[0].rows`.

use crate::error::{Error, ErrorKind, Result};
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::cell::RefCell;
use std::fmt;
use std::str::FromStr;

/// Keys that an error lists.
const LISTED_KEYS: usize = 20;

/// A path from a document's top to one value in it, such as the list of its records.
///
/// Keys are parted by dots, `[3]` is a list's item, counted from 0, and `\` makes a dot, a bracket or a
/// backslash part of a key. The empty path is the document itself.
///
/// ```
/// use bantam_model::infer::At;
/// let at = At::parse(r"results[0].file\.name")?;
/// let mut document = serde_json::Deserializer::from_str(r#"{"n": 1, "results": [{"file.name": "a"}]}"#);
/// let name: String = at.read(&mut document, std::marker::PhantomData)?;
/// assert_eq!(name, "a");
/// # Ok::<(), bantam_model::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct At {
    steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Item(usize),
}

impl At {
    /// Reads a path.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] with the byte where the path goes wrong: an empty key, a `[` that no number and `]`
    /// follow.
    pub fn parse(path: &str) -> Result<Self> {
        let mut steps = Vec::new();
        let mut rest = path;
        while !rest.is_empty() {
            let at = path.len() - rest.len();
            let wrong =
                |what: &str| Err(Error::new(ErrorKind::Syntax, format!("the path `{path}`: {what}")).at_byte(at));
            if let Some(after) = rest.strip_prefix('[') {
                let item = after.split_once(']').and_then(|(item, after)| Some((item.parse().ok()?, after)));
                let Some((item, after)) = item else { return wrong("expected a position such as [3]") };
                steps.push(Step::Item(item));
                rest = after;
                continue;
            }
            if let (false, Some(after)) = (steps.is_empty(), rest.strip_prefix('.')) {
                rest = after;
            } else if !steps.is_empty() {
                return wrong("expected `.` or `[`");
            }
            let key;
            (key, rest) = take_key(rest);
            if key.is_empty() {
                return wrong("expected a key");
            }
            steps.push(Step::Key(key));
        }
        Ok(Self { steps })
    }

    /// A seed that applies another at this place and ignores the rest of the document, which still has to be
    /// well-formed.
    pub fn seek<S>(&self, seed: S) -> Seek<'_, S> {
        Seek { at: self, done: 0, seed, own: None }
    }

    /// Applies a seed at this place of a document.
    ///
    /// # Errors
    /// [`ErrorKind::Missing`] if the place is not there, with the keys that are; [`ErrorKind::Mismatch`] if there
    /// is no object or list to go into; [`ErrorKind::Ambiguous`] if a key on the way comes twice;
    /// [`ErrorKind::Syntax`] for what the deserializer says.
    pub fn read<'de, D: Deserializer<'de>, S: DeserializeSeed<'de>>(
        &self,
        deserializer: D,
        seed: S,
    ) -> Result<S::Value> {
        let own = RefCell::new(None);
        let read = Seek { at: self, done: 0, seed, own: Some(&own) }.deserialize(deserializer);
        read.map_err(|e| own.take().unwrap_or_else(|| Error::new(ErrorKind::Syntax, e.to_string())))
    }
}

/// A key up to a `.` or `[` that is not escaped, and what follows.
fn take_key(text: &str) -> (String, &str) {
    let mut key = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '.' | '[' => return (key, &text[at..]),
            '\\' => key.extend(chars.next().map(|(_, c)| c)),
            _ => key.push(c),
        }
    }
    (key, "")
}

impl FromStr for At {
    type Err = Error;

    fn from_str(path: &str) -> Result<Self> {
        Self::parse(path)
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_steps(f, &self.steps)
    }
}

fn write_steps(f: &mut dyn fmt::Write, steps: &[Step]) -> fmt::Result {
    for (at, step) in steps.iter().enumerate() {
        match step {
            Step::Item(item) => write!(f, "[{item}]")?,
            Step::Key(key) => {
                f.write_str(if at > 0 { "." } else { "" })?;
                for c in key.chars() {
                    if matches!(c, '.' | '[' | '\\') {
                        f.write_char('\\')?;
                    }
                    f.write_char(c)?;
                }
            }
        }
    }
    Ok(())
}

/// See [`At::seek`].
#[derive(Debug)]
pub struct Seek<'a, S> {
    at: &'a At,
    /// Steps taken.
    done: usize,
    seed: S,
    /// Where to put an error of ours, which the deserializer's can only carry as text.
    own: Option<&'a RefCell<Option<Error>>>,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Seek<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        if self.done == self.at.steps.len() {
            self.seed.deserialize(deserializer)
        } else {
            deserializer.deserialize_any(self)
        }
    }
}

impl<'a, S> Seek<'a, S> {
    fn fail<E: de::Error>(own: Option<&RefCell<Option<Error>>>, kind: ErrorKind, what: String) -> E {
        let passed = E::custom(&what);
        if let Some(own) = own {
            own.replace(Some(Error::new(kind, what)));
        }
        passed
    }

    /// The place reached so far, in words.
    fn here(&self) -> String {
        let mut here = String::from("the document");
        if self.done > 0 {
            here = String::from("`");
            // Writing to a string does not fail.
            let _ = write_steps(&mut here, &self.at.steps[..self.done]);
            here.push('`');
        }
        here
    }

    fn mismatch<E: de::Error>(&self, found: &str) -> E {
        let wanted = match &self.at.steps[self.done] {
            Step::Key(key) => format!("an object with the key `{key}`"),
            Step::Item(item) => format!("a list with an item [{item}]"),
        };
        Self::fail(self.own, ErrorKind::Mismatch, format!("{} is {found}, expected {wanted}", self.here()))
    }

    /// The seed for what is one step further.
    fn next(self) -> Self {
        Self { done: self.done + 1, ..self }
    }

    fn key(&self) -> Option<&'a str> {
        match &self.at.steps[self.done] {
            Step::Key(key) => Some(key),
            Step::Item(_) => None,
        }
    }
}

impl<'de, S: DeserializeSeed<'de>> Visitor<'de> for Seek<'_, S> {
    type Value = S::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the place `{}`", self.at)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<S::Value, A::Error> {
        let Some(wanted) = self.key() else { return Err(self.mismatch("an object")) };
        let (own, here) = (self.own, self.here());
        let mut keys = Keys { wanted, listed: Vec::new(), more: 0 };
        let mut seek = Some(self);
        let mut found = None;
        while let Some(is_it) = map.next_key_seed(&mut keys)? {
            match (is_it, seek.take()) {
                (true, Some(seek)) => found = Some(map.next_value_seed(seek.next())?),
                (true, None) => {
                    let what = format!("{here} has the key `{wanted}` twice");
                    return Err(Self::fail(own, ErrorKind::Ambiguous, what));
                }
                (false, left) => {
                    seek = left;
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        found.ok_or_else(|| {
            let what = format!("{here} has no key `{wanted}`; {keys}");
            Self::fail(own, ErrorKind::Missing, what)
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<S::Value, A::Error> {
        let Step::Item(wanted) = self.at.steps[self.done] else { return Err(self.mismatch("a list")) };
        let (own, here) = (self.own, self.here());
        for passed in 0..wanted {
            if seq.next_element::<IgnoredAny>()?.is_none() {
                let what = format!("{here} has no item [{wanted}]; it has {passed} items");
                return Err(Self::fail(own, ErrorKind::Missing, what));
            }
        }
        let found = seq.next_element_seed(self.next())?;
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        found.ok_or_else(|| {
            let what = format!("{here} has no item [{wanted}]; it has {wanted} items");
            Self::fail(own, ErrorKind::Missing, what)
        })
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<S::Value, E> {
        Err(self.mismatch("a bool"))
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<S::Value, E> {
        Err(self.mismatch("a number"))
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<S::Value, E> {
        Err(self.mismatch("a number"))
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<S::Value, E> {
        Err(self.mismatch("a number"))
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<S::Value, E> {
        Err(self.mismatch("text"))
    }

    fn visit_unit<E: de::Error>(self) -> Result<S::Value, E> {
        Err(self.mismatch("null"))
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Looks for a key, and remembers the others for an error.
struct Keys<'a> {
    wanted: &'a str,
    listed: Vec<String>,
    more: u64,
}

impl<'de> DeserializeSeed<'de> for &mut Keys<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for &mut Keys<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key that is text")
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<bool, E> {
        if self.listed.len() < LISTED_KEYS {
            self.listed.push(key.to_owned());
        } else {
            self.more += 1;
        }
        Ok(key == self.wanted)
    }

    fn visit_u64<E: de::Error>(self, key: u64) -> Result<bool, E> {
        self.visit_str(&key.to_string())
    }

    fn visit_i64<E: de::Error>(self, key: i64) -> Result<bool, E> {
        self.visit_str(&key.to_string())
    }
}

impl fmt::Display for Keys<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.listed.is_empty(), self.more) {
            (true, _) => f.write_str("it has none"),
            (false, 0) => write!(f, "it has: {}", self.listed.join(", ")),
            (false, more) => write!(f, "it has: {} and {more} more", self.listed.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Deserializer, Value, json};
    use std::marker::PhantomData;

    fn read(path: &str, document: &str) -> Result<Value> {
        At::parse(path)?.read(&mut Deserializer::from_str(document), PhantomData)
    }

    #[test]
    fn paths_are_read_and_written() {
        for path in ["", "a", "a.b", r"a\.b.c", "[3]", "a[0][1].b", r"a\[0]\\", "名.前", "a]b"] {
            assert_eq!(At::parse(path).unwrap().to_string(), path);
        }
        for (path, byte) in [(".a", 0), ("a.", 1), ("a..b", 1), ("a[b]", 1), ("a[1", 1), ("[0]a", 3), ("[-1]", 0)] {
            assert_eq!(At::parse(path).unwrap_err().position().byte, Some(byte), "{path}");
        }
    }

    #[test]
    fn the_value_there_is_read_and_the_rest_ignored() {
        let document = r#"{"x": [1, {"y": 2}], "a.b": {"c": [[5], [6, 7]]}, "z": null}"#;
        for (path, value) in [
            ("", serde_json::from_str(document).unwrap()),
            (r"a\.b.c[1]", json!([6, 7])),
            (r"a\.b.c[1][0]", json!(6)),
            ("x[1].y", json!(2)),
            ("z", Value::Null),
        ] {
            assert_eq!(read(path, document).unwrap(), value, "{path}");
        }
        assert!(read("x", r#"{"x": 1, "y": ?}"#).is_err(), "the rest has to be well-formed");
    }

    #[test]
    fn a_place_that_is_not_there_is_named_with_what_is() {
        use ErrorKind::{Ambiguous, Mismatch, Missing};
        let many: Vec<String> = (0..22).map(|n| format!("\"k{n}\": 0")).collect();
        let many = format!("{{{}}}", many.join(","));
        for (path, document, kind, text) in [
            ("a.c", r#"{"a": {"b": 1, "d": 2}}"#, Missing, "`a` has no key `c`; it has: b, d"),
            ("a", "{}", Missing, "the document has no key `a`; it has none"),
            ("a", &many, Missing, "k19 and 2 more"),
            ("a[2]", r#"{"a": [1, 2]}"#, Missing, "`a` has no item [2]; it has 2 items"),
            ("a[3]", r#"{"a": [1, 2]}"#, Missing, "`a` has no item [3]; it has 2 items"),
            ("a.b", r#"{"a": [1]}"#, Mismatch, "`a` is a list, expected an object with the key `b`"),
            ("[0]", r#"{"a": [1]}"#, Mismatch, "the document is an object, expected a list with an item [0]"),
            ("a.b", r#"{"a": null}"#, Mismatch, "`a` is null"),
            ("a.b", r#"{"a": 1}"#, Mismatch, "`a` is a number"),
            ("a.b", r#"{"a": "x"}"#, Mismatch, "`a` is text"),
            ("a", r#"{"a": 1, "a": 2}"#, Ambiguous, "the document has the key `a` twice"),
        ] {
            let error = read(path, document).unwrap_err();
            assert!(error.kind() == kind && error.message().contains(text), "{path}: {error:?}");
        }
    }
}
