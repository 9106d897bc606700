//! The grammar of the Thrift IDL (<https://thrift.apache.org/docs/idl>), with what real files have besides:
//! annotations in parentheses, `&` references, `cpp_type`, old namespace words.

use super::lex::{Lexer, Pos, Token, at};
use super::syntax::{Document, EnumItem, FieldItem, Item, StructItem, Type, TypeOf, Value, ValueOf};
use crate::error::{Error, ErrorKind, Result};
use std::collections::HashSet;

/// Nesting of types and of constants.
pub(super) const MOST_DEPTH: u32 = 64;

/// Parses one file; `file` names it in errors.
pub(super) fn parse(file: &str, text: &str) -> Result<Document> {
    let mut lexer = Lexer::new(file, text);
    let (token, pos) = lexer.next()?;
    let doc = lexer.take_doc();
    let mut parser = Parser { lexer, file, token, pos, doc, out: Document::default() };
    while parser.token != Token::End {
        parser.statement()?;
    }
    Ok(parser.out)
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    file: &'a str,
    token: Token,
    pos: Pos,
    doc: Option<String>,
    out: Document,
}

impl Parser<'_> {
    fn bump(&mut self) -> Result<Token> {
        let (token, pos) = self.lexer.next()?;
        self.pos = pos;
        self.doc = self.lexer.take_doc();
        Ok(std::mem::replace(&mut self.token, token))
    }

    fn expected(&self, what: &str) -> Error {
        self.lexer.error(self.pos, format!("expected {what}, found {}", self.token))
    }

    fn is(&self, symbol: char) -> bool {
        self.token == Token::Symbol(symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(&self.token, Token::Word(w) if w == word)
    }

    fn eat(&mut self, symbol: char) -> Result<bool> {
        let found = self.is(symbol);
        if found {
            self.bump()?;
        }
        Ok(found)
    }

    fn eat_word(&mut self, word: &str) -> Result<bool> {
        let found = self.is_word(word);
        if found {
            self.bump()?;
        }
        Ok(found)
    }

    fn expect(&mut self, symbol: char) -> Result<()> {
        if self.eat(symbol)? { Ok(()) } else { Err(self.expected(&format!("`{symbol}`"))) }
    }

    fn word(&mut self, what: &str) -> Result<String> {
        match &self.token {
            Token::Word(_) => match self.bump()? {
                Token::Word(word) => Ok(word),
                _ => Err(self.expected(what)),
            },
            _ => Err(self.expected(what)),
        }
    }

    /// A name that is declared here, which has no dots.
    fn name(&mut self, what: &str) -> Result<String> {
        if matches!(&self.token, Token::Word(word) if word.contains('.')) {
            return Err(self.expected(&format!("{what} without dots")));
        }
        self.word(what)
    }

    fn literal(&mut self, what: &str) -> Result<String> {
        match self.token {
            Token::Literal(_) => match self.bump()? {
                Token::Literal(text) => Ok(text),
                _ => Err(self.expected(what)),
            },
            _ => Err(self.expected(what)),
        }
    }

    fn separator(&mut self) -> Result<()> {
        if !self.eat(',')? {
            self.eat(';')?;
        }
        Ok(())
    }

    fn statement(&mut self) -> Result<()> {
        let doc = self.doc.take().unwrap_or_default();
        let what = "a definition (struct, union, exception, enum, typedef, const, service) or include";
        let pos = self.pos;
        let word = self.word(what)?;
        match word.as_str() {
            "include" => {
                let pos = self.pos;
                let path = self.literal("the file to include, in quotes")?;
                self.out.includes.push((path, pos));
            }
            "cpp_include" => {
                self.literal("a file in quotes")?;
            }
            "namespace" => {
                if !self.eat('*')? {
                    self.word("a language or `*`")?;
                }
                self.skip_one("a namespace")?;
            }
            "php_namespace" | "xsd_namespace" | "cpp_namespace" | "py_module" | "java_package" | "perl_package"
            | "ruby_namespace" | "cocoa_prefix" | "csharp_namespace" | "smalltalk_category" | "smalltalk_prefix" => {
                self.skip_one("a namespace")?;
            }
            "typedef" => {
                let of = self.type_of(0)?;
                self.declare(Item::Typedef(of))?;
            }
            "const" => self.constant()?,
            "enum" => {
                let (name, pos) = self.declared()?;
                let item = self.enumeration(doc)?;
                self.add(name, pos, Item::Enum(item))?;
            }
            "struct" | "union" | "exception" => {
                let (name, pos) = self.declared()?;
                let item = self.structure(word == "union", doc)?;
                self.add(name, pos, Item::Struct(item))?;
            }
            "service" => self.service()?,
            "senum" | "slist" => return Err(self.unsupported(pos, &word)),
            _ => {
                let text = format!("expected {what}, found `{word}`");
                return Err(self.lexer.error(pos, text));
            }
        }
        self.annotations()?;
        self.separator()
    }

    fn unsupported(&self, pos: Pos, what: &str) -> Error {
        at(ErrorKind::Unsupported, self.file, pos, format!("`{what}` is not supported"))
    }

    fn skip_one(&mut self, what: &str) -> Result<()> {
        match self.token {
            Token::Word(_) | Token::Literal(_) => self.bump().map(|_| ()),
            _ => Err(self.expected(what)),
        }
    }

    fn declared(&mut self) -> Result<(String, Pos)> {
        let pos = self.pos;
        Ok((self.name("a name")?, pos))
    }

    fn declare(&mut self, item: Item) -> Result<()> {
        let (name, pos) = self.declared()?;
        self.add(name, pos, item)
    }

    fn add(&mut self, name: String, pos: Pos, item: Item) -> Result<()> {
        if self.out.items.contains_key(&name) {
            return Err(at(ErrorKind::Schema, self.file, pos, format!("`{name}` is declared twice")));
        }
        self.out.order.push(name.clone());
        self.out.items.insert(name, item);
        Ok(())
    }

    fn constant(&mut self) -> Result<()> {
        self.type_of(0)?;
        let (name, pos) = self.declared()?;
        self.expect('=')?;
        let value = self.value(0)?;
        self.add(name, pos, Item::Const(value))
    }

    fn enumeration(&mut self, doc: String) -> Result<EnumItem> {
        self.expect('{')?;
        let mut values: Vec<(String, i32, String)> = Vec::new();
        let mut names = HashSet::new();
        let mut next = 0i64;
        while !self.eat('}')? {
            let doc = self.doc.take().unwrap_or_default();
            let pos = self.pos;
            let name = self.name("the name of a value or `}`")?;
            if self.eat('=')? {
                let Token::Int(number) = self.token else { return Err(self.expected("a whole number")) };
                next = number;
                self.bump()?;
            }
            let Ok(number) = i32::try_from(next) else {
                return Err(at(ErrorKind::Range, self.file, pos, format!("{next} does not fit 32 bits")));
            };
            if !names.insert(name.clone()) {
                return Err(at(ErrorKind::Schema, self.file, pos, format!("two values are named `{name}`")));
            }
            values.push((name, number, doc));
            next += 1;
            self.annotations()?;
            self.separator()?;
        }
        Ok(EnumItem { values, doc })
    }

    fn structure(&mut self, union: bool, doc: String) -> Result<StructItem> {
        // `xsd_all` says nothing about the data.
        self.eat_word("xsd_all")?;
        self.expect('{')?;
        let mut fields: Vec<FieldItem> = Vec::new();
        let (mut ids, mut names) = (HashSet::new(), HashSet::new());
        let mut next_id = -1;
        while !self.eat('}')? {
            let field = self.field(&mut next_id)?;
            let twice = |text: String| Err(at(ErrorKind::Schema, self.file, field.at, text));
            if !ids.insert(field.id) {
                return twice(format!("two fields have the id {}", field.id));
            }
            if !names.insert(field.name.clone()) {
                return twice(format!("two fields are named `{}`", field.name));
            }
            fields.push(field);
        }
        Ok(StructItem { fields, union, doc })
    }

    /// A field. One without an id gets -1, -2, … as the Apache compiler numbers them, below any id so far.
    fn field(&mut self, next_id: &mut i32) -> Result<FieldItem> {
        let doc = self.doc.take().unwrap_or_default();
        let at_pos = self.pos;
        let id = if let Token::Int(id) = self.token {
            let Ok(id) = i16::try_from(id) else {
                return Err(at(ErrorKind::Range, self.file, at_pos, format!("the field id {id} does not fit 16 bits")));
            };
            self.bump()?;
            self.expect(':')?;
            *next_id = (*next_id).min(i32::from(id) - 1);
            id.into()
        } else {
            *next_id -= 1;
            *next_id + 1
        };
        if id < i16::MIN.into() {
            return Err(at(ErrorKind::Range, self.file, at_pos, "too many fields without an id"));
        }
        let required = self.eat_word("required")?;
        if !required {
            self.eat_word("optional")?;
        }
        let of = self.type_of(0)?;
        // A reference changes the generated code, not the data.
        self.eat('&')?;
        let name = self.name("the field's name")?;
        let default = if self.eat('=')? { Some(self.value(0)?) } else { None };
        self.eat_word("xsd_optional")?;
        self.eat_word("xsd_nillable")?;
        self.annotations()?;
        self.separator()?;
        Ok(FieldItem { id, required, of, name, default, doc, at: at_pos })
    }

    fn type_of(&mut self, depth: u32) -> Result<Type> {
        let pos = self.pos;
        if depth > MOST_DEPTH {
            return Err(at(ErrorKind::Limit, self.file, pos, format!("types nested more than {MOST_DEPTH} deep")));
        }
        let word = self.word("a type")?;
        let of = match word.as_str() {
            "bool" => TypeOf::Bool,
            "byte" | "i8" => TypeOf::I8,
            "i16" => TypeOf::I16,
            "i32" => TypeOf::I32,
            "i64" => TypeOf::I64,
            "double" => TypeOf::Double,
            "string" => TypeOf::String,
            "binary" => TypeOf::Binary,
            "uuid" | "slist" => return Err(self.unsupported(pos, &word)),
            "list" | "set" => {
                self.cpp_type()?;
                self.expect('<')?;
                let item = Box::new(self.type_of(depth + 1)?);
                self.expect('>')?;
                if word == "list" { TypeOf::List(item) } else { TypeOf::Set(item) }
            }
            "map" => {
                self.cpp_type()?;
                self.expect('<')?;
                let key = Box::new(self.type_of(depth + 1)?);
                self.expect(',')?;
                let value = Box::new(self.type_of(depth + 1)?);
                self.expect('>')?;
                TypeOf::Map(key, value)
            }
            _ => TypeOf::Named(word),
        };
        self.cpp_type()?;
        self.annotations()?;
        Ok(Type { of, at: pos })
    }

    fn cpp_type(&mut self) -> Result<()> {
        if self.eat_word("cpp_type")? {
            self.literal("a C++ type in quotes")?;
        }
        Ok(())
    }

    fn value(&mut self, depth: u32) -> Result<Value> {
        let pos = self.pos;
        if depth > MOST_DEPTH {
            return Err(at(ErrorKind::Limit, self.file, pos, format!("constants nested more than {MOST_DEPTH} deep")));
        }
        if !matches!(self.token, Token::Symbol('[' | '{') | Token::Int(_) | Token::Double(_) | Token::Literal(_))
            && !matches!(self.token, Token::Word(_))
        {
            return Err(self.expected("a constant"));
        }
        let of = match self.bump()? {
            Token::Int(value) => ValueOf::Int(value),
            Token::Double(value) => ValueOf::Double(value),
            Token::Literal(text) => ValueOf::Text(text),
            Token::Word(name) => ValueOf::Name(name),
            Token::Symbol('[') => {
                let mut items = Vec::new();
                while !self.eat(']')? {
                    items.push(self.value(depth + 1)?);
                    self.separator()?;
                }
                ValueOf::List(items)
            }
            _ => {
                let mut entries = Vec::new();
                while !self.eat('}')? {
                    let key = self.value(depth + 1)?;
                    self.expect(':')?;
                    entries.push((key, self.value(depth + 1)?));
                    self.separator()?;
                }
                ValueOf::Map(entries)
            }
        };
        Ok(Value { of, at: pos })
    }

    /// Annotations, `(a = "b", c)`: they are for code generators.
    fn annotations(&mut self) -> Result<()> {
        if self.is('(') { self.skip_balanced('(', ')') } else { Ok(()) }
    }

    /// A service says nothing about records; only its braces have to match.
    fn service(&mut self) -> Result<()> {
        self.name("the service's name")?;
        if self.eat_word("extends")? {
            self.word("a service")?;
        }
        if self.is('{') { self.skip_balanced('{', '}') } else { Err(self.expected("`{`")) }
    }

    fn skip_balanced(&mut self, open: char, close: char) -> Result<()> {
        let start = self.pos;
        let mut depth = 0usize;
        loop {
            match self.bump()? {
                Token::Symbol(symbol) if symbol == open => depth += 1,
                Token::Symbol(symbol) if symbol == close => depth -= 1,
                Token::End => return Err(self.lexer.error(start, format!("the `{open}` here has no `{close}`"))),
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }
}
