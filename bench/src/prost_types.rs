//! Protocol Buffers: what prost generates for the samples' schemas.

use crate::pair::Pairs;
use crate::{decoding, encoding, records};
use bantam_sample::Sample;
use std::hint::black_box;

#[derive(Clone, PartialEq, prost::Message)]
struct Dns {
    #[prost(fixed32, required, tag = "1")]
    sip: u32,
    #[prost(fixed32, required, tag = "2")]
    dip: u32,
    #[prost(uint32, required, tag = "3")]
    sport: u32,
    #[prost(uint32, required, tag = "4")]
    dport: u32,
}

#[derive(Clone, PartialEq, prost::Message)]
struct DnsList {
    #[prost(message, repeated, tag = "1")]
    records: Vec<Dns>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct DnsText {
    #[prost(string, required, tag = "1")]
    key: String,
    #[prost(string, required, tag = "2")]
    value: String,
    #[prost(string, required, tag = "3")]
    first: String,
    #[prost(string, required, tag = "4")]
    last: String,
    #[prost(string, optional, tag = "5", default = "A")]
    r#type: Option<String>,
    #[prost(int32, optional, tag = "6", default = "86400")]
    ttl: Option<i32>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct DnsTextList {
    #[prost(message, repeated, tag = "1")]
    records: Vec<DnsText>,
}

pub(crate) fn pairs(pairs: &mut Pairs, sample: &Sample) {
    match sample.name {
        "dns" => of::<DnsList>(pairs, sample, 0.6),
        _ => of::<DnsTextList>(pairs, sample, 2.0),
    }
}

fn of<M: prost::Message + Default + 'static>(pairs: &mut Pairs, sample: &Sample, aim: f64) {
    let (batch, bytes) = records(sample, "proto", "protobuf");
    let message = M::decode(&bytes[..]).expect("prost reads what Bantam writes");
    assert!(message.encode_to_vec() == bytes, "prost writes the same bytes");
    let (batch, bytes): (&'static _, &'static [u8]) = (Box::leak(Box::new(batch)), bytes.leak());
    let decode = format!("{} protobuf decode / prost", sample.name);
    pairs.add(decode, sample.records, Some(aim), decoding(batch, "protobuf", bytes), move || {
        black_box(M::decode(bytes).expect("read before"));
    });
    let mut out = Vec::new();
    let encode = format!("{} protobuf encode / prost", sample.name);
    pairs.add(encode, sample.records, Some(aim), encoding(batch, "protobuf"), move || {
        out.clear();
        message.encode(&mut out).expect("a vector grows");
    });
}
