//! Thrift: structs read and written field by field, as the official compiler's Rust code does, through its
//! `dyn` protocols (what users get) and through the concrete type (what the library could give).

use crate::pair::Pairs;
use crate::{decoding, encoding, records};
use bantam_sample::Sample;
use std::hint::black_box;
use thrift::protocol::{
    TBinaryInputProtocol, TBinaryOutputProtocol, TCompactInputProtocol, TCompactOutputProtocol, TFieldIdentifier,
    TInputProtocol, TListIdentifier, TOutputProtocol, TStructIdentifier, TType, verify_required_field_exists,
};

/// What the compiler makes a struct do.
trait Struct: Sized {
    fn read<P: TInputProtocol + ?Sized>(from: &mut P) -> thrift::Result<Self>;
    fn write<P: TOutputProtocol + ?Sized>(&self, to: &mut P) -> thrift::Result<()>;
}

struct Dns {
    sip: i64,
    dip: i64,
    sport: i32,
    dport: i32,
}

impl Struct for Dns {
    fn read<P: TInputProtocol + ?Sized>(from: &mut P) -> thrift::Result<Self> {
        let (mut sip, mut dip, mut sport, mut dport) = (None, None, None, None);
        from.read_struct_begin()?;
        loop {
            let field = from.read_field_begin()?;
            if field.field_type == TType::Stop {
                break;
            }
            match field.id {
                Some(1) => sip = Some(from.read_i64()?),
                Some(2) => dip = Some(from.read_i64()?),
                Some(3) => sport = Some(from.read_i32()?),
                Some(4) => dport = Some(from.read_i32()?),
                _ => from.skip(field.field_type)?,
            }
            from.read_field_end()?;
        }
        from.read_struct_end()?;
        verify_required_field_exists("Dns.sip", &sip)?;
        verify_required_field_exists("Dns.dip", &dip)?;
        verify_required_field_exists("Dns.sport", &sport)?;
        verify_required_field_exists("Dns.dport", &dport)?;
        let there = "verified to be there";
        Ok(Self {
            sip: sip.expect(there),
            dip: dip.expect(there),
            sport: sport.expect(there),
            dport: dport.expect(there),
        })
    }

    fn write<P: TOutputProtocol + ?Sized>(&self, to: &mut P) -> thrift::Result<()> {
        to.write_struct_begin(&TStructIdentifier::new("Dns"))?;
        to.write_field_begin(&TFieldIdentifier::new("sip", TType::I64, 1))?;
        to.write_i64(self.sip)?;
        to.write_field_end()?;
        to.write_field_begin(&TFieldIdentifier::new("dip", TType::I64, 2))?;
        to.write_i64(self.dip)?;
        to.write_field_end()?;
        to.write_field_begin(&TFieldIdentifier::new("sport", TType::I32, 3))?;
        to.write_i32(self.sport)?;
        to.write_field_end()?;
        to.write_field_begin(&TFieldIdentifier::new("dport", TType::I32, 4))?;
        to.write_i32(self.dport)?;
        to.write_field_end()?;
        to.write_field_stop()?;
        to.write_struct_end()
    }
}

struct DnsText {
    texts: [String; 4],
    first: String,
    ttl: i32,
}

/// The fields of `DnsText` that are strings: 1 key, 2 value, 3 type, 6 last; 5 is first, apart since 4 is the ttl.
const TEXTS: [(&str, i16); 4] = [("key", 1), ("value", 2), ("type", 3), ("last", 6)];

impl Struct for DnsText {
    fn read<P: TInputProtocol + ?Sized>(from: &mut P) -> thrift::Result<Self> {
        let (mut key, mut value, mut kind, mut ttl, mut first, mut last) = (None, None, None, None, None, None);
        from.read_struct_begin()?;
        loop {
            let field = from.read_field_begin()?;
            if field.field_type == TType::Stop {
                break;
            }
            match field.id {
                Some(1) => key = Some(from.read_string()?),
                Some(2) => value = Some(from.read_string()?),
                Some(3) => kind = Some(from.read_string()?),
                Some(4) => ttl = Some(from.read_i32()?),
                Some(5) => first = Some(from.read_string()?),
                Some(6) => last = Some(from.read_string()?),
                _ => from.skip(field.field_type)?,
            }
            from.read_field_end()?;
        }
        from.read_struct_end()?;
        verify_required_field_exists("DnsText.key", &key)?;
        verify_required_field_exists("DnsText.value", &value)?;
        verify_required_field_exists("DnsText.first", &first)?;
        verify_required_field_exists("DnsText.last", &last)?;
        let there = "set in every record";
        Ok(Self {
            texts: [key, value, kind, last].map(|text| text.expect(there)),
            first: first.expect(there),
            ttl: ttl.expect(there),
        })
    }

