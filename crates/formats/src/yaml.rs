//! YAML 1.2 (<https://yaml.org/spec/1.2.2/>) through `serde-saphyr` and the serde adapter.

use bantam_model::adapter::{Reader, Record, Records, Style};
use bantam_model::{Batch, Error, ErrorKind, Layout, Limits, Result, Row};
use serde::Serialize;
use serde::de::DeserializeSeed;
use serde::ser::{SerializeSeq, Serializer};
use serde_saphyr::FlowMap;
use std::ops::Range;
use std::sync::Arc;

use crate::codec::{Codec, Framing};

pub(crate) struct Yaml {
    pub(crate) layout: Arc<Layout>,
    pub(crate) flow: bool,
}

struct Flow<'b>(&'b Batch<'b>);
impl Serialize for Flow<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut seq = s.serialize_seq(Some(self.0.len()))?;
        for row in self.0.rows() {
            seq.serialize_element(&FlowMap(Record::new(row, Style::YAML)))?;
        }
        seq.end()
    }
}

pub(crate) fn options(limits: &Limits) -> serde_saphyr::Options {
    let depth = 2 * limits.max_depth() as usize + 8;
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_events: usize::MAX, max_nodes: usize::MAX, max_total_scalar_bytes: usize::MAX, max_total_comment_bytes: usize::MAX,
            max_documents: usize::MAX, max_depth: depth, flow_nesting_limit: depth, simple_key_max_lookahead: usize::MAX,
            max_aliases: 1_000_000, enforce_alias_anchor_ratio: false,
        },
        duplicate_keys: serde_saphyr::options::DuplicateKeyPolicy::PassThrough,
        merge_keys: serde_saphyr::options::MergeKeyPolicy::AsOrdinary,
        with_snippet: false,
        emit_comments: false,
        ignore_binary_tag_for_string: true,
        non_finite_float_policy: serde_saphyr::options::NonFiniteFloatPolicy::AsString,
    }
}

impl Yaml {
    fn ser(&self) -> serde_saphyr::SerializerOptions {
        serde_saphyr::ser_options! { prefer_block_scalars: false }
    }
    fn read<'a>(&self, input: &'a [u8], at: Range<usize>, list: bool, batch: &mut Batch<'a>) -> Result<()> {
        let text = std::str::from_utf8(&input[at.clone()]).map_err(|_| Error::new(ErrorKind::Text, "utf8"))?;
        let options = options(batch.limits());
        let mut reader = Reader::new(&self.layout, batch, Style::YAML);
        let read = serde_saphyr::with_deserializer_from_str_with_options(text, options, |de| {
            if list { reader.records().deserialize(de) } else { reader.record().deserialize(de) }
        });
        read.map_err(|e| {
            let e = e.without_snippet();
            let byte = e.location().map(|l| (l.span().byte_offset(), l.line(), l.column()));
            reader.error(ErrorKind::Syntax, format!("{e} {byte:?}"))
        })
    }
}
impl Codec for Yaml {
    fn encode_each(&mut self, row: Row<'_>, out: &mut Vec<u8>) -> Result<()> {
        serde_saphyr::to_io_writer_with_options(out, &Record::new(row, Style::YAML), self.ser())
            .map_err(|e| Error::new(ErrorKind::Unsupported, e.to_string()))
    }
    fn decode_each<'a>(&mut self, input: &'a [u8], at: Range<usize>, batch: &mut Batch<'a>) -> Result<()> {
        self.read(input, at, false, batch)
    }
    fn encode(&mut self, batch: &Batch<'_>, framing: Framing, out: &mut Vec<u8>) -> Result<()> {
        if self.flow {
            serde_saphyr::to_io_writer_with_options(out, &Flow(batch), self.ser())
        } else {
            serde_saphyr::to_io_writer_with_options(out, &Records::new(batch).style(Style::YAML), self.ser())
        }
        .map_err(|e| Error::new(ErrorKind::Unsupported, e.to_string()))
    }
    fn decode<'a>(&mut self, input: &'a [u8], framing: Framing, batch: &mut Batch<'a>) -> Result<()> {
        batch.reset(input)?;
        self.read(input, 0..input.len(), true, batch)
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::*;
    use bantam_model::{Lowerings, compare};
    #[test]
    fn experiment() {
        let layout = numbers();
        let mut batch = Batch::new(layout.clone());
        for i in 0..10_000u64 {
            let row = batch.push_record().unwrap();
            for (k, v) in [3_232_300_800 + i, 4_000_000_000 - i, 1024 + i % 1000, 443].into_iter().enumerate() {
                batch.set(row, &layout.root().slots[k], v);
            }
        }
        for flow in [false, true] {
            let mut codec = Yaml { layout: layout.clone(), flow };
            let mut out = Vec::new();
            let t = std::time::Instant::now();
            codec.encode(&batch, Framing::List, &mut out).unwrap();
            let e = t.elapsed();
            let mut back = Batch::new(layout.clone()).renew();
            let t = std::time::Instant::now();
            codec.decode(&out, Framing::List, &mut back).unwrap();
            println!(
                "flow {flow} enc {e:?} dec {:?} bytes {}\n{}",
                t.elapsed(),
                out.len(),
                String::from_utf8_lossy(&out[..160])
            );
        }
        let layout = everything();
        for flow in [false, true] {
            let mut shown = 0;
            let mut fails = 0;
            for seed in 0..200 {
                let batch = random(&layout, 2, seed);
                let mut codec = Yaml { layout: layout.clone(), flow };
                let mut out = Vec::new();
                codec.encode(&batch, Framing::List, &mut out).unwrap();
                if seed == 0 && !flow {
                    println!("{}", String::from_utf8_lossy(&out));
                }
                let mut back = Batch::new(layout.clone()).renew();
                let r = codec
                    .decode(&out, Framing::List, &mut back)
                    .map_err(|e| e.to_string())
                    .and_then(|()| compare(&batch, &back, Lowerings::NONE).map_err(|e| e.to_string()));
                if let Err(e) = r {
                    fails += 1;
                    shown += 1;
                    if shown < 12 {
                        println!("flow {flow} seed {seed}: {e}");
                    }
                }
            }
            println!("flow {flow} fails {fails}");
        }
    }
}
