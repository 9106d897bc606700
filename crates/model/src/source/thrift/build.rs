//! From parsed Thrift files to a [`Schema`]: names are resolved, nested containers get messages.

use super::Unit;
use super::lex::at;
use super::parse::MOST_DEPTH;
use super::syntax::{EnumItem, FieldItem, Item, StructItem, Type, TypeOf};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::{Cardinality, Enum, EnumId, EnumValue, Field, Int, Kind, Message, MessageId, Schema, Shape, Width};
use crate::source::names::camel;
use crate::source::{MOST_TYPES, in_file};
use std::collections::{HashMap, HashSet};

/// Values that all defaults of a schema may have together: constants that name each other grow fast.
const MOST_CONSTANTS: usize = 100_000;

/// The schema of the first file, with what it uses of the others; of all files, if the first has no struct.
pub(super) fn build(files: &[Unit], shown: &str) -> Result<Schema> {
    let mut builder = Builder {
        files,
        shown,
        schema: Schema::default(),
        kinds: HashMap::new(),
        structs: Vec::new(),
        names: HashSet::new(),
        constants: MOST_CONSTANTS,
    };
    let has_struct = |unit: &Unit| unit.document.items.values().any(|item| matches!(item, Item::Struct(_)));
    let first = if has_struct(&files[0]) { 1 } else { files.len() };
    for (file, unit) in files.iter().enumerate().take(first) {
        for name in &unit.document.order {
            if matches!(unit.document.items[name], Item::Struct(_) | Item::Enum(_)) {
                builder.named(file, name)?;
            }
        }
    }
    let mut next = 0;
    while let Some(&(file, id, item)) = builder.structs.get(next) {
        builder.structure(file, id, item)?;
        next += 1;
    }
    Ok(builder.schema)
}

pub(super) struct Builder<'a> {
    pub(super) files: &'a [Unit],
    shown: &'a str,
    pub(super) schema: Schema,
    kinds: HashMap<(usize, &'a str), Kind>,
    /// The structs that have an id, in the order in which their fields are filled in.
    structs: Vec<(usize, MessageId, &'a StructItem)>,
    names: HashSet<String>,
    /// How many more constants there may be.
    pub(super) constants: usize,
}

/// How a container is named: by the message that holds it, and a part of its own.
#[derive(Clone, Copy)]
struct Place<'p> {
    owner: &'p str,
    part: &'p str,
}

impl<'a> Builder<'a> {
    /// An item by the name that a file gives it: `Name`, or `file.Name` for what it includes.
    pub(super) fn find(&self, file: usize, name: &str) -> Option<(usize, &'a str, &'a Item)> {
        let item = |file: usize, name: &str| {
            self.files[file].document.items.get_key_value(name).map(|(name, item)| (file, name.as_str(), item))
        };
        item(file, name).or_else(|| {
            let (stem, name) = name.rsplit_once('.')?;
            item(*self.files[file].includes.get(stem)?, name)
        })
    }

    pub(super) fn error(&self, kind: ErrorKind, file: usize, pos: super::Pos, text: impl Into<String>) -> Error {
        at(kind, &self.files[file].shown, pos, text)
    }

    /// Follows typedefs to the type that they stand for and its file.
    pub(super) fn resolve(&self, mut file: usize, mut of: &'a Type) -> Result<(usize, &'a Type)> {
        let start = (file, of.at);
        for _ in 0..MOST_DEPTH {
            let TypeOf::Named(name) = &of.of else { return Ok((file, of)) };
            match self.find(file, name) {
                Some((next, _, Item::Typedef(to))) => (file, of) = (next, to),
                Some((_, _, Item::Struct(_) | Item::Enum(_))) => return Ok((file, of)),
                Some((_, _, Item::Const(..))) => {
                    let text = format!("expected a type, but `{name}` is a constant");
                    return Err(self.error(ErrorKind::Schema, file, of.at, text));
                }
                None => {
                    let text = format!("no type is named `{name}`");
                    return Err(self.error(ErrorKind::Schema, file, of.at, text));
                }
            }
        }
        let text = format!("typedefs lead to each other more than {MOST_DEPTH} times, perhaps in a circle");
        Err(self.error(ErrorKind::Schema, start.0, start.1, text))
    }