    fn write<P: TOutputProtocol + ?Sized>(&self, to: &mut P) -> thrift::Result<()> {
        let text = |to: &mut P, name: &'static str, id: i16, text: &str| -> thrift::Result<()> {
            to.write_field_begin(&TFieldIdentifier::new(name, TType::String, id))?;
            to.write_string(text)?;
            to.write_field_end()
        };
        to.write_struct_begin(&TStructIdentifier::new("DnsText"))?;
        for at in 0..3 {
            text(to, TEXTS[at].0, TEXTS[at].1, &self.texts[at])?;
        }
        to.write_field_begin(&TFieldIdentifier::new("ttl", TType::I32, 4))?;
        to.write_i32(self.ttl)?;
        to.write_field_end()?;
        text(to, "first", 5, &self.first)?;
        text(to, TEXTS[3].0, TEXTS[3].1, &self.texts[3])?;
        to.write_field_stop()?;
        to.write_struct_end()
    }
}

fn read_list<T: Struct, P: TInputProtocol + ?Sized>(from: &mut P) -> thrift::Result<Vec<T>> {
    let mut records = Vec::new();
    from.read_struct_begin()?;
    loop {
        let field = from.read_field_begin()?;
        if field.field_type == TType::Stop {
            break;
        }
        let list = from.read_list_begin()?;
        records = Vec::with_capacity(list.size as usize);
        for _ in 0..list.size {
            records.push(T::read(from)?);
        }
        from.read_list_end()?;
        from.read_field_end()?;
    }
    from.read_struct_end()?;
    Ok(records)
}

fn write_list<T: Struct, P: TOutputProtocol + ?Sized>(records: &[T], to: &mut P) -> thrift::Result<()> {
    to.write_struct_begin(&TStructIdentifier::new("List"))?;
    to.write_field_begin(&TFieldIdentifier::new("records", TType::List, 1))?;
    to.write_list_begin(&TListIdentifier::new(TType::Struct, records.len() as i32))?;
    records.iter().try_for_each(|record| record.write(to))?;
    to.write_list_end()?;
    to.write_field_end()?;
    to.write_field_stop()?;
    to.write_struct_end()
}

pub(crate) fn pairs(pairs: &mut Pairs, sample: &Sample) {
    match sample.name {
        "dns" => of::<Dns>(pairs, sample),
        _ => of::<DnsText>(pairs, sample),
    }
}

const READ: &str = "read before";
const GROWS: &str = "a vector grows";

fn of<T: Struct + 'static>(pairs: &mut Pairs, sample: &Sample) {
    let (batch, bytes) = records(sample, "thrift", "thrift-binary");
    let (batch, bytes): (&'static _, &'static [u8]) = (Box::leak(Box::new(batch)), bytes.leak());
    let values: Vec<T> =
        read_list(&mut TBinaryInputProtocol::new(bytes, true)).expect("thrift reads what Bantam writes");
    let mut out = Vec::new();
    write_list(&values, &mut TBinaryOutputProtocol::new(&mut out, true)).expect(GROWS);
    assert!(out == bytes, "thrift writes the same bytes");
    let values: &'static [T] = values.leak();
    let (name, count) = (sample.name, sample.records);
    let (decode, encode) = (|| decoding(batch, "thrift-binary", bytes), || encoding(batch, "thrift-binary"));

    pairs.add(format!("{name} thrift-binary decode / thrift"), count, Some(2.0), decode(), move || {
        let mut from = TBinaryInputProtocol::new(bytes, true);
        black_box(read_list::<T, dyn TInputProtocol>(&mut from).expect(READ));
    });
    pairs.add(format!("{name} thrift-binary decode / thrift, no dyn"), count, None, decode(), move || {
        black_box(read_list::<T, _>(&mut TBinaryInputProtocol::new(bytes, true)).expect(READ));
    });
    let mut out = Vec::new();
    pairs.add(format!("{name} thrift-binary encode / thrift"), count, Some(2.0), encode(), move || {
        out.clear();
        let mut to = TBinaryOutputProtocol::new(&mut out, true);
        write_list::<T, dyn TOutputProtocol>(values, &mut to).expect(GROWS);
    });
    let mut out = Vec::new();
    pairs.add(format!("{name} thrift-binary encode / thrift, no dyn"), count, None, encode(), move || {
        out.clear();
        write_list(values, &mut TBinaryOutputProtocol::new(&mut out, true)).expect(GROWS);
    });
    compact(pairs, sample, values);
}

fn compact<T: Struct>(pairs: &mut Pairs, sample: &Sample, values: &'static [T]) {
    let (batch, bytes) = records(sample, "thrift", "thrift-compact");
    let (batch, bytes): (&'static _, &'static [u8]) = (Box::leak(Box::new(batch)), bytes.leak());
    let mut out = Vec::new();
    write_list(values, &mut TCompactOutputProtocol::new(&mut out)).expect(GROWS);
    assert!(out == bytes, "thrift writes the same compact bytes");
    let (name, count) = (sample.name, sample.records);
    let read = format!("{name} thrift-compact decode / thrift");
    pairs.add(read, count, None, decoding(batch, "thrift-compact", bytes), move || {
        let mut from = TCompactInputProtocol::new(bytes);
        black_box(read_list::<T, dyn TInputProtocol>(&mut from).expect(READ));
    });
    let write = format!("{name} thrift-compact encode / thrift");
    pairs.add(write, count, None, encoding(batch, "thrift-compact"), move || {
        out.clear();
        let mut to = TCompactOutputProtocol::new(&mut out);
        write_list::<T, dyn TOutputProtocol>(values, &mut to).expect(GROWS);
    });
}
