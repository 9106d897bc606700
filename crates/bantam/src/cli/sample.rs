//! `bantam sample`: seeded records.

use super::args::Sample;
use super::files::{STANDARD, format, format_of_name, framing, packed, write_each};
use super::stop::Stop;
use super::{ALL_WELL, print};
use bantam::sample::SAMPLES;
use bantam::{Schemas, Target};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;

pub(super) fn run(args: &Sample) -> Result<u8, Stop> {
    let Some(name) = &args.name else { return list(args.json) };
    let sample = bantam::sample::find(name).expect("the definitions allow only names of samples");
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
    schemas.add(&format!("sample:{name}"), &[])?;
    let layout = schemas.layout()?;
    let batch = sample.generate(args.seed, args.records.unwrap_or(sample.records), &layout)?;
    let framing = framing(args.framing.as_deref()).or(Some(format.framings[0]));
    let written = Target { format, framing }.write(&batch, &schemas)?;
    write_each(output, &packed(output, written.documents)?, format)?;
    Ok(ALL_WELL)
}

fn list(as_json: bool) -> Result<u8, Stop> {
    if as_json {
        let rows: Vec<_> =
            SAMPLES.iter().map(|s| json!({"name": s.name, "about": s.about, "records": s.records})).collect();
        return print(format!("{:#}\n", Value::from(rows)).as_bytes());
    }
    let mut out = String::new();
    for sample in SAMPLES {
        let _ = writeln!(
            out,
            "{:<12}{} ({} records unless --records says otherwise)",
            sample.name, sample.about, sample.records
        );
    }
    print(out.as_bytes())
}