    fn push(&mut self, name: &str, file: usize, shape: Shape) -> Result<MessageId> {
        if self.schema.messages.len() + self.schema.enums.len() >= MOST_TYPES {
            return Err(Error::new(ErrorKind::Limit, format!("more than {MOST_TYPES} types{}", in_file(self.shown))));
        }
        let name = self.free_name(name);
        let id = MessageId(self.schema.messages.len() as u32);
        self.schema.messages.push(Message { name, shape, imported: file != 0, ..Message::default() });
        Ok(id)
    }

    fn free_name(&mut self, name: &str) -> String {
        let mut free = name.to_owned();
        let mut next = 2;
        while !self.names.insert(free.clone()) {
            free = format!("{name}_{next}");
            next += 1;
        }
        free
    }

    /// The kind of a struct or enum; gives it an id when it is first met.
    fn named(&mut self, file: usize, name: &str) -> Result<Kind> {
        let Some((file, name, item)) = self.find(file, name) else {
            return Err(Error::new(ErrorKind::Schema, format!("no type is named `{name}`")));
        };
        if let Some(&kind) = self.kinds.get(&(file, name)) {
            return Ok(kind);
        }
        let full = format!("{}{name}", self.files[file].prefix);
        let kind = if let Item::Struct(item) = item {
            let id = self.push(&full, file, Shape::Record)?;
            self.structs.push((file, id, item));
            Kind::Message(id)
        } else {
            let full = self.free_name(&full);
            let id = EnumId(self.schema.enums.len() as u32);
            self.schema.enums.push(if let Item::Enum(item) = item { enumeration(full, item) } else { Enum::default() });
            Kind::Enum(id)
        };
        self.kinds.insert((file, name), kind);
        Ok(kind)
    }

    fn structure(&mut self, file: usize, id: MessageId, item: &'a StructItem) -> Result<()> {
        let owner = self.schema.message(id).name.clone();
        let mut fields = Vec::with_capacity(item.fields.len());
        for of in &item.fields {
            let field = self.field(file, of, &owner, item.union)?;
            fields.push(field);
        }
        let message = &mut self.schema.messages[id.0 as usize];
        if item.union && !fields.is_empty() {
            let mut name = "value".to_owned();
            while fields.iter().any(|f| f.name == name) {
                name.push('_');
            }
            message.oneofs.push(name);
        }
        message.fields = fields;
        message.doc.clone_from(&item.doc);
        Ok(())
    }

    fn field(&mut self, file: usize, of: &'a FieldItem, owner: &str, union: bool) -> Result<Field> {
        let part = camel(&of.name);
        let default = match &of.default {
            Some(value) => Some(self.constant(file, value, file, &of.of, 0)?),
            None => None,
        };
        let mut field = if union {
            let (_, resolved) = self.resolve(file, &of.of)?;
            let part = match resolved.of {
                TypeOf::List(_) => part + "List",
                TypeOf::Set(_) => part + "Set",
                _ => part + "Map",
            };
            let kind = self.single(file, &of.of, Place { owner, part: &part }, 0)?;
            Field { oneof: Some(0), ..Field::new("", 0, kind, Cardinality::Optional) }
        } else {
            let single = if of.required { Cardinality::Required } else { Cardinality::Optional };
            self.any(file, &of.of, single, Place { owner, part: &part }, 0)?
        };
        field.name.clone_from(&of.name);
        field.number = of.id;
        field.default = default;
        field.doc.clone_from(&of.doc);
        Ok(field)
    }

