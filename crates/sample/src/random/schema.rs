//! Random schemas.

use super::{Classes, Dialect, Options};
use crate::Rng;
use bantam_model::{
    Cardinality, Constant, Encoding, Enum, EnumId, Field, Int, Kind, Message, MessageId, Schema, Shape, Width,
};
use std::collections::HashSet;

/// Names that mean something to one format or another.
const WORDS: &[&str] = &[
    "id", "type", "key", "value", "item", "items", "records", "name", "null", "true", "encoding", "_x0041_", "xml",
    "a", "A", "_",
];

/// Names that are no identifiers.
const ODD: &[&str] = &[
    "", " ", "a b", "1st", "-x", "a:b", "a.b", "a,b", "a\"b", "größe", "名前", "x\ny", "<a>", "a&b", "@id", "#text",
    "😀", "'", "a/b", "\t", "\\", "a=b", "[0]",
];

pub(super) fn make(rng: &mut Rng, size: usize, options: Options) -> Schema {
    let dialects = [Dialect::Proto2, Dialect::Proto3, Dialect::Thrift, Dialect::Mixed];
    let dialect = options.dialect.unwrap_or_else(|| *rng.pick(&dialects));
    let records = if options.allows(Classes::MESSAGES) { 1 + rng.below(2 + size as u64 / 6) as u32 } else { 1 };
    let mut maker = Maker { rng, options, dialect, records, schema: Schema::default() };
    maker.enums();
    let names = (0..records).map(|n| Message { name: format!("M{n}"), ..Message::default() });
    maker.schema.messages = names.collect();
    for id in 0..records {
        maker.message(id, size);
    }
    maker.schema
}

struct Maker<'a> {
    rng: &'a mut Rng,
    options: Options,
    dialect: Dialect,
    /// The first messages of the schema; those that stand for entries and lists come after them.
    records: u32,
    schema: Schema,
}

