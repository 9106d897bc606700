//! YAML without a schema, for those that look for one: the parser's events as a serde deserializer.
//!
//! The typed reader's library decides by itself what a plain scalar is, and takes `007` for a number and `yes` for a
//! bool. Here a plain scalar is what the [core schema](super::scalar) says, and any other is text. Nothing is kept
//! of a document but the nodes that have an anchor.

use super::scalar::{self, Scalar};
use super::{ALIAS_EVENTS, byte_order_mark, documents, most_levels};
use bantam_model::{Error, ErrorKind, Limits, Result};
use base64::Engine as _;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_saphyr::granit_parser::{self, Event, Parser, ScalarStyle, StrInput, Tag};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Reads each document of a stream by itself; `read` also gets whether it is the only one.
///
/// # Errors
/// What `read` gives, with its place in the input; [`ErrorKind::Syntax`] where the input is no YAML, and
/// [`ErrorKind::Limit`] where it nests too deep, or its aliases repeat too much.
pub fn untyped<'a>(
    input: &'a [u8],
    limits: &Limits,
    mut read: impl FnMut(&mut Untyped<'a>, bool) -> Result<()>,
) -> Result<()> {
    let start = byte_order_mark(input);
    let text = std::str::from_utf8(&input[start..]).map_err(|error| {
        Error::new(ErrorKind::Text, "the text is not UTF-8").at_byte(start + error.valid_up_to()).with_lines(input)
    })?;
    let parts: Vec<_> = documents(input).collect();
    for at in &parts {
        let mut document = Untyped::new(&text[at.start - start..at.end - start], limits);
        let done = document.start().and_then(|()| read(&mut document, parts.len() == 1)).and_then(|()| document.end());
        done.map_err(|error| {
            // A consumer hands on what it was told as text of its own.
            let (record, byte) = (error.position().record, document.at);
            let own = document.fault.take().unwrap_or(error);
            let placed = own.at_byte(byte);
            let placed = if let Some(record) = record { placed.in_record(record as usize) } else { placed };
            placed.shifted(at.start, input).with_lines(input)
        })?;
    }
    Ok(())
}

/// One document; the deserializer is `&mut Untyped`.
pub struct Untyped<'de> {
    parser: Parser<'de, StrInput<'de>>,
    /// Where the last node starts.
    at: usize,
    /// A node that was looked at, but not taken.
    ahead: Option<Node<'de>>,
    depth: usize,
    most_levels: usize,
    /// Nodes that have an anchor, with all below them, one after another.
    kept: Vec<Node<'de>>,
    /// Where in `kept` an anchor's node lies.
    anchors: HashMap<usize, Range<usize>>,
    /// Anchors of lists and maps that have not ended, where they start, and how many ends they wait for.
    open: Vec<(usize, usize, usize)>,
    /// Whether there may be aliases: else nothing need be kept.
    has_aliases: bool,
    /// Whether there may be merge keys: else no map need remember its keys.
    has_merges: bool,
    /// What aliases repeat at the moment, the innermost last.
    repeats: Vec<Repeat<'de>>,
    /// Nodes that aliases have repeated.
    repeated: usize,
    /// The first error.
    fault: Option<Error>,
}

/// Nodes that come before the parser's next one.
enum Repeat<'de> {
    /// A range of those that have an anchor.
    Kept(Range<usize>),
    /// The entries of a merged map.
    Own(std::vec::IntoIter<Node<'de>>),
}

