//! From what was seen to messages and fields.

use super::note::Note;
use super::number::Verdict;
use super::place::{Object, Place, Seen};
use crate::error::Result;
use crate::schema::{Cardinality, Field, Kind, Message, MessageId, Schema, Shape};
use std::collections::HashMap;

/// The one field of a message that stands for a list inside a list.
const WRAPPER_FIELD: &str = "values";

/// Builds messages, innermost first, under the names that they would like to have.
#[derive(Debug)]
pub(super) struct Builder {
    whole_floats: bool,
    /// Each with the name it would like to have; entries without, as they are named after their message.
    drafts: Vec<Message>,
    by_name: HashMap<String, Vec<MessageId>>,
    notes: Vec<Note>,
    path: String,
}

/// A field's kind, and `Repeated` or `Map` if it is not single.
type Values = (Kind, Option<Cardinality>);

impl Builder {
    pub(super) fn new(whole_floats: bool) -> Self {
        Self { whole_floats, drafts: Vec::new(), by_name: HashMap::new(), notes: Vec::new(), path: String::new() }
    }

    /// The schema of these records, the root first, then each message where it is first used; and the notes.
    ///
    /// # Errors
    /// [`ErrorKind::Range`](crate::ErrorKind::Range) if no kind holds all numbers of a field.
    pub(super) fn build(mut self, records: &Object, root_name: &str) -> Result<(Schema, Vec<Note>)> {
        // The root shares no message with a field of the same name, which may not refer to itself.
        let root = self.message(String::new(), records)?;
        let package = root_name.rsplit_once('.').map_or("", |(package, _)| package);
        let mut naming = Naming {
            drafts: &self.drafts,
            done: HashMap::new(),
            schema: Schema::default(),
            package,
            taken: HashMap::from([(root_name.to_owned(), 1)]),
        };
        naming.emit(root, root_name.to_owned());
        Ok((naming.schema, self.notes))
    }

    fn message(&mut self, name: String, object: &Object) -> Result<MessageId> {
        let mut fields = Vec::new();
        for field in object.ordered() {
            let values = self.below(&field.name, |b| b.values(&field.place, &field.name))?;
            let Some((kind, many)) = values else { continue };
            let single = if object.requires(field) { Cardinality::Required } else { Cardinality::Optional };
            let number = fields.len() as i32 + 1;
            fields.push(new_field(&field.name, number, kind, many.unwrap_or(single)));
        }
        Ok(self.share(Message { name, fields, ..Message::default() }))
    }

    /// What a field's values are; nothing if there were only nulls.
    fn values(&mut self, place: &Place, name: &str) -> Result<Option<Values>> {
        if place.values == 0 && !matches!(place.seen, Seen::Cells(_)) {
            self.note(|path| Note::OnlyNulls { path, count: place.nulls });
            return Ok(None);
        }
        if place.nulls > 0 {
            self.note(|path| Note::Nulls { path, count: place.nulls });
        }
        let single = |kind| Ok(Some((kind, None)));
        match &place.seen {
            Seen::Nothing => Ok(None),
            Seen::Bool => single(Kind::Bool),
            Seen::Text => single(Kind::String),
            Seen::Bytes => single(Kind::Bytes),
            Seen::Number(number) => single(number.verdict(self.whole_floats).map(|v| self.numbers(v))?),
            Seen::Cells(cells) => {
                if place.values == 0 {
                    self.note(|path| Note::NoValue { path });
                }
                let verdict = cells.verdict(self.whole_floats);
                single(self.numbers(verdict))
            }
            Seen::List(item) => {
                let kind = if item.values == 0 {
                    self.note(|path| Note::OnlyEmptyLists { path, count: place.values });
                    Kind::String
                } else {
                    self.below("[]", |b| b.single(item, name))?
                };
                Ok(Some((kind, Some(Cardinality::Repeated))))
            }
            Seen::Object(object) => {
                if object.fields.is_empty() {
                    self.note(|path| Note::OnlyEmptyObjects { path, count: place.values });
                }
                single(Kind::Message(self.message(upper_camel(name), object)?))
            }
            Seen::Map(value) => {
                self.note(|path| Note::Dictionary { path, count: place.values, entries: value.values });
                let entry = self.entry(value, name)?;
                Ok(Some((Kind::Message(entry), Some(Cardinality::Map))))
            }
        }
    }

    /// What an item or a dictionary's value is: lists and maps inside a message around them.
    fn single(&mut self, place: &Place, name: &str) -> Result<Kind> {
        Ok(match self.values(place, name)? {
            None => Kind::String,
            Some((kind, None)) => kind,
            Some((kind, Some(many))) => {
                let suffix = if many == Cardinality::Map { "Map" } else { "List" };
                let fields = vec![new_field(WRAPPER_FIELD, 1, kind, many)];
                let name = upper_camel(name) + suffix;
                Kind::Message(self.share(Message { name, fields, shape: Shape::Wrapper, ..Message::default() }))
            }
        })
    }

