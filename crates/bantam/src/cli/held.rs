//! A weigh-in that is kept, held against an earlier one, and against a budget.

use super::args::Weigh;
use super::files::write;
use super::stop::Stop;
use super::{ALL_WELL, SOME_FAILED, note};
use bantam::weigh::budget::{Bound, Outcome};
use bantam::weigh::{Change, Doubt, Verdict, Weighing};
use std::io::Write as _;

/// What is asked of a weigh-in once it is done; read before it starts, so that mistakes show early.
pub(super) struct Held {
    save: Option<String>,
    before: Option<Weighing>,
    budget: Vec<Bound>,
}

impl Held {
    pub(super) fn read(args: &Weigh) -> Result<Self, Stop> {
        let before = args.against.as_deref().map(load).transpose()?;
        let budget = match &args.budget {
            Some(text) => Bound::parse_all(text).map_err(|e| Stop::Usage(format!("--budget: {e}")))?,
            None => Vec::new(),
        };
        if let Some(bound) = budget.iter().find(|b| b.is_relative() && before.is_none()) {
            let text =
                format!("--budget `{}` is relative to an earlier weighing; name it with --against FILE", bound.text);
            return Err(Stop::Usage(text));
        }
        Ok(Self { save: args.save.clone(), before, budget })
    }

    /// Compares, checks and keeps; gives the exit code.
    pub(super) fn finish(&self, weighing: &Weighing) -> Result<u8, Stop> {
        if let Some(before) = &self.before {
            compared(weighing, before);
        }
        let broken = self.budget.iter().filter(|bound| !is_kept(bound, weighing, self.before.as_ref())).count();
        if let Some(name) = &self.save {
            let text = serde_json::to_string_pretty(weighing).expect("a weighing is plain data");
            write(name, format!("{text}\n").as_bytes())?;
        }
        Ok(if broken > 0 { SOME_FAILED } else { ALL_WELL })
    }
}

fn load(name: &str) -> Result<Weighing, Stop> {
    let text = std::fs::read(name).map_err(|e| Stop::io(name, &e))?;
    let failed = |e: serde_json::Error| Stop::Failed {
        what: name.to_owned(),
        error: format!("it is no weighing as `bantam weigh --save` or `--json` writes it: {e}"),
    };
    serde_json::from_slice(&text).map_err(failed)
}

/// Writes a line to standard error, where comparisons go as reports may be for programs.
fn say(text: &str) {
    // A line that cannot be written has no reader.
    let _ = writeln!(anstream::stderr(), "{text}");
}

fn compared(weighing: &Weighing, before: &Weighing) {
    let comparison = weighing.against(before);
    for doubt in &comparison.doubts {
        match doubt {
            Doubt::OtherInput { what } => {
                note(&format!("the earlier weighing is of another input ({what}): nothing compares"));
            }
            Doubt::OtherEnvironment { what, before, after } => {
                note(&format!("the earlier weighing's {what} is {before}, not {after}: only sizes compare"));
            }
        }
    }
    if !comparison.sizes_hold() {
        return;
    }
    let mut same = 0;
    for row in &comparison.rows {
        let name = &weighing.rows[row.row];
        for change in row.changes.iter().filter(|c| !c.unit.is_time() || comparison.times_hold()) {
            match change.verdict {
                Verdict::Same => same += 1,
                Verdict::Better => say(&line("better", &name.format, &name.codec, change)),
                Verdict::Worse => say(&line("WORSE ", &name.format, &name.codec, change)),
            }
        }
    }
    let rows = |found: &[usize], of: &Weighing| {
        found.iter().map(|&i| of.rows[i].format.clone()).collect::<Vec<_>>().join(", ")
    };
    if !comparison.new.is_empty() {
        say(&format!("new: {}", rows(&comparison.new, weighing)));
    }
    if !comparison.gone.is_empty() {
        say(&format!("gone: {}", rows(&comparison.gone, before)));
    }
    say(&format!("{same} figures are the same, or cannot be told apart"));
}

fn line(word: &str, format: &str, codec: &str, change: &Change) -> String {
    let factor =
        if change.before > 0.0 { format!(" ({:.2} times)", change.after / change.before) } else { String::new() };
    format!(
        "{word} {format} ({codec}) {}: {} → {}{factor}",
        change.figure,
        change.unit.shown(change.before),
        change.unit.shown(change.after)
    )
}

/// Says how a bound was kept; what cannot be told counts as broken, else a renamed format would pass for ever.
fn is_kept(bound: &Bound, weighing: &Weighing, before: Option<&Weighing>) -> bool {
    match bound.check(weighing, before) {
        Outcome::Kept { found, limit } => {
            say(&format!("kept: {} (it is {} of {})", bound.text, bound.shown(found), bound.shown(limit)));
            true
        }
        Outcome::Broken { found, limit } => {
            say(&format!("BROKEN: {} (it is {} of {})", bound.text, bound.shown(found), bound.shown(limit)));
            false
        }
        Outcome::Unknown(why) => {
            say(&format!("BROKEN: {}: {why}", bound.text));
            false
        }
    }
}
