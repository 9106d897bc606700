//! A layout compiled for Thrift: which type each field has on the wire.

use crate::plan::{Many, Place, Whole, check_entries};
use bantam_model::{Cardinality, Error, ErrorKind, Int, Kind, Layout, MessageLayout, Result, Shape, Width};
use std::collections::HashMap;

/// The types of values, numbered as in the binary protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Stop = 0,
    Bool = 2,
    Byte = 3,
    Double = 4,
    I16 = 6,
    I32 = 8,
    I64 = 10,
    /// Text or bytes.
    Binary = 11,
    Struct = 12,
    Map = 13,
    Set = 14,
    List = 15,
    Uuid = 16,
}

#[derive(Debug)]
pub(super) struct Tables {
    pub(super) messages: Vec<Table>,
    pub(super) root: u32,
    pub(super) predictions: usize,
}

#[derive(Debug)]
pub(super) struct Table {
    pub(super) stride: u32,
    /// In the order of ids, as the official libraries write them.
    pub(super) fields: Vec<Field>,
    pub(super) first_prediction: usize,
    pub(super) whole: Whole,
    by_id: HashMap<i16, u16>,
}

#[derive(Debug)]
pub(super) struct Field {
    pub(super) id: i16,
    /// The type of the field as a whole.
    pub(super) wire: Type,
    /// The type of one value, or one item.
    pub(super) item_wire: Type,
    pub(super) place: Place,
}

impl Tables {
    pub(super) fn new(layout: &Layout) -> Result<Self> {
        let mut predictions = 0;
        let mut messages = Vec::new();
        for message in layout.messages() {
            let name = &layout.schema().message(message.id).name;
            let table = Table::new(layout, message, predictions).map_err(|e| e.in_field(name))?;
            predictions += table.fields.len() + 1;
            messages.push(table);
        }
        Ok(Self { messages, root: layout.root().id.0, predictions })
    }
}

impl Table {
    fn new(layout: &Layout, message: &MessageLayout, first_prediction: usize) -> Result<Self> {
        check_entries(message.slots.len())?;
        let mut fields = Vec::new();
        for slot in &message.slots {
            let Ok(id) = i16::try_from(slot.number) else {
                let text = format!("thrift has no field id {}: ids have 16 bits", slot.number);
                return Err(Error::new(ErrorKind::Unsupported, text).in_field(&slot.name));
            };
            let place = Place::new(layout, slot);
            let item_wire = wire(layout, slot.kind);
            fields.push(Field { id, wire: container(place.many).unwrap_or(item_wire), item_wire, place });
        }
        fields.sort_by_key(|f| f.id);
        let by_id = fields.iter().enumerate().map(|(at, f)| (f.id, at as u16)).collect();
        let whole = Whole::new(message);
        Ok(Self { stride: message.stride, fields, first_prediction, whole, by_id })
    }

    #[inline]
    pub(super) fn find(&self, id: i16) -> Option<usize> {
        self.by_id.get(&id).map(|&at| at as usize)
    }
}

fn container(many: Many) -> Option<Type> {
    match many {
        Many::One => None,
        Many::List => Some(Type::List),
        Many::Set => Some(Type::Set),
        Many::Map => Some(Type::Map),
    }
}

/// The narrowest signed type that holds every value; 64 bits unsigned go into 64 bits signed where they fit.
fn wire(layout: &Layout, kind: Kind) -> Type {
    match kind {
        Kind::Bool => Type::Bool,
        Kind::Int(Int { signed: true, width: Width::W8, .. }) => Type::Byte,
        Kind::Int(Int { signed: true, width: Width::W16, .. } | Int { width: Width::W8, .. }) => Type::I16,
        Kind::Int(Int { signed: true, width: Width::W32, .. } | Int { width: Width::W16, .. }) | Kind::Enum(_) => {
            Type::I32
        }
        Kind::Int(_) => Type::I64,
        Kind::Float | Kind::Double => Type::Double,
        Kind::String | Kind::Bytes => Type::Binary,
        Kind::Message(id) => match layout.message(id) {
            of if of.shape == Shape::Wrapper => match of.slots[0].cardinality {
                Cardinality::Map => Type::Map,
                Cardinality::Set => Type::Set,
                _ => Type::List,
            },
            _ => Type::Struct,
        },
    }
}