#[derive(Debug, Clone)]
enum Node<'de> {
    /// Text that stands for itself.
    Text(Cow<'de, str>),
    /// Text that the core schema resolves.
    Plain(Cow<'de, str>),
    Base64(Cow<'de, str>),
    List,
    Map,
    /// The end of a list or map.
    End,
    Alias(usize),
}

impl<'de> Untyped<'de> {
    fn new(text: &'de str, limits: &Limits) -> Self {
        let most_levels = most_levels(limits);
        let options = granit_parser::options! {
            // The specification allows keys of 1,024 characters; keys of maps are data here.
            simple_key_max_lookahead: usize::MAX,
            flow_nesting_limit: most_levels + 1,
            block_nesting_limit: most_levels + 1,
            emit_comments: false,
        };
        Self {
            parser: Parser::new_from_str_with_options(text, options),
            at: 0,
            ahead: None,
            depth: 0,
            most_levels,
            kept: Vec::new(),
            anchors: HashMap::new(),
            open: Vec::new(),
            has_aliases: memchr::memchr(b'*', text.as_bytes()).is_some(),
            has_merges: memchr::memmem::find(text.as_bytes(), b"<<").is_some(),
            repeats: Vec::new(),
            repeated: 0,
            fault: None,
        }
    }

    /// Keeps an error, whatever the consumer makes of it, and gives it back.
    #[cold]
    fn fail(&mut self, kind: ErrorKind, what: impl Into<String>) -> Error {
        let error = Error::new(kind, what).at_byte(self.at);
        self.fault.get_or_insert(error).clone()
    }

    fn event(&mut self) -> Result<Event<'de>> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => {
                self.at = span.start.byte_offset().unwrap_or(self.at);
                Ok(event)
            }
            Some(Err(error)) => {
                self.at = error.marker().byte_offset().unwrap_or(self.at);
                let kind = match error.kind() {
                    granit_parser::ErrorKind::RecursionLimitExceeded => ErrorKind::Limit,
                    _ => ErrorKind::Syntax,
                };
                Err(self.fail(kind, error.info()))
            }
            None => Err(self.fail(ErrorKind::Truncated, "the document ends too early")),
        }
    }

    /// Goes to the content.
    fn start(&mut self) -> Result<()> {
        while !matches!(self.event()?, Event::DocumentStart(..)) {}
        Ok(())
    }

    /// Checks that nothing is left.
    fn end(&mut self) -> Result<()> {
        if self.ahead.is_some()
            || !matches!(self.event()?, Event::DocumentEnd)
            || !matches!(self.event()?, Event::StreamEnd)
        {
            return Err(self.fail(ErrorKind::Syntax, "expected the end of the document"));
        }
        Ok(())
    }

    /// The next node, from an alias that is being repeated or from the parser.
    fn next(&mut self) -> Result<Node<'de>> {
        if let Some(node) = self.ahead.take() {
            return Ok(node);
        }
        loop {
            let repeated = match self.repeats.last_mut() {
                Some(Repeat::Kept(range)) => range.next().map(|at| self.kept[at].clone()),
                Some(Repeat::Own(nodes)) => nodes.next(),
                None => Some(self.parsed()?),
            };
            let Some(node) = repeated else {
                self.repeats.pop();
                continue;
            };
            self.repeated += usize::from(!self.repeats.is_empty());
            if self.repeated > ALIAS_EVENTS {
                return Err(self.fail(ErrorKind::Limit, format!("aliases repeat more than {ALIAS_EVENTS} values")));
            }
            match node {
                Node::Alias(anchor) => {
                    let range = self.anchored(anchor)?;
                    self.repeats.push(Repeat::Kept(range));
                }
                node => return Ok(node),
            }
        }
    }

    fn anchored(&mut self, anchor: usize) -> Result<Range<usize>> {
        match self.anchors.get(&anchor) {
            Some(range) => Ok(range.clone()),
            None => Err(self.fail(ErrorKind::Unsupported, "an alias inside the very value that it stands for")),
        }
    }

    /// The parser's next node, kept if it has an anchor or is below one that has.
    fn parsed(&mut self) -> Result<Node<'de>> {
        let (node, anchor) = match self.event()? {
            Event::Scalar(text, style, anchor, tag) => (scalar_node(text, style, tag.as_deref()), anchor),
            Event::SequenceStart(_, anchor, _) => (Node::List, anchor),
            Event::MappingStart(_, anchor, _) => (Node::Map, anchor),
            Event::SequenceEnd | Event::MappingEnd => (Node::End, 0),
            Event::Alias(anchor) => (Node::Alias(anchor), 0),
            _ => return Err(self.fail(ErrorKind::Syntax, "expected a value")),
        };
        if !self.has_aliases || anchor == 0 && self.open.is_empty() {
            return Ok(node);
        }
        let at = self.kept.len();
        self.kept.push(node.clone());
        match node {
            Node::List | Node::Map => {
                if let Some((.., ends)) = self.open.last_mut() {
                    *ends += usize::from(anchor == 0);
                }
                if anchor != 0 {
                    self.open.push((anchor, at, 1));
                }
            }
            Node::End => {
                if let Some((anchor, start, ends)) = self.open.last_mut() {
                    *ends -= 1;
                    if *ends == 0 {
                        self.anchors.insert(*anchor, *start..at + 1);
                        self.open.pop();
                    }
                }
            }
            _ if anchor != 0 => drop(self.anchors.insert(anchor, at..at + 1)),
            _ => {}
        }
        Ok(node)
    }

    fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > self.most_levels {
            return Err(self.fail(ErrorKind::Limit, format!("values nest deeper than {} levels", self.most_levels)));
        }
        Ok(())
    }

    /// Takes the rest of a node whose first part was taken, and keeps it if there is a place for it.
    fn rest(&mut self, first: &Node<'de>, mut into: Option<&mut Vec<Node<'de>>>) -> Result<()> {
        let mut ends = usize::from(matches!(first, Node::List | Node::Map));
        while ends > 0 {
            let node = self.next()?;
            match node {
                Node::List | Node::Map => ends += 1,
                Node::End => ends -= 1,
                _ => {}
            }
            if let Some(into) = &mut into {
                into.push(node);
            }
        }
        Ok(())
    }

    /// The maps that a merge key names: the entries of each, with the end of the map.
    fn merged(&mut self) -> Result<Vec<Vec<Node<'de>>>> {
        let mut maps = Vec::new();
        let is_list = match self.next()? {
            Node::Map => false,
            Node::List => true,
            _ => return Err(self.no_map()),
        };
        while is_list || maps.is_empty() {
            if is_list {
                match self.next()? {
                    Node::Map => {}
                    Node::End => break,
                    _ => return Err(self.no_map()),
                }
            }
            let mut entries = Vec::new();
            self.rest(&Node::Map, Some(&mut entries))?;
            maps.push(entries);
        }
        Ok(maps)
    }

    #[cold]
    fn no_map(&mut self) -> Error {
        self.fail(ErrorKind::Mismatch, "a merge key `<<` takes a map or a list of maps")
    }

    fn base64<V: Visitor<'de>>(&mut self, text: &str, visitor: V) -> Result<V::Value> {
        let text: String = text.split_ascii_whitespace().collect();
        match base64::engine::general_purpose::STANDARD.decode(text) {
            Ok(bytes) => visitor.visit_byte_buf(bytes),
            Err(error) => Err(self.fail(ErrorKind::Mismatch, format!("`!!binary` is no base64: {error}"))),
        }
    }

    fn list<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.enter()?;
        let mut items = Items { from: self, done: false };
        let value = visitor.visit_seq(&mut items)?;
        if !items.done {
            items.from.rest(&Node::List, None)?;
        }
        self.depth -= 1;
        Ok(value)
    }

    fn map<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value> {
        self.enter()?;
        let mut entries = Entries { from: self, done: false, seen: HashSet::new(), merges: Vec::new(), merging: false };
        let value = visitor.visit_map(&mut entries)?;
        if !entries.done {
            entries.from.rest(&Node::Map, None)?;
        }
        self.depth -= 1;
        Ok(value)
    }
}

