//! `bantam formats`: the table of formats.

use super::args::Listing;
use super::print;
use super::stop::Stop;
use bantam::all_formats;
use bantam::formats::Format;
use serde_json::{Value, json};
use std::fmt::Write;

pub(super) fn run(args: &Listing) -> Result<u8, Stop> {
    let text = if args.json {
        let rows: Vec<_> = all_formats().map(as_json).collect();
        format!("{:#}\n", Value::from(rows))
    } else {
        as_text()
    };
    print(text.as_bytes())
}

fn as_json(format: &Format) -> Value {
    let framings: Vec<_> = format.framings.iter().map(|f| f.name()).chain(["each"]).collect();
    let codecs: Vec<_> = format.engines.iter().map(|e| json!({"name": e.name, "adapter": e.adapter})).collect();
    json!({
        "name": format.name,
        "about": format.about,
        "extensions": format.extensions,
        "framings": framings,
        "text": format.text,
        "reads": format.reads(),
        "writes": format.writes(),
        "only": format.only(),
        "codecs": codecs,
        "lowers": format.lowers.texts().collect::<Vec<_>>(),
        "forgets": format.forgets.texts().collect::<Vec<_>>(),
    })
}

fn as_text() -> String {
    let mut out = String::new();
    for format in all_formats() {
        let codecs: Vec<_> = format.engines.iter().map(|e| e.name).collect();
        let extensions: Vec<_> = format.extensions.iter().map(|e| format!(".{e}")).collect();
        let framings: Vec<_> = format.framings.iter().map(|f| f.name()).chain(["each"]).collect();
        let _ = writeln!(out, "{:<15}{}", format.name, format.about);
        let _ = writeln!(out, "{:15}codecs {}; framings {}", "", codecs.join(", "), framings.join(", "));
        if let Some(message) = format.only() {
            let ways = match (format.reads(), format.writes()) {
                (true, true) => "read and written",
                (true, false) => "only read",
                _ => "only written",
            };
            let _ = writeln!(out, "{:15}holds {message} alone; {ways}", "");
        }
        if !extensions.is_empty() {
            let _ = writeln!(out, "{:15}files {}", "", extensions.join(", "));
        }
        for (word, set) in [("lowers", format.lowers), ("forgets", format.forgets)] {
            if !set.is_empty() {
                let _ = writeln!(out, "{:15}{word}: {set}", "");
            }
        }
        out.push('\n');
    }
    out.pop();
    out
}