    /// A field of this type: a list, set or map, or else a single value.
    fn any(&mut self, file: usize, of: &'a Type, single: Cardinality, place: Place<'_>, depth: u32) -> Result<Field> {
        let (file, of) = self.resolve(file, of)?;
        if depth > MOST_DEPTH {
            let text = format!("types nested more than {MOST_DEPTH} deep, or without end");
            return Err(self.error(ErrorKind::Limit, file, of.at, text));
        }
        let part = |end: &str| format!("{}{end}", place.part);
        let (kind, cardinality) = match &of.of {
            TypeOf::List(item) | TypeOf::Set(item) => {
                let kind = self.single(file, item, Place { part: &part("Item"), ..place }, depth + 1)?;
                let list = matches!(of.of, TypeOf::List(_));
                (kind, if list { Cardinality::Repeated } else { Cardinality::Set })
            }
            TypeOf::Map(key, value) => {
                let id = self.push(&format!("{}.{}", place.owner, part("Entry")), file, Shape::Entry)?;
                let key = self.single(file, key, Place { part: &part("Key"), ..place }, depth + 1)?;
                let value = self.single(file, value, Place { part: &part("Value"), ..place }, depth + 1)?;
                self.schema.messages[id.0 as usize].fields = vec![entry("key", 1, key), entry("value", 2, value)];
                (Kind::Message(id), Cardinality::Map)
            }
            _ => (self.scalar(file, of)?, single),
        };
        let list = matches!(cardinality, Cardinality::Repeated | Cardinality::Set);
        let packed = list && !matches!(kind, Kind::String | Kind::Bytes | Kind::Message(_));
        Ok(Field { packed, ..Field::new("", 0, kind, cardinality) })
    }

    /// One value of this type; a list, set or map goes through a wrapper.
    fn single(&mut self, file: usize, of: &'a Type, place: Place<'_>, depth: u32) -> Result<Kind> {
        let (file, of) = self.resolve(file, of)?;
        if !matches!(of.of, TypeOf::List(_) | TypeOf::Set(_) | TypeOf::Map(..)) {
            return self.scalar(file, of);
        }
        let id = self.push(&format!("{}.{}", place.owner, place.part), file, Shape::Wrapper)?;
        let owner = self.schema.message(id).name.clone();
        let items = self.any(file, of, Cardinality::Optional, Place { owner: &owner, part: "Items" }, depth + 1)?;
        self.schema.messages[id.0 as usize].fields = vec![Field { name: "items".into(), number: 1, ..items }];
        Ok(Kind::Message(id))
    }

    fn scalar(&mut self, file: usize, of: &'a Type) -> Result<Kind> {
        let narrow = |width| Kind::Int(Int { width, ..Int::I32 });
        Ok(match &of.of {
            TypeOf::Bool => Kind::Bool,
            TypeOf::I8 => narrow(Width::W8),
            TypeOf::I16 => narrow(Width::W16),
            TypeOf::I32 => Kind::Int(Int::I32),
            TypeOf::I64 => Kind::Int(Int::I64),
            TypeOf::Double => Kind::Double,
            TypeOf::String => Kind::String,
            TypeOf::Binary => Kind::Bytes,
            TypeOf::Named(name) => self.named(file, name)?,
            TypeOf::List(_) | TypeOf::Set(_) | TypeOf::Map(..) => {
                return Err(self.error(ErrorKind::Schema, file, of.at, "a list, set or map is no single value"));
            }
        })
    }
}

/// A map's key or value: the same as from `.proto`, so that maps look alike wherever they come from.
fn entry(name: &str, number: i32, kind: Kind) -> Field {
    let message = matches!(kind, Kind::Message(_));
    Field::new(name, number, kind, if message { Cardinality::Optional } else { Cardinality::Implicit })
}

fn enumeration(name: String, item: &EnumItem) -> Enum {
    let value = |(name, number, doc): &(String, i32, String)| EnumValue {
        name: name.clone(),
        number: *number,
        doc: doc.clone(),
    };
    Enum { name, values: item.values.iter().map(value).collect(), open: true, doc: item.doc.clone() }
}