fn scalar_node<'de>(text: Cow<'de, str>, style: ScalarStyle, tag: Option<&Tag>) -> Node<'de> {
    const YAML: &str = "tag:yaml.org,2002:";
    let Some(tag) = tag else {
        return if style == ScalarStyle::Plain { Node::Plain(text) } else { Node::Text(text) };
    };
    match tag.suffix_in_namespace(YAML).as_deref() {
        Some("binary") => Node::Base64(text),
        Some("null" | "bool" | "int" | "float") => Node::Plain(text),
        Some("str") => Node::Text(text),
        // `!` alone is text by the specification, any other tag says nothing here.
        _ if style == ScalarStyle::Plain && tag.parts() != ("", "!") => Node::Plain(text),
        _ => Node::Text(text),
    }
}

fn give<'de, V: Visitor<'de>>(text: Cow<'de, str>, visitor: V) -> Result<V::Value> {
    match text {
        Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
        Cow::Owned(text) => visitor.visit_string(text),
    }
}

impl<'de> Deserializer<'de> for &mut Untyped<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.next()? {
            Node::Text(text) => give(text, visitor),
            Node::Plain(text) => plain(text, visitor),
            Node::Base64(text) => self.base64(&text, visitor),
            Node::List => self.list(visitor),
            Node::Map => self.map(visitor),
            Node::End | Node::Alias(_) => Err(self.fail(ErrorKind::Syntax, "expected a value")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.next()? {
            Node::Plain(text) if scalar::resolve(&text) == Scalar::Null => visitor.visit_none(),
            node => {
                self.ahead = Some(node);
                visitor.visit_some(self)
            }
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let first = self.next()?;
        self.rest(&first, None)?;
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier
    }
}

struct Items<'u, 'de> {
    from: &'u mut Untyped<'de>,
    done: bool,
}

impl<'de> SeqAccess<'de> for &mut Items<'_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.done {
            return Ok(None);
        }
        match self.from.next()? {
            Node::End => {
                self.done = true;
                Ok(None)
            }
            node => {
                self.from.ahead = Some(node);
                seed.deserialize(&mut *self.from).map(Some)
            }
        }
    }
}

