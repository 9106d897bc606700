//! An earthquake's SeisComPML, and what is left of it as a Quake.

use crate::pair::Pairs;
use crate::quake_message::Quake;
use crate::quake_serde;
use bantam_formats::{Framing, find};
use bantam_model::Batch;
use bantam_quake::{Options, Reader, layout};
use bantam_sample::Make;
use prost::Message;
use std::hint::black_box;

pub(crate) fn pairs(pairs: &mut Pairs) {
    let document = document();
    let codec = || (find("protobuf").expect("a format").engines[0].build)(&layout()).expect("quakes are supported");
    let mut quakes = Batch::new(layout()).renew();
    Reader::new(Options::default()).read(document.as_bytes(), &mut quakes).expect("the sample is SeisComPML");
    let mut bytes = Vec::new();
    codec().encode(&quakes, Framing::Each, &mut bytes).expect("quakes can be written");
    assert!(quake_serde::read(document).encode_to_vec() == bytes, "both find the same quake");
    assert!(Quake::decode(&bytes[..]).expect("prost reads it").encode_to_vec() == bytes, "prost writes the same bytes");
    let bytes: &'static [u8] = bytes.leak();

    // The batches are for the document's lifetime, so each task has its own.
    let read = move || {
        let (mut reader, mut batch) = (Reader::new(Options::default()), Batch::new(layout()).renew());
        move || drop(reader.read(document.as_bytes(), &mut batch).expect("read before"))
    };
    let decode = move || {
        let (mut codec, mut batch) = (codec(), Batch::new(layout()).renew());
        move || codec.decode(bytes, Framing::Each, &mut batch).expect("read before")
    };
    let others_read = move || drop(black_box(quake_serde::read(document)));
    let others_decode = move || drop(black_box(Quake::decode(bytes).expect("read before")));
    pairs.add("seiscompml to Quake / quick-xml, serde".into(), 1, Some(3.0), read(), others_read);
    pairs.add("quake protobuf decode / prost".into(), 1, None, decode(), others_decode);
    // How much faster the Quake loads than the document it is of: the figure that the post gives as 180.
    pairs.add("quake protobuf decode / seiscompml, bantam both".into(), 1, None, decode(), read());
    pairs.add("quake protobuf decode / seiscompml, prost, serde".into(), 1, None, others_decode, others_read);
    println!("one event: SeisComPML {} bytes, Quake protobuf {} bytes", document.len(), bytes.len());
}

/// The sample's document.
fn document() -> &'static str {
    let sample = bantam_sample::find("quake").expect("a sample");
    let Make::Document { write, .. } = sample.make else { panic!("the sample is a document") };
    let mut document = Vec::new();
    write(1, 0..1, &mut document);
    Box::leak(String::from_utf8(document).expect("XML in UTF-8").into_boxed_str())
}