    fn entry(&mut self, value: &Place, name: &str) -> Result<MessageId> {
        let kind = self.below("*", |b| b.single(value, name))?;
        // As a map of `.proto` has them; an entry always has both.
        let presence = if matches!(kind, Kind::Message(_)) { Cardinality::Optional } else { Cardinality::Implicit };
        let fields =
            vec![Field::new("key", 1, Kind::String, Cardinality::Implicit), Field::new("value", 2, kind, presence)];
        Ok(self.share(Message { fields, shape: Shape::Entry, ..Message::default() }))
    }

    fn numbers(&mut self, verdict: Verdict) -> Kind {
        let Verdict { kind, widened, whole_floats, beyond } = verdict;
        if widened > 0 {
            self.note(|path| Note::Widened { path, integers: widened });
        }
        if whole_floats > 0 {
            self.note(|path| Note::WholeFloats { path, count: whole_floats });
        }
        if beyond > 0 {
            self.note(|path| Note::Beyond64Bits { path, count: beyond });
        }
        kind
    }

    /// Works one step down the path, which errors and notes then name.
    fn below<T>(&mut self, step: &str, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let back = self.path.len();
        if back > 0 && step != "[]" {
            self.path.push('.');
        }
        self.path.push_str(step);
        let done = work(self).map_err(|e| e.in_field(step));
        self.path.truncate(back);
        done
    }

    fn note(&mut self, note: impl FnOnce(String) -> Note) {
        self.notes.push(note(self.path.clone()));
    }

    /// The message's id: that of an equal one of the same name, if there is one.
    fn share(&mut self, message: Message) -> MessageId {
        let same_name = self.by_name.entry(message.name.clone()).or_default();
        if let Some(&equal) = same_name.iter().find(|id| self.drafts[id.0 as usize] == message) {
            return equal;
        }
        let id = MessageId(self.drafts.len() as u32);
        same_name.push(id);
        self.drafts.push(message);
        id
    }
}

fn new_field(name: &str, number: i32, kind: Kind, cardinality: Cardinality) -> Field {
    let numeric = matches!(kind, Kind::Bool | Kind::Int(_) | Kind::Float | Kind::Double);
    Field { packed: numeric && cardinality == Cardinality::Repeated, ..Field::new(name, number, kind, cardinality) }
}

/// Puts the drafts in order of use, under their final names.
struct Naming<'a> {
    drafts: &'a [Message],
    done: HashMap<MessageId, MessageId>,
    schema: Schema,
    package: &'a str,
    /// Full names in use, and the number that the last one of this name has.
    taken: HashMap<String, u32>,
}

impl Naming<'_> {
    fn emit(&mut self, draft: MessageId, name: String) -> MessageId {
        let id = MessageId(self.schema.messages.len() as u32);
        self.done.insert(draft, id);
        let mut message = self.drafts[draft.0 as usize].clone();
        let scope = name.clone();
        self.schema.messages.push(Message { name, shape: message.shape, ..Message::default() });
        for field in &mut message.fields {
            if let Kind::Message(of) = field.kind {
                field.kind = Kind::Message(self.field_message(of, &scope, &field.name));
            }
        }
        self.schema.messages[id.0 as usize].fields = message.fields;
        id
    }

    fn field_message(&mut self, draft: MessageId, scope: &str, field: &str) -> MessageId {
        let message = &self.drafts[draft.0 as usize];
        // As in Protocol Buffers, an entry belongs to its one field and lives in that field's message.
        if message.shape == Shape::Entry {
            let name = self.unique(&format!("{scope}.{}Entry", upper_camel(field)));
            return self.emit(draft, name);
        }
        if let Some(&done) = self.done.get(&draft) {
            return done;
        }
        let separator = if self.package.is_empty() { "" } else { "." };
        let name = self.unique(&format!("{}{separator}{}", self.package, message.name));
        self.emit(draft, name)
    }

    /// The name, with a number from 2 if it is taken.
    fn unique(&mut self, name: &str) -> String {
        let mut unique = name.to_owned();
        while self.taken.contains_key(&unique) {
            let number = self.taken.entry(name.to_owned()).or_insert(1);
            *number += 1;
            unique = format!("{name}{number}");
        }
        self.taken.insert(unique.clone(), 1);
        unique
    }
}

/// A message's name from a field's: `retweeted_status` gives `RetweetedStatus`. What is no ASCII letter or digit
/// only parts words; what does not begin with a letter gets `Field` in front.
fn upper_camel(field: &str) -> String {
    let mut name = String::with_capacity(field.len());
    for word in field.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        name.push(word.as_bytes()[0].to_ascii_uppercase() as char);
        name.push_str(&word[1..]);
    }
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("Field{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_names_are_identifiers() {
        for (field, name) in [
            ("user", "User"),
            ("retweeted_status", "RetweetedStatus"),
            ("subTopicIds", "SubTopicIds"),
            ("runs-on", "RunsOn"),
            ("by(x)", "ByX"),
            ("200", "Field200"),
            ("größe", "GrE"),
            ("名前", "Field"),
        ] {
            assert_eq!(upper_camel(field), name);
        }
    }
}
