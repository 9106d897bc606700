use bantam_formats::{Codec, Framing};
use bantam_model::*;
use prost::Message as _;
use std::sync::Arc;
use std::time::Instant;

#[global_allocator]
static ALLOC: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Clone, PartialEq, prost::Message)]
struct Dns {
    #[prost(fixed32, required, tag = "1")] sip: u32,
    #[prost(uint32, required, tag = "2")] dip: u32,
    #[prost(uint32, required, tag = "3")] sport: u32,
    #[prost(uint32, required, tag = "4")] dport: u32,
}
#[derive(Clone, PartialEq, prost::Message)]
struct DnsList { #[prost(message, repeated, tag = "1")] records: Vec<Dns> }
#[derive(Clone, PartialEq, prost::Message)]
struct Text {
    #[prost(string, required, tag = "1")] key: String,
    #[prost(string, required, tag = "2")] value: String,
    #[prost(string, required, tag = "3")] first: String,
    #[prost(string, required, tag = "4")] last: String,
    #[prost(string, optional, tag = "5")] r#type: Option<String>,
    #[prost(int32, optional, tag = "6")] ttl: Option<i32>,
}
#[derive(Clone, PartialEq, prost::Message)]
struct TextList { #[prost(message, repeated, tag = "1")] records: Vec<Text> }

struct Rng(u64);
impl Rng {
    fn next(&mut self) -> u64 { self.0 = self.0.wrapping_add(0x9E3779B97F4A7C15); let mut z = self.0; z = (z ^ (z >> 30)).wrapping_mul(0xBF58476D1CE4E5B9); z = (z ^ (z >> 27)).wrapping_mul(0x94D049BB133111EB); z ^ (z >> 31) }
    fn text(&mut self, n: usize) -> String { (0..n).map(|_| b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[(self.next() % 62) as usize] as char).collect() }
}
fn med(mut v: Vec<f64>) -> f64 { v.sort_by(f64::total_cmp); v[v.len() / 2] }
fn pair(name: &str, n: usize, mut a: impl FnMut(), mut b: impl FnMut()) {
    let (mut x, mut y) = (vec![], vec![]);
    for _ in 0..300 { let t = Instant::now(); a(); x.push(t.elapsed().as_nanos() as f64 / n as f64); let t = Instant::now(); b(); y.push(t.elapsed().as_nanos() as f64 / n as f64); }
    let (a, b) = (med(x), med(y));
    println!("{name}: bantam {a:.1} ns, other {b:.1} ns a record: {:.2}x", b / a);
}
fn main() {
    let f = |n: &str, i, k, c| Field::new(n, i, k, c);
    let mk = |fields| { let m = bantam_model::Message { name: "R".into(), fields, ..Default::default() }; Arc::new(Layout::new(Arc::new(Schema { messages: vec![m], enums: vec![] }), MessageId(0)).unwrap()) };
    let r = Cardinality::Required;
    let dns = mk(vec![f("sip", 1, Kind::Int(Int::U32.encoded(Encoding::Fixed)), r), f("dip", 2, Kind::Int(Int::U32), r), f("sport", 3, Kind::Int(Int::U32), r), f("dport", 4, Kind::Int(Int::U32), r)]);
    let s = Kind::String; let o = Cardinality::Optional;
    let text = mk(vec![f("key", 1, s, r), f("value", 2, s, r), f("first", 3, s, r), f("last", 4, s, r), f("type", 5, s, o), f("ttl", 6, Kind::Int(Int::I32), o)]);
    let mut g = Rng(1);
    let d = DnsList { records: (0..10000).map(|_| Dns { sip: 3200000000 + (g.next() % 255) as u32, dip: 1 + (g.next() % 4228250624) as u32, sport: 1024 + (g.next() % 1024) as u32, dport: [21, 22, 25, 80, 110, 443][(g.next() % 6) as usize] }).collect() };
    let t = TextList { records: (0..5000).map(|_| Text { key: g.text(15), value: g.text(20), first: g.text(15), last: g.text(15), r#type: Some(if g.next() % 2 == 0 { "A" } else { "CNAME" }.into()), ttl: Some([86400, 3600, 60][(g.next() % 3) as usize]) }).collect() };
    run("dns", dns, d, 10000);
    run("dns-text", text, t, 5000);
}
fn run<M: prost::Message + Default + PartialEq + Clone>(name: &str, layout: Arc<Layout>, m: M, n: usize) {
    let bytes = m.encode_to_vec();
    let mut codec = bantam_formats::protobuf::Protobuf::new(&layout).unwrap();
    let mut batch = Batch::new(layout.clone());
    codec.decode(&bytes, Framing::List, &mut batch).unwrap();
    let mut out = Vec::new();
    codec.encode(&batch, Framing::List, &mut out).unwrap();
    assert!(out == bytes);
    let kept = batch.clone();
    let (mut c1, mut c2) = (bantam_formats::protobuf::Protobuf::new(&layout).unwrap(), codec);
    pair(&format!("{name} decode"), n, || c1.decode(&bytes, Framing::List, &mut batch).unwrap(), || { std::hint::black_box(M::decode(&bytes[..]).unwrap()); });
    let mut out2 = Vec::new();
    pair(&format!("{name} encode"), n, || { out.clear(); c2.encode(&kept, Framing::List, &mut out).unwrap() }, || { out2.clear(); m.encode(&mut out2).unwrap() });
}