impl Maker<'_> {
    fn chance(&mut self, times: u64) -> bool {
        self.rng.one_in(times)
    }

    fn doc(&mut self) -> String {
        if self.chance(8) { "What it is.\nAnd \"why\", in <two> lines.".into() } else { String::new() }
    }

    fn enums(&mut self) {
        for at in 0..=self.rng.below(3) {
            let open = match self.dialect {
                Dialect::Proto2 => false,
                Dialect::Proto3 => true,
                Dialect::Thrift | Dialect::Mixed => self.chance(2),
            };
            let mut made = Enum { name: format!("E{at}"), values: vec![], open, doc: self.doc() };
            let mut numbers = HashSet::new();
            for value in 0..=self.rng.below(6) {
                let number = match value {
                    0 if open => 0,
                    _ if self.dialect == Dialect::Thrift => self.rng.below(1 << 31) as i32,
                    _ if self.chance(4) => self.rng.next_u64() as i32,
                    _ => self.rng.below(10) as i32,
                };
                if numbers.insert(number) {
                    let name = format!("E{at}_V{value}");
                    made.values.push(bantam_model::schema::EnumValue { name, number, doc: self.doc() });
                }
            }
            self.schema.enums.push(made);
        }
    }

    fn message(&mut self, id: u32, size: usize) {
        let least = u64::from(id == 0);
        let many = self.chance(10) && size >= 8;
        let count = if many { 60 + self.rng.below(80) } else { least + self.rng.below(size as u64 + 1) };
        let mut names = HashSet::new();
        let mut numbers = HashSet::new();
        while (names.len() as u64) < count {
            let field = self.field(id, &mut names, &mut numbers);
            self.schema.messages[id as usize].fields.push(field);
        }
        let doc = self.doc();
        self.schema.messages[id as usize].doc = doc;
        self.oneofs(id);
    }

    fn field(&mut self, of: u32, names: &mut HashSet<String>, numbers: &mut HashSet<i32>) -> Field {
        let name = self.name(names);
        let number = loop {
            let number = self.number(numbers.len() as i32);
            if numbers.insert(number) {
                break number;
            }
        };
        let cardinality = self.cardinality();
        let (kind, cardinality) = match cardinality {
            Cardinality::Map => (Kind::Message(self.entry()), cardinality),
            Cardinality::Repeated | Cardinality::Set if self.nests() => (Kind::Message(self.wrapper()), cardinality),
            Cardinality::Required => self.required(of),
            Cardinality::Implicit => match self.kind() {
                // As in proto3, where a message always tells its presence.
                kind @ Kind::Message(_) => (kind, Cardinality::Optional),
                kind => (kind, cardinality),
            },
            _ => (self.kind(), cardinality),
        };
        let mut field = Field { doc: self.doc(), ..Field::new(name, number, kind, cardinality) };
        self.wire(&mut field);
        if field.cardinality == Cardinality::Optional && self.dialect != Dialect::Proto3 && self.chance(4) {
            field.default = self.default(kind);
        }
        field
    }

    fn name(&mut self, names: &mut HashSet<String>) -> String {
        let odd = self.options.allows(Classes::ODD_NAMES) && self.dialect == Dialect::Mixed;
        loop {
            let name = match self.rng.below(4) {
                0 => (*self.rng.pick(WORDS)).to_owned(),
                1 if odd => (*self.rng.pick(ODD)).to_owned(),
                _ => format!("f{}{}", names.len(), "_long_name".repeat(self.rng.below(3) as usize)),
            };
            if names.insert(name.clone()) {
                return name;
            }
        }
    }

    fn number(&mut self, used: i32) -> i32 {
        let most = if self.dialect == Dialect::Thrift { i64::from(i16::MAX) } else { (1 << 29) - 1 };
        let number = match self.rng.below(8) {
            0 => 1 + self.rng.below(most as u64) as i32,
            1 => 1 + self.rng.below(200) as i32,
            _ => used + 1,
        };
        // Protocol Buffers keep these for themselves.
        if (19_000..20_000).contains(&number) { number - 1_000 } else { number }
    }

    fn cardinality(&mut self) -> Cardinality {
        use Cardinality::{Implicit, Map, Optional, Repeated, Required, Set};
        let (lists, maps) = (self.options.allows(Classes::LISTS), self.options.allows(Classes::MAPS));
        loop {
            let found = *self.rng.pick(&[Required, Optional, Optional, Implicit, Repeated, Repeated, Set, Map]);
            let legal = match self.dialect {
                Dialect::Proto2 => !matches!(found, Implicit | Set),
                Dialect::Proto3 => !matches!(found, Required | Set),
                Dialect::Thrift => found != Implicit,
                Dialect::Mixed => true,
            };
            let allowed = match found {
                Repeated | Set => lists,
                Map => maps,
                _ => true,
            };
            if legal && allowed {
                return found;
            }
        }
    }

    /// A required message is one of those after it, so that none requires itself.
    fn required(&mut self, of: u32) -> (Kind, Cardinality) {
        match self.kind() {
            Kind::Message(_) if of + 1 < self.records => {
                let later = self.rng.between(u64::from(of) + 1, u64::from(self.records) - 1);
                (Kind::Message(MessageId(later as u32)), Cardinality::Required)
            }
            kind @ Kind::Message(_) => (kind, Cardinality::Optional),
            kind => (kind, Cardinality::Required),
        }
    }

    fn kind(&mut self) -> Kind {
        loop {
            let kind = match self.rng.below(12) {
                0 => Kind::Bool,
                1..4 => Kind::Int(self.int()),
                4 if self.dialect != Dialect::Thrift => Kind::Float,
                5 => Kind::Double,
                6 | 7 => Kind::String,
                8 if self.options.allows(Classes::BYTES) => Kind::Bytes,
                9 => Kind::Enum(EnumId(self.rng.below(self.schema.enums.len() as u64) as u32)),
                10 | 11 if self.options.allows(Classes::MESSAGES) => {
                    Kind::Message(MessageId(self.rng.below(u64::from(self.records)) as u32))
                }
                _ => continue,
            };
            return kind;
        }
    }

    fn int(&mut self) -> Int {
        let (proto, thrift) = match self.dialect {
            Dialect::Proto2 | Dialect::Proto3 => (true, false),
            Dialect::Thrift => (false, true),
            Dialect::Mixed => (true, true),
        };
        let widths: &[Width] =
            if thrift { &[Width::W8, Width::W16, Width::W32, Width::W64] } else { &[Width::W32, Width::W64] };
        let width = *self.rng.pick(widths);
        let signed = !proto || self.chance(2);
        let encoding = match self.rng.below(3) {
            0 if proto && signed => Encoding::Zigzag,
            1 if proto && width >= Width::W32 => Encoding::Fixed,
            _ => Encoding::Varint,
        };
        Int { signed, width, encoding }
    }

    fn nests(&mut self) -> bool {
        matches!(self.dialect, Dialect::Thrift | Dialect::Mixed)
            && self.options.allows(Classes::MESSAGES)
            && self.chance(5)
    }

    fn add(&mut self, shape: Shape, fields: Vec<Field>) -> MessageId {
        let id = MessageId(self.schema.messages.len() as u32);
        let name = format!("{shape:?}{}", id.0);
        self.schema.messages.push(Message { name, fields, shape, ..Message::default() });
        id
    }

    fn entry(&mut self) -> MessageId {
        let any = self.options.allows(Classes::ANY_KEYS) && matches!(self.dialect, Dialect::Thrift | Dialect::Mixed);
        let key = match self.rng.below(8) {
            0 => Kind::Bool,
            1..4 => Kind::Int(self.int()),
            4 if any => self.kind(),
            _ => Kind::String,
        };
        let value = if self.nests() { Kind::Message(self.wrapper()) } else { self.kind() };
        let presence = |kind| match kind {
            _ if self.dialect == Dialect::Thrift => Cardinality::Required,
            Kind::Message(_) => Cardinality::Optional,
            _ => Cardinality::Implicit,
        };
        let fields = vec![Field::new("key", 1, key, presence(key)), Field::new("value", 2, value, presence(value))];
        self.add(Shape::Entry, fields)
    }

    fn wrapper(&mut self) -> MessageId {
        let (kind, cardinality) = match self.rng.below(5) {
            0 if self.options.allows(Classes::MAPS) => (Kind::Message(self.entry()), Cardinality::Map),
            1 => (Kind::Message(self.wrapper()), Cardinality::Repeated),
            2 => (self.kind(), Cardinality::Set),
            _ => (self.kind(), Cardinality::Repeated),
        };
        let mut field = Field::new("items", 1, kind, cardinality);
        self.wire(&mut field);
        self.add(Shape::Wrapper, vec![field])
    }

    /// What only the wire of Protocol Buffers sees.
    fn wire(&mut self, field: &mut Field) {
        let number = !matches!(field.kind, Kind::String | Kind::Bytes | Kind::Message(_));
        let list = matches!(field.cardinality, Cardinality::Repeated | Cardinality::Set);
        field.packed = number && list && self.dialect != Dialect::Thrift && self.chance(2);
        let groups = matches!(self.dialect, Dialect::Proto2 | Dialect::Mixed);
        let record = matches!(field.kind, Kind::Message(id) if id.0 < self.records);
        field.group = groups && record && self.chance(6);
    }

    fn default(&mut self, kind: Kind) -> Option<Constant> {
        Some(match kind {
            Kind::Bool => Constant::Bool(true),
            Kind::Int(int) => Constant::Int(i128::from(int.max())),
            Kind::Float | Kind::Double => Constant::Float(-0.5),
            Kind::String => Constant::String("a \"quoted\" \\ default\n".into()),
            Kind::Bytes => Constant::Bytes(vec![0, 0xff, b'a']),
            Kind::Enum(id) => Constant::Int(i128::from(self.schema.enumeration(id).values[0].number)),
            Kind::Message(_) => return None,
        })
    }

    /// Puts a few neighbours that can tell their presence into a oneof.
    fn oneofs(&mut self, id: u32) {
        let fields = self.schema.messages[id as usize].fields.len();
        let mut at = 0;
        while at < fields {
            let end = (at + 2 + self.rng.below(4) as usize).min(fields);
            let chosen = self.rng.one_in(5);
            let message = &mut self.schema.messages[id as usize];
            let members = &mut message.fields[at..end];
            if chosen && members.iter().all(|f| f.cardinality == Cardinality::Optional) {
                for field in members {
                    field.oneof = Some(message.oneofs.len() as u32);
                    field.default = None;
                }
                message.oneofs.push(format!("choice{}", message.oneofs.len()));
                at = end;
            } else {
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bantam_model::Layout;
    use std::sync::Arc;

    fn schemas(options: Options) -> impl Iterator<Item = Schema> {
        (0..400).map(move |seed| options.schema(&mut Rng::new(seed), 1 + seed as usize % 20))
    }

    #[test]
    fn every_schema_is_valid() {
        for (seed, schema) in schemas(Options::default()).enumerate() {
            Layout::new(Arc::new(schema), MessageId(0)).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        }
    }

    #[test]
    fn everything_comes_up() {
        let mut seen = HashSet::new();
        for schema in schemas(Options::default()) {
            for (at, message) in schema.messages.iter().enumerate() {
                seen.insert(format!("{:?}", message.shape));
                seen.extend((message.fields.len() > 64).then(|| "more than 64".to_owned()));
                seen.extend((!message.oneofs.is_empty()).then(|| "oneof".to_owned()));
                for field in &message.fields {
                    seen.insert(match field.kind {
                        Kind::Int(int) => format!("{int:?}"),
                        Kind::Message(id) if id.0 as usize == at => "recursion".into(),
                        Kind::Enum(id) => format!("open {}", schema.enumeration(id).open),
                        kind => format!("{kind}"),
                    });
                    seen.insert(format!("{:?}", field.cardinality));
                    seen.extend(field.packed.then(|| "packed".to_owned()));
                    seen.extend(field.group.then(|| "group".to_owned()));
                    seen.extend(ODD.contains(&&*field.name).then(|| "odd name".to_owned()));
                }
            }
        }
        // Signed ones: 2 wide × 3 encodings, 2 narrow × 2; unsigned ones: 2 × 2, 2 × 1.
        assert_eq!(seen.iter().filter(|s| s.starts_with("Int")).count(), 16, "{seen:?}");
        for one in [
            "Record",
            "Entry",
            "Wrapper",
            "more than 64",
            "oneof",
            "recursion",
            "open true",
            "open false",
            "bool",
            "float",
            "double",
            "string",
            "bytes",
            "message",
            "Required",
            "Optional",
            "Implicit",
            "Repeated",
            "Set",
            "Map",
            "packed",
            "group",
            "odd name",
        ] {
            assert!(seen.contains(one), "{one}");
        }
    }

    #[test]
    fn what_is_left_out_does_not_come_up() {
        let flat = Classes::MESSAGES | Classes::LISTS | Classes::MAPS | Classes::BYTES | Classes::ODD_NAMES;
        for schema in schemas(Options::default().without(flat)) {
            assert_eq!(schema.messages.len(), 1);
            for field in &schema.messages[0].fields {
                assert!(!field.cardinality.is_many() && field.kind != Kind::Bytes, "{field:?}");
                assert!(!ODD.contains(&&*field.name), "{field:?}");
            }
        }
    }

    #[test]
    fn the_dialects_keep_to_their_languages() {
        for schema in schemas(Options::default().dialect(Dialect::Proto3)) {
            assert!(schema.enums.iter().all(|e| e.open && e.values[0].number == 0));
            for field in schema.messages.iter().flat_map(|m| &m.fields) {
                assert!(!matches!(field.cardinality, Cardinality::Required | Cardinality::Set));
                assert!(!matches!(field.kind, Kind::Int(int) if int.width < Width::W32));
                assert!(!(19_000..20_000).contains(&field.number));
            }
        }
        for schema in schemas(Options::default().dialect(Dialect::Thrift)) {
            for field in schema.messages.iter().flat_map(|m| &m.fields) {
                assert!(field.kind != Kind::Float && !matches!(field.kind, Kind::Int(int) if !int.signed));
                assert!((1..=i32::from(i16::MAX)).contains(&field.number));
            }
        }
    }
}
