//! `bantam sample`: seeded records.

use super::args::Sample as Args;
use super::document::Document;
use super::files::{STANDARD, format, format_of_name, framing, packed, write_each};
use super::stop::Stop;
use super::{ALL_WELL, print};
use bantam::formats::Format;
use bantam::model::Batch;
use bantam::sample::{SAMPLES, Sample};
use bantam::{Request, Schemas, Target};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

pub(super) fn run(args: &Args) -> Result<u8, Stop> {
    let Some(name) = &args.name else { return list(args.json) };
    let sample = bantam::sample::find(name).expect("the definitions allow only names of samples");
    match Document::of(sample, args.seed, args.records) {
        Some(document) => of_document(args, &document)?,
        None => of_records(args, sample)?,
    }
    Ok(ALL_WELL)
}

fn of_document(args: &Args, document: &Document) -> Result<(), Stop> {
    let output = args.output.as_deref().unwrap_or(STANDARD);
    let named = format(args.to.as_deref());
    let format = named.or_else(|| format_of_name(output));
    let Some(format) = format.filter(|format| document.is_other(format, named.is_some())) else {
        return document.write(output, framing(args.framing.as_deref()));
    };
    let input = document.input()?;
    let dataset = document.records(&input, &Request::default())?;
    write(args, output, format, &dataset.batch, &dataset.schemas)
}

fn of_records(args: &Args, sample: &Sample) -> Result<(), Stop> {
    let output = args.output.as_deref().unwrap_or(STANDARD);
    let format = match format(args.to.as_deref()).or_else(|| format_of_name(output)) {
        Some(format) => format,
        None if Path::new(output).extension().is_none() => bantam::formats::find("json").expect("json is in the table"),
        None => {
            let text = format!("which format shall {output} have? Name it with --to (see `bantam formats`)");
            return Err(Stop::Usage(text));
        }
    };
    let mut schemas = Schemas::none();
    schemas.add(&format!("sample:{}", sample.name), &[])?;
    let batch = sample.generate(args.seed, args.records.unwrap_or(sample.records), &schemas.layout()?)?;
    write(args, output, format, &batch, &schemas)
}

fn write(args: &Args, output: &str, format: &'static Format, batch: &Batch<'_>, schemas: &Schemas) -> Result<(), Stop> {
    let framing = framing(args.framing.as_deref()).or(Some(format.framings[0]));
    let written = Target { format, framing }.write(batch, schemas)?;
    write_each(output, &packed(output, written.documents)?, format)
}

fn list(as_json: bool) -> Result<u8, Stop> {
    if as_json {
        let rows: Vec<_> =
            SAMPLES.iter().map(|s| json!({"name": s.name, "about": s.about, "records": s.records})).collect();
        return print(format!("{:#}\n", Value::from(rows)).as_bytes());
    }
    let mut out = String::new();
    for sample in SAMPLES {
        let Sample { name, about, records, .. } = sample;
        let record = if *records == 1 { "record" } else { "records" };
        let _ = writeln!(out, "{name:<12}{about} ({records} {record} unless --records says otherwise)");
    }
    print(out.as_bytes())
}
