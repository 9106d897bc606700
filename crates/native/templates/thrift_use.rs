#[allow(unused_imports)]
use crate::plain::*;
#[allow(unused_imports)]
use std::collections::BTreeMap;
#[allow(unused_imports)]
use thrift::protocol::{
    TFieldIdentifier, TInputProtocol, TListIdentifier, TMapIdentifier, TOutputProtocol, TSetIdentifier,
    TStructIdentifier, TType,
};

/// What the compiler makes a struct do.
pub trait Struct: Sized {
    fn read(from: &mut dyn TInputProtocol) -> thrift::Result<Self>;
    fn write(&self, to: &mut dyn TOutputProtocol) -> thrift::Result<()>;
}

#[allow(dead_code)]
fn required<T>(value: Option<T>) -> thrift::Result<T> {
    value.ok_or_else(|| thrift::Error::from("a required field is absent"))
}