/// A map's entries, and behind them those of the maps that it merges, but for the keys that it has itself.
struct Entries<'u, 'de> {
    from: &'u mut Untyped<'de>,
    done: bool,
    /// The keys so far, where there may be merges.
    seen: HashSet<String>,
    /// What is to be merged, the last first.
    merges: Vec<Vec<Node<'de>>>,
    merging: bool,
}

impl<'de> Entries<'_, 'de> {
    /// The next key, if there is one.
    fn key(&mut self) -> Result<Option<Cow<'de, str>>> {
        while !self.done {
            let (key, is_merge) = match self.from.next()? {
                Node::Plain(key) => {
                    // The typed reader takes it for no name, either.
                    if scalar::resolve(&key) == Scalar::Null {
                        return Err(self.from.fail(ErrorKind::Unsupported, "null as a key"));
                    }
                    let is_merge = key == "<<";
                    (key, is_merge)
                }
                Node::Text(key) | Node::Base64(key) => (key, false),
                Node::End => {
                    match self.merges.pop() {
                        Some(entries) => self.from.repeats.push(Repeat::Own(entries.into_iter())),
                        None => self.done = true,
                    }
                    self.merging = true;
                    continue;
                }
                _ => return Err(self.from.fail(ErrorKind::Unsupported, "a list or map as a key")),
            };
            if is_merge {
                let maps = self.from.merged()?;
                self.merges.extend(maps.into_iter().rev());
                continue;
            }
            if self.from.has_merges && !self.seen.insert(key.to_string()) && self.merging {
                let value = self.from.next()?;
                self.from.rest(&value, None)?;
                continue;
            }
            return Ok(Some(key));
        }
        Ok(None)
    }
}

impl<'de> MapAccess<'de> for &mut Entries<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.key()?.map(|key| seed.deserialize(Key(key))).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        seed.deserialize(&mut *self.from)
    }
}

