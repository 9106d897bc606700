//! JSON: derived types with `serde_json`, strings owned as people mostly write them, and borrowed.

use crate::pair::Pairs;
use crate::{decoding, encoding, records};
use bantam_sample::Sample;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::hint::black_box;

#[derive(Serialize, Deserialize)]
struct Dns {
    sip: u32,
    dip: u32,
    sport: u32,
    dport: u32,
}

#[derive(Serialize, Deserialize)]
struct DnsText {
    key: String,
    value: String,
    first: String,
    last: String,
    r#type: String,
    ttl: i32,
}

#[derive(Serialize, Deserialize)]
struct Borrowed<'a> {
    key: &'a str,
    value: &'a str,
    first: &'a str,
    last: &'a str,
    r#type: &'a str,
    ttl: i32,
}

pub(crate) fn pairs(pairs: &mut Pairs, sample: &Sample) {
    match sample.name {
        "dns" => of::<Dns>(pairs, sample),
        _ => {
            of::<DnsText>(pairs, sample);
            let (batch, bytes) = records(sample, "proto", "json");
            let bytes: &'static [u8] = bytes.leak();
            let name = format!("{} json decode / serde_json borrowed", sample.name);
            pairs.add(name, sample.records, None, decoding(&batch, "json", bytes), move || {
                black_box(serde_json::from_slice::<Vec<Borrowed<'_>>>(bytes).expect("read before"));
            });
        }
    }
}

fn of<T: Serialize + DeserializeOwned + 'static>(pairs: &mut Pairs, sample: &Sample) {
    let (batch, bytes) = records(sample, "proto", "json");
    let values: Vec<T> = serde_json::from_slice(&bytes).expect("serde_json reads what Bantam writes");
    assert!(serde_json::to_vec(&values).expect("plain types") == bytes, "serde_json writes the same bytes");
    let (batch, bytes): (&'static _, &'static [u8]) = (Box::leak(Box::new(batch)), bytes.leak());
    let decode = format!("{} json decode / serde_json", sample.name);
    pairs.add(decode, sample.records, Some(1.0), decoding(batch, "json", bytes), move || {
        black_box(serde_json::from_slice::<Vec<T>>(bytes).expect("read before"));
    });
    let mut out = Vec::new();
    let encode = format!("{} json encode / serde_json", sample.name);
    pairs.add(encode, sample.records, None, encoding(batch, "json"), move || {
        out.clear();
        serde_json::to_writer(&mut out, &values).expect("a vector grows");
    });
}
