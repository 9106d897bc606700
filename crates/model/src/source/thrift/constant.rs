//! Constants as defaults: literals and names, checked against the type that they are for.

use super::build::Builder;
use super::parse::MOST_DEPTH;
use super::syntax::{EnumItem, Item, Type, TypeOf, Value, ValueOf};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::{Constant, Int, Width};

impl<'a> Builder<'a> {
    /// The value that stands in file `from` as a constant of the type `of` of file `file`.
    pub(super) fn constant(
        &mut self,
        from: usize,
        value: &'a Value,
        file: usize,
        of: &'a Type,
        depth: u32,
    ) -> Result<Constant> {
        self.constants = self.constants.saturating_sub(1);
        if depth > MOST_DEPTH || self.constants == 0 {
            let text = "constants nested too deep, too large, or naming each other in a circle";
            return Err(self.error(ErrorKind::Limit, from, value.at, text));
        }
        let (file, of) = self.resolve(file, of)?;
        if let ValueOf::Name(name) = &value.of {
            return self.by_name(from, value, name, file, of, depth);
        }
        let narrow = |width| Int { width, ..Int::I32 };
        let int = match of.of {
            TypeOf::I8 => narrow(Width::W8),
            TypeOf::I16 => narrow(Width::W16),
            TypeOf::I32 => Int::I32,
            _ => Int::I64,
        };
        Ok(match (&of.of, &value.of) {
            (TypeOf::Bool, ValueOf::Int(v @ (0 | 1))) => Constant::Bool(*v == 1),
            (TypeOf::I8 | TypeOf::I16 | TypeOf::I32 | TypeOf::I64, ValueOf::Int(v)) => {
                if !int.holds((*v).into()) {
                    let text = format!("{v} does not fit {}", int.name());
                    return Err(self.error(ErrorKind::Range, from, value.at, text));
                }
                Constant::Int((*v).into())
            }
            (TypeOf::Double, ValueOf::Int(v)) => Constant::Float(*v as f64),
            (TypeOf::Double, ValueOf::Double(v)) => Constant::Float(*v),
            (TypeOf::String, ValueOf::Text(text)) => Constant::String(text.clone()),
            (TypeOf::Binary, ValueOf::Text(text)) => Constant::Bytes(text.clone().into_bytes()),
            (TypeOf::List(item) | TypeOf::Set(item), ValueOf::List(values)) => {
                let mut one = |value| self.constant(from, value, file, item, depth + 1);
                Constant::List(values.iter().map(&mut one).collect::<Result<_>>()?)
            }
            (TypeOf::Map(key, of), ValueOf::Map(entries)) => {
                let mut out = Vec::with_capacity(entries.len());
                for (k, v) in entries {
                    let k = self.constant(from, k, file, key, depth + 1)?;
                    out.push((k, self.constant(from, v, file, of, depth + 1)?));
                }
                Constant::Map(out)
            }
            (TypeOf::Named(name), _) => self.of_named(from, value, file, name, of, depth)?,
            _ => return Err(self.no_constant(from, value, of)),
        })
    }

    /// An enum's number, or a struct by the names of its fields.
    fn of_named(
        &mut self,
        from: usize,
        value: &'a Value,
        file: usize,
        name: &str,
        of: &'a Type,
        depth: u32,
    ) -> Result<Constant> {
        match (self.find(file, name), &value.of) {
            (Some((_, _, Item::Enum(_))), ValueOf::Int(v)) if i32::try_from(*v).is_ok() => {
                Ok(Constant::Int((*v).into()))
            }
            (Some((file, _, Item::Struct(item))), ValueOf::Map(entries)) => {
                let mut out = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    let ValueOf::Text(name) = &key.of else {
                        let text = "expected a field's name in quotes";
                        return Err(self.error(ErrorKind::Mismatch, from, key.at, text));
                    };
                    let Some(field) = item.fields.iter().find(|f| f.name == *name) else {
                        let text = format!("the struct has no field `{name}`");
                        return Err(self.error(ErrorKind::Schema, from, key.at, text));
                    };
                    let value = self.constant(from, value, file, &field.of, depth + 1)?;
                    out.push((Constant::String(name.clone()), value));
                }
                Ok(Constant::Map(out))
            }
            _ => Err(self.no_constant(from, value, of)),
        }
    }

    /// `true`, `false`, another constant, or an enum's value: `Enum.VALUE`, `file.Enum.VALUE`, or the bare
    /// value where the type is that enum.
    fn by_name(
        &mut self,
        from: usize,
        value: &'a Value,
        name: &'a str,
        file: usize,
        of: &'a Type,
        depth: u32,
    ) -> Result<Constant> {
        match (name, &of.of) {
            ("true", TypeOf::Bool) => return Ok(Constant::Bool(true)),
            ("false", TypeOf::Bool) => return Ok(Constant::Bool(false)),
            _ => {}
        }
        if let Some((found, _, Item::Const(constant))) = self.find(from, name) {
            return self.constant(found, constant, file, of, depth + 1);
        }
        let own = match &of.of {
            TypeOf::Named(of) => self.find(file, of),
            _ => None,
        };
        let qualified = name.rsplit_once('.').and_then(|(of, value)| Some((self.find(from, of)?, value)));
        let number = match (qualified, own) {
            (Some(((at, of, Item::Enum(item)), value)), own) => {
                // An enum's value is also a number, but not a value of another enum.
                let fits = own.is_none_or(|(own_at, own, _)| (own_at, own) == (at, of));
                if fits { number_of(item, value) } else { None }
            }
            (None, Some((_, _, Item::Enum(item)))) => number_of(item, name),
            _ => None,
        };
        let whole = matches!(of.of, TypeOf::Named(_) | TypeOf::I8 | TypeOf::I16 | TypeOf::I32 | TypeOf::I64);
        match number {
            Some(number) if whole => Ok(Constant::Int(number.into())),
            _ => Err(self.no_constant(from, value, of)),
        }
    }

    fn no_constant(&self, from: usize, value: &Value, of: &Type) -> Error {
        let expected = match &of.of {
            TypeOf::Bool => "true or false",
            TypeOf::I8 | TypeOf::I16 | TypeOf::I32 | TypeOf::I64 => "a whole number",
            TypeOf::Double => "a number",
            TypeOf::String | TypeOf::Binary => "text in quotes",
            TypeOf::List(_) | TypeOf::Set(_) => "a list, `[…]`",
            TypeOf::Map(..) => "a map, `{…}`",
            TypeOf::Named(name) => &format!("a value of `{name}`"),
        };
        let found = match &value.of {
            ValueOf::Int(v) => &format!("`{v}`"),
            ValueOf::Double(v) => &format!("`{v:?}`"),
            ValueOf::Text(text) => &format!("{text:?}"),
            ValueOf::Name(name) => &format!("`{name}`"),
            ValueOf::List(_) => "a list",
            ValueOf::Map(_) => "a map",
        };
        self.error(ErrorKind::Mismatch, from, value.at, format!("expected {expected}, found {found}"))
    }
}

fn number_of(item: &EnumItem, name: &str) -> Option<i32> {
    item.values.iter().find(|(n, ..)| n == name).map(|&(_, number, _)| number)
}
