//! What is generated from: the messages of a layout as Rust will see them.

use crate::names::Names;
use bantam_model::{Batch, Cardinality, EnumId, Items, Kind, Layout, MessageId, Presence, Row, Shape, Value};
use std::collections::HashSet;
use std::sync::Arc;

/// The messages that the records hold, each a struct.
#[derive(Debug)]
pub(crate) struct Types {
    /// The layout that they are of.
    pub(crate) layout: Arc<Layout>,
    /// The structs, the records' own first; entries of maps and wrappers of lists are among them.
    pub(crate) structs: Vec<Struct>,
    /// The enums that fields are of, with the names of their types.
    pub(crate) enums: Vec<(EnumId, String)>,
    /// Whether a message can hold itself.
    pub(crate) recursive: bool,
}

/// A message.
#[derive(Debug)]
pub(crate) struct Struct {
    pub(crate) id: MessageId,
    /// The identifier.
    pub(crate) rust: String,
    pub(crate) shape: Shape,
    pub(crate) fields: Vec<Field>,
}

/// A field of a message.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    /// The identifier.
    pub(crate) rust: String,
    /// The name in the schema.
    pub(crate) name: String,
    pub(crate) number: i32,
    pub(crate) kind: Kind,
    pub(crate) cardinality: Cardinality,
    pub(crate) holds: Holds,
    /// The message lies behind a pointer, since it can hold this one.
    pub(crate) boxed: bool,
    pub(crate) packed: bool,
    pub(crate) group: bool,
}

/// How a field's absence is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// It is always there.
    One,
    /// Zero is absence.
    Implicit,
    /// It is an `Option`.
    Option,
    /// A list or map that is always there in these records.
    Many,
    /// A list or map that is never there and empty in these records: empty is absence.
    Filled,
    /// A list or map that is both absent and empty in these records: an `Option` of a list.
    Told,
}

impl Holds {
    /// Whether it is an `Option` of the value or list.
    pub(crate) fn is_option(self) -> bool {
        matches!(self, Self::Option | Self::Told)
    }
}

impl Types {
    /// The types for these records.
    pub(crate) fn of(batch: &Batch<'_>) -> Self {
        let layout = batch.layout().clone();
        let lists = Lists::of(batch);
        let (mut names, mut enums) = (Names::default(), Vec::new());
        let ids = layout.reachable();
        let structs: Vec<Struct> = ids
            .iter()
            .map(|&id| {
                let rust = names.of_type('M', &layout.schema().message(id).name);
                Struct { id, rust, shape: layout.message(id).shape, fields: fields(&layout, id, &lists) }
            })
            .collect();
        for field in structs.iter().flat_map(|s| &s.fields) {
            if let Kind::Enum(id) = field.kind
                && !enums.iter().any(|(other, _)| *other == id)
            {
                let name = names.of_type('E', &layout.schema().enumeration(id).name);
                enums.push((id, name));
            }
        }
        let recursive = ids.iter().any(|&id| reaches(&layout, id, id, true));
        Self { layout, structs, enums, recursive }
    }

    /// The struct of a message.
    pub(crate) fn of_message(&self, id: MessageId) -> &Struct {
        self.structs.iter().find(|s| s.id == id).expect("every message that a field holds is reachable")
    }

    /// The structs that are messages in their own right.
    pub(crate) fn records(&self) -> impl Iterator<Item = &Struct> {
        self.structs.iter().filter(|s| s.shape == Shape::Record)
    }

    /// All fields.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &Field> {
        self.structs.iter().flat_map(|s| &s.fields)
    }

    /// The kinds of the keys of maps.
    pub(crate) fn keys(&self) -> impl Iterator<Item = Kind> + '_ {
        self.structs.iter().filter(|s| s.shape == Shape::Entry).map(|s| s.fields[0].kind)
    }

    /// The name of the type of an enum.
    pub(crate) fn of_enum(&self, id: EnumId) -> &str {
        self.enums.iter().find(|(other, _)| *other == id).map_or("i32", |(_, name)| name)
    }
}

fn fields(layout: &Layout, id: MessageId, lists: &Lists) -> Vec<Field> {
    let mut names = Names::default();
    let message = layout.schema().message(id);
    let (slots, fields) = (&layout.message(id).slots, &message.fields);
    slots
        .iter()
        .zip(fields)
        .map(|(slot, field)| Field {
            rust: names.field(&slot.name),
            name: slot.name.to_string(),
            number: slot.number,
            kind: slot.kind,
            cardinality: slot.cardinality,
            holds: match slot.presence {
                Presence::Required => Holds::One,
                Presence::Optional => Holds::Option,
                Presence::Implicit => Holds::Implicit,
                Presence::Many if message.shape == Shape::Wrapper => Holds::Many,
                Presence::Many => lists.holds(id, slot.index),
            },
            boxed: match slot.kind {
                Kind::Message(to) if !slot.cardinality.is_many() => reaches(layout, to, id, false),
                _ => false,
            },
            packed: field.packed,
            group: field.group,
        })
        .collect()
}

/// Whether a message can hold another, or itself, at some depth; of lists only if asked for.
fn reaches(layout: &Layout, from: MessageId, to: MessageId, lists: bool) -> bool {
    let (mut seen, mut open) = (vec![from], vec![from]);
    while let Some(id) = open.pop() {
        for slot in &layout.message(id).slots {
            let Kind::Message(next) = slot.kind else { continue };
            if slot.cardinality.is_many() && !lists {
                continue;
            }
            if next == to {
                return true;
            }
            if !seen.contains(&next) {
                seen.push(next);
                open.push(next);
            }
        }
    }
    // A field of a message's own type.
    from == to && !lists
}

/// Which lists are absent in some records, and which are there and empty.
#[derive(Default)]
struct Lists {
    absent: HashSet<(MessageId, u32)>,
    empty: HashSet<(MessageId, u32)>,
}

impl Lists {
    fn of(batch: &Batch<'_>) -> Self {
        let mut found = Self::default();
        batch.rows().for_each(|row| found.row(row));
        found
    }

    fn row(&mut self, row: Row<'_>) {
        let id = row.layout().id;
        for slot in &row.layout().slots {
            match row.get(slot) {
                None if slot.cardinality.is_many() => drop(self.absent.insert((id, slot.index))),
                Some(Value::Message(inner)) => self.row(inner),
                Some(Value::List(items)) => {
                    if items.is_empty() {
                        self.empty.insert((id, slot.index));
                    }
                    self.items(items);
                }
                _ => {}
            }
        }
    }

    fn items(&mut self, items: Items<'_>) {
        if matches!(items.kind(), Kind::Message(_)) {
            for item in items.iter() {
                if let Value::Message(row) = item {
                    self.row(row);
                }
            }
        }
    }

    fn holds(&self, id: MessageId, slot: u32) -> Holds {
        match (self.absent.contains(&(id, slot)), self.empty.contains(&(id, slot))) {
            (false, _) => Holds::Many,
            (true, false) => Holds::Filled,
            (true, true) => Holds::Told,
        }
    }
}
