//! `bantam weigh`: the main job.

use super::args::{Report, Weigh};
use super::document::Document;
use super::files::{STANDARD, format, framing, read, shown, write};
use super::held::Held;
use super::machine::Watch;
use super::native;
use super::stop::Stop;
use super::{note, progress_bar, tell};
use bantam::formats::Framing;
use bantam::model::Lowerings;
use bantam::report::Options;
use bantam::weigh::{MonotonicClock, Plan, Progress, Weighing};
use bantam::{Dataset, EachOptions, Selection, weigh_in};
use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

pub(super) fn run(args: &Weigh) -> Result<u8, Stop> {
    let selection = selection(args)?;
    if args.html.as_deref() == Some(STANDARD) {
        // Two reports would run into each other.
        return Err(Stop::Usage("--html takes a file; --report html prints the page".to_owned()));
    }
    let held = Held::read(args)?;
    let plan = if args.quick { Plan { warmed: true, ..Plan::quick() } } else { Plan::default() };
    let mut weighing = match &args.sample {
        Some(name) => of_sample(args, name, &selection, &plan)?,
        None => of_files(args, &selection, &plan)?,
    };
    weighing.advise();
    weighing.weigh_links(&args.link);
    if let Some(file) = &args.html {
        write_page(&weighing, file)?;
    }
    show(&weighing, &args.report)?;
    held.finish(&weighing)
}

/// Writes the page beside the report that goes to standard output.
fn write_page(weighing: &Weighing, file: &str) -> Result<(), Stop> {
    let report = bantam::report::by_name("html").expect("a row of the table");
    let mut page = Vec::new();
    report.render(weighing, &Options::default(), &mut page)?;
    write(file, &page)?;
    note(&format!("the page is in {file}"));
    Ok(())
}

fn selection(args: &Weigh) -> Result<Selection, Stop> {
    let mut selection = Selection { framing: framing(args.framing.as_deref()), ..Selection::default() };
    if args.each {
        if selection.framing.is_some_and(|framing| framing != Framing::Each) {
            return Err(Stop::Usage("--each weighs every record by itself; no other framing goes with it".to_owned()));
        }
        let options = if args.quick { EachOptions::quick() } else { EachOptions::default() };
        selection.framing = Some(Framing::Each);
        selection.each = Some(EachOptions { dictionary: args.dictionary.map(|bytes| bytes as usize), ..options });
    }
    if let Some(list) = &args.formats {
        selection.formats = Selection::formats_of(list)?;
    }
    if args.quick {
        // gzip is zlib with another header, and leaving each field out takes its time: a first look can do without.
        selection.compressors.retain(|c| c.compressor.name != "gzip");
        selection.fields_under = None;
    }
    if args.compress.is_empty() {
        return Ok(selection);
    }
    let mut chosen = Vec::new();
    for &choice in &args.compress {
        if !chosen.contains(&choice) {
            chosen.push(choice);
        }
    }
    Ok(selection.compressed_by(chosen))
}

fn of_sample(args: &Weigh, name: &str, selection: &Selection, plan: &Plan) -> Result<Weighing, Stop> {
    let sample = bantam::sample::find(name).expect("the definitions allow only names of samples");
    if let Some(document) = Document::of(sample, args.seed, args.records) {
        let input = document.input()?;
        return weigh(args, &document.records(&input, &args.reading.request()?)?, selection, plan);
    }
    let mut schemas = args.reading.schemas()?;
    if schemas.is_none() {
        schemas.add(&format!("sample:{name}"), &[])?;
    }
    let layout = schemas.layout()?;
    let records = args.records.unwrap_or(sample.records);
    let batch = sample.generate(args.seed, records, &layout)?;
    // As `bantam sample NAME` would write it.
    let format = format(args.reading.from.as_deref().or(Some("json"))).expect("json is in the table");
    let dataset = Dataset {
        name: name.to_owned(),
        format,
        bytes: Cow::Borrowed(&[]),
        files: Vec::new(),
        seed: Some(args.seed),
        schemas,
        batch,
        lowered: Lowerings::NONE,
        skipped: 0,
        notes: Vec::new(),
    };
    weigh(args, &dataset, selection, plan)
}

/// Several files of one format are weighed as one: their records together, against the sum of their bytes.
fn of_files(args: &Weigh, selection: &Selection, plan: &Plan) -> Result<Weighing, Stop> {
    let request = args.reading.request()?;
    let inputs = args.files.iter().map(|name| read(name, args.reading.max_expanded)).collect::<Result<Vec<_>, _>>()?;
    let mut dataset = match &inputs[..] {
        [one] => Dataset::read(one, &request).map_err(|e| Stop::in_file(shown(&one.name), &e))?,
        several => Dataset::read_all(several, &request)?,
    };
    dataset.name = shown(&dataset.name).to_owned();
    dataset.notes.iter().for_each(|n| tell(n, &dataset.name));
    weigh(args, &dataset, selection, plan)
}

fn weigh(args: &Weigh, dataset: &Dataset<'_>, selection: &Selection, plan: &Plan) -> Result<Weighing, Stop> {
    if dataset.batch.is_empty() {
        return Err(Stop::Failed { what: dataset.name.clone(), error: "there are no records to weigh".to_owned() });
    }
    // First, so that it does not take a weigh-in to find that there is nothing to build with.
    let native = args.native.then(|| native::lane(dataset, args.quick)).transpose()?;
    let clock = MonotonicClock::new();
    let watch = Watch::start();
    let bar = progress_bar();
    let mut weighing = weigh_in(dataset, selection, plan, &clock, &mut |step| match step {
        Progress::Check { task, done, of } => {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
            bar.set_message(format!("reading back {task}"));
        }
        Progress::WarmUp { task, done, of } => {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
            bar.set_message(format!("warming up {task}"));
        }
        Progress::Round { done, of } => {
            bar.set_length(u64::from(of));
            bar.set_position(u64::from(done));
            bar.set_message("measuring in rounds");
        }
    })?;
    bar.finish_and_clear();
    weighing.environment = watch.environment(&clock);
    if let Some(native) = native {
        weighing.rows.extend(native.rows);
        weighing.includes.extend(native.includes);
    }
    Ok(weighing)
}

fn show(weighing: &Weighing, report: &Report) -> Result<(), Stop> {
    let name = match report {
        Report { json: true, .. } => "json",
        Report { csv: true, .. } => "csv",
        Report { name, .. } => name.as_deref().unwrap_or("terminal"),
    };
    let report = bantam::report::by_name(name).expect("the definitions allow only names of reports");
    let stdout = anstream::stdout();
    let color = stdout.current_choice() != anstream::ColorChoice::Never && io::stdout().is_terminal();
    let width = terminal_size::terminal_size().map_or(100, |(w, _)| usize::from(w.0).clamp(60, 100));
    let mut out = Vec::new();
    report.render(weighing, &Options { color, width, unicode: true }, &mut out)?;
    let mut stdout = io::stdout().lock();
    stdout.write_all(&out)?;
    stdout.flush()?;
    Ok(())
}
