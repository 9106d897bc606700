//! `html`: one page with everything in it.
//!
//! The page needs no network and no script: charts are SVG that is drawn here, and every figure of theirs stands in a table
//! as well. The script (`page.js`) only sorts tables, switches the theme and shows what a mark stands for. The page's own
//! policy forbids it any request.

use std::io::{self, Write};

use bantam_weigh::Weighing;

use self::page::{LanePage, Page};
use self::text::escaped;
use crate::answers::answers;
use crate::view::{Labels, debug_warning, environment, title};
use crate::{Options, Report};

mod about;
mod each;
mod fields;
mod links;
mod page;
mod palette;
mod scale;
mod scatter;
mod sizes;
mod svg;
mod table;
mod tables;
mod text;
mod times;

pub(crate) static HTML: Report =
    Report { name: "html", about: "a page with charts and sortable tables, in one file that needs no network", render };

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Nothing may be asked for: the page could not send what it holds.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; \
                      base-uri 'none'; form-action 'none'";

/// A part of the page: its id, its heading, and what stands below.
struct Section {
    id: &'static str,
    heading: &'static str,
    html: String,
}

fn render(weighing: &Weighing, _options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let labels = Labels::of(weighing);
    let page = Page { weighing, labels: &labels };
    let sections = sections(&page);
    writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">")?;
    head(weighing, out)?;
    writeln!(out, "<body>\n<a class=\"skip\" href=\"#main\">Skip to the answers</a>")?;
    top(weighing, &sections, out)?;
    writeln!(out, "<main class=\"wrap\" id=\"main\" tabindex=\"-1\">")?;
    if let Some(warning) = debug_warning(weighing) {
        writeln!(out, "<p class=\"warning\" role=\"note\">{}</p>", escaped(warning))?;
    }
    for Section { id, heading, html } in &sections {
        write!(
            out,
            "<section id=\"{id}\" aria-labelledby=\"{id}-heading\">\n<h2 id=\"{id}-heading\">{heading}</h2>\n{html}</section>\n"
        )?;
    }
    writeln!(out, "</main>\n<footer class=\"wrap\">\n<p>{}</p>\n</footer>", escaped(&environment(weighing)))?;
    writeln!(out, "<script>\n{SCRIPT}</script>\n</body>\n</html>")
}

fn head(weighing: &Weighing, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "<head>\n<meta charset=\"utf-8\"/>\n<meta http-equiv=\"Content-Security-Policy\" content=\"{}\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<link rel=\"icon\" href=\"data:,\"/>\n\
         <title>{}</title>\n<style>\n{}{STYLE}</style>\n</head>",
        escaped(POLICY),
        escaped(&format!("{}: the weigh-in", weighing.input.name)),
        palette::css(),
    )
}

/// What was weighed, and where to find what.
fn top(weighing: &Weighing, sections: &[Section], out: &mut dyn Write) -> io::Result<()> {
    let title = title(weighing);
    // The name alone is the heading; what follows it says more.
    let name = crate::figures::printable(&weighing.input.name);
    let rest = title.strip_prefix(&name).unwrap_or(&title).trim_start_matches([':', ' ']);
    writeln!(
        out,
        "<header class=\"wrap\">\n<div>\n<h1>Weigh-in: {}</h1>\n<p class=\"lead\">{}</p>\n</div>\n\
         <button class=\"theme\" type=\"button\" hidden=\"hidden\">Theme</button>\n</header>",
        escaped(&name),
        escaped(rest)
    )?;
    writeln!(out, "<nav class=\"wrap\" aria-label=\"On this page\">\n<ul>")?;
    for Section { id, heading, .. } in sections {
        writeln!(out, "<li><a href=\"#{id}\">{heading}</a></li>")?;
    }
    writeln!(out, "</ul>\n</nav>")
}

/// Every part that has something to show, in the order of the page.
fn sections(page: &Page<'_>) -> Vec<Section> {
    let lanes = page.lanes();
    let of_lanes = |show: &dyn Fn(&LanePage<'_>) -> Option<String>| by_lane(&lanes, show);
    let parts = [
        ("answers", "What should I use?", answered(page)),
        ("scatter", "Size against decode time", of_lanes(&scatter::figure)),
        ("sizes", "Sizes", of_lanes(&sizes::figures)),
        ("times", "Times", of_lanes(&times::figure)),
        ("links", "Over which link?", of_lanes(&links::figure)),
        ("each", "Each message by itself", of_lanes(&each::tables)),
        ("fields", "Bytes by field", of_lanes(&fields::figures)),
        ("memory", "Memory", of_lanes(&tables::memory)),
        ("tables", "All figures", of_lanes(&|lane| Some(tables::all(lane)))),
        ("fidelity", "What came back", about::fidelity(page)),
        ("notes", "What reading found", about::notes(page)),
        ("measured", "How it was measured", about::measured(page)),
        ("environment", "Input and environment", about::environment(page)),
    ];
    let sections = parts.into_iter().map(|(id, heading, html)| Section { id, heading, html });
    sections.filter(|section| !section.html.is_empty()).collect()
}

/// The same of every lane; with several, each under its own heading.
fn by_lane(lanes: &[LanePage<'_>], show: &dyn Fn(&LanePage<'_>) -> Option<String>) -> String {
    let mut html = String::new();
    for lane in lanes {
        let Some(shown) = show(lane).filter(|shown| !shown.is_empty()) else { continue };
        if lanes.len() > 1 {
            html += &format!("<h3>Lane: {}</h3>\n", lane.lane.name());
        }
        html += &shown;
    }
    html
}

/// The answers first; where the figures allow none, that is said.
fn answered(page: &Page<'_>) -> String {
    if page.weighing.rows.is_empty() {
        return "<p>Nothing was weighed.</p>\n".into();
    }
    let advice = page.weighing.advice.iter().map(|advice| {
        let (kind, text) = (advice.kind.name(), escaped(&advice.text));
        format!("<p class=\"warning\" role=\"note\"><strong>{kind}:</strong> {text}</p>\n")
    });
    let advice: String = advice.collect();
    let answers = answers(page.weighing, page.labels);
    if answers.is_empty() {
        return format!("{advice}<p>There is nothing to compare: fewer than two formats hold these records.</p>\n");
    }
    let items: Vec<String> = answers.iter().map(|answer| format!("<li>{}</li>\n", strong(answer))).collect();
    format!("<ul class=\"answers\">\n{}</ul>\n{advice}", items.concat())
}

/// An answer with its first words, up to a colon or a question mark, in bold.
fn strong(answer: &str) -> String {
    let end = answer.find([':', '?']).map_or(0, |at| at + 1);
    format!("<strong>{}</strong>{}", escaped(&answer[..end]), escaped(&answer[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_and_the_style_are_text_in_xml_as_well_as_in_html() {
        for text in [SCRIPT, STYLE] {
            assert!(!text.contains(['<', '&']), "it would end early, or not be well-formed");
            assert!(!text.lines().any(|line| line.ends_with(' ')));
        }
    }

    #[test]
    fn the_script_needs_nothing_from_elsewhere() {
        for word in ["fetch", "XMLHttpRequest", "import", "innerHTML", "eval"] {
            assert!(!SCRIPT.contains(word), "{word}");
        }
    }
}