/// A key is always text, as it is written.
struct Key<'de>(Cow<'de, str>);

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        give(self.0, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// A plain scalar, by the core schema.
fn plain<'de, V: Visitor<'de>>(text: Cow<'de, str>, visitor: V) -> Result<V::Value> {
    match scalar::resolve(&text) {
        Scalar::Null => visitor.visit_unit(),
        Scalar::Bool(value) => visitor.visit_bool(value),
        Scalar::Float(value) => visitor.visit_f64(value),
        Scalar::Int(value) => match (i64::try_from(value), u64::try_from(value)) {
            (Ok(value), _) => visitor.visit_i64(value),
            (_, Ok(value)) => visitor.visit_u64(value),
            _ => visitor.visit_i128(value),
        },
        Scalar::Text(_) => give(text, visitor),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// The documents as JSON, or the error.
    fn shown(text: &str) -> String {
        let mut shown = Vec::new();
        let limits = Limits::default().depth(3);
        let read = untyped(text.as_bytes(), &limits, |document, _| {
            let value: Value = serde::Deserialize::deserialize(document)?;
            shown.push(value.to_string());
            Ok(())
        });
        match read {
            Ok(()) => shown.join(" "),
            Err(error) => format!("{:?} {error}", error.kind()),
        }
    }

    #[test]
    fn scalars_are_what_the_core_schema_says() {
        for (text, is) in [
            ("[007, -012, 08.5, yes, off, 2015-01-02]", r#"["007","-012","08.5","yes","off","2015-01-02"]"#),
            ("['1', \"2\", true, 'true', ~, '~', ]", r#"["1","2",true,"true",null,"~"]"#),
            ("[!!str 1, ! 1, !!int '1', !other 1, !other '1']", r#"["1","1",1,1,"1"]"#),
            ("- |\n  1\n- >-\n  2\n", r#"["1\n","2"]"#),
            ("7: a\ntrue: b\n'~': c\n", r#"{"7":"a","true":"b","~":"c"}"#),
            ("a:\nb: ''\n", r#"{"a":null,"b":""}"#),
            ("\u{feff}--- {a: 1}\n---\nb: 2\n...\n# end\n", r#"{"a":1} {"b":2}"#),
            ("", ""),
        ] {
            assert_eq!(shown(text), is, "{text}");
        }
    }

    #[test]
    fn aliases_and_merge_keys_are_expanded() {
        for (text, is) in [
            ("[&a {x: 1}, *a, &b 007, *b]", r#"[{"x":1},{"x":1},"007","007"]"#),
            ("[&a [&b 1, *b], *b, *a]", "[[1,1],1,[1,1]]"),
            ("[&a 1, *a, &a 2, *a]", "[1,1,2,2]"),
            ("{&k a: 1, b: *k, *k : 2}", r#"{"a":2,"b":"a"}"#),
            ("[&a {x: 1, y: 2}, {<<: *a, x: 3}]", r#"[{"x":1,"y":2},{"x":3,"y":2}]"#),
            ("[&a {x: 1}, &b {<<: *a, y: 2}, {<<: *b}]", r#"[{"x":1},{"x":1,"y":2},{"x":1,"y":2}]"#),
            (
                "[&a {x: 1, y: 1}, &b {y: 2, z: 2}, {<<: [*a, *b]}]",
                r#"[{"x":1,"y":1},{"y":2,"z":2},{"x":1,"y":1,"z":2}]"#,
            ),
            ("{<<: {x: 1}, '<<': 2}", r#"{"<<":2,"x":1}"#),
            ("{<<: 1}", "Mismatch line 1 column 6: a merge key `<<` takes a map or a list of maps"),
            ("&a [*a]", "Unsupported line 1 column 5: an alias inside the very value that it stands for"),
            ("[*a]", "Syntax line 1 column 2: while parsing node, found unknown anchor"),
        ] {
            assert_eq!(shown(text), is, "{text}");
        }
    }

    #[test]
    fn nesting_and_repeating_have_limits() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert_eq!(shown(&nested(13)), nested(13));
        assert!(shown(&nested(14)).starts_with("Limit "), "{}", shown(&nested(14)));
        let mut text = "- &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..9 {
            let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
            text.extend(["- &a", &level.to_string(), " [", &aliases, "]\n"]);
        }
        assert!(shown(&text).starts_with("Limit "), "{}", shown(&text));
    }

    #[test]
    fn errors_have_a_place() {
        for (text, is) in [
            ("--- {a: 1}\n--- {a: [}\n", "Syntax line 2 column 9: "),
            ("a: 'x\n", "Syntax line 1 column 4: "),
            ("? [1]\n: 2\n", "Unsupported line 1 column 3: a list or map as a key"),
            ("a: 1\n: 2\n", "Unsupported line 2 column 1: null as a key"),
            ("a: !!binary 'x'\n", "Mismatch line 1 column 13: `!!binary` is no base64"),
        ] {
            assert!(shown(text).starts_with(is), "{text}: {}", shown(text));
        }
    }
}
