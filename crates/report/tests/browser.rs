//! The page in a real browser: charts are drawn, tables sort, nothing is wider than the window, nothing is asked for.
//!
//! It takes Chromium: the one that `BANTAM_CHROMIUM` names, or `chromium`, `chromium-browser` or `google-chrome` on the path.
//! Where there is none, the tests say so and pass.

mod weighings;

use bantam_report::{Options, by_name};
use bantam_weigh::Weighing;
use serde_json::Value;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use weighings::cases;

/// Catches what goes wrong from the first script on.
const BEFORE: &str = r#"<script>
window.wrong = [];
addEventListener("error", function (event) { wrong.push("error: " + event.message); });
addEventListener("securitypolicyviolation", function (event) { wrong.push("policy: " + event.blockedURI); });
console.error = function () { wrong.push("console: " + Array.from(arguments).join(" ")); };
</script>"#;

/// Does what a reader does, and leaves what it saw in the document's title.
const AFTER: &str = r#"<script>
addEventListener("load", function () {
  var seen = { wrong: wrong };
  var shown = function (element) { return element.getClientRects().length > 0; };
  var charts = Array.from(document.querySelectorAll("svg")).filter(shown);
  seen.charts = charts.length;
  seen.empty = charts.filter(function (svg) {
    var box = svg.getBoundingClientRect();
    return box.width < 200 || box.height < 60 || svg.querySelectorAll(".mark").length === 0;
  }).length;
  // Text that a reader could not see whole.
  seen.cut = [];
  charts.forEach(function (svg) {
    var box = svg.getBoundingClientRect();
    svg.querySelectorAll("text").forEach(function (text) {
      var own = text.getBoundingClientRect();
      if (own.left < box.left - 1 || own.right > box.right + 1 || own.bottom > box.bottom + 1) { seen.cut.push(text.textContent); }
    });
  });
  seen.window = document.documentElement.clientWidth;
  seen.width = document.documentElement.scrollWidth;
  seen.requests = performance.getEntriesByType("resource").map(function (entry) { return entry.name; });
  seen.tables = [];
  document.querySelectorAll("table.sortable").forEach(function (table) {
    var heads = Array.from(table.tHead.rows[0].cells);
    var column = heads.findIndex(function (head) { return head.classList.contains("n"); });
    if (column === -1) { return; }
    var head = heads[column];
    var values = function () {
      return Array.from(table.tBodies[0].rows, function (row) {
        var value = row.cells[column].dataset.v;
        return value === undefined ? null : Number(value);
      });
    };
    var entry = { id: table.id, before: values(), states: [head.getAttribute("aria-sort")] };
    head.querySelector("button").click();
    entry.up = values();
    entry.states.push(head.getAttribute("aria-sort"));
    head.querySelector("button").click();
    entry.down = values();
    entry.states.push(head.getAttribute("aria-sort"));
    seen.tables.push(entry);
  });
  var theme = document.querySelector("button.theme");
  var ground = function () { return getComputedStyle(document.body).backgroundColor; };
  seen.themes = [];
  for (var turn = 0; turn !== 3; turn += 1) { theme.click(); seen.themes.push([theme.textContent, ground()]); }
  var chart = document.querySelector(".chart");
  seen.tip = null;
  if (chart) {
    chart.focus();
    chart.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    seen.tip = document.querySelector(".tip").textContent;
  }
  seen.reached = Array.from(document.querySelectorAll(".box, .chart")).every(function (box) { return box.tabIndex === 0; });
  var left = document.createElement("pre");
  left.id = "seen";
  left.textContent = JSON.stringify(seen);
  document.body.append(left);
});
</script>"#;

/// The browser, if there is one that runs; else it is said, past the test's own capture, that there is none.
fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("BANTAM_CHROMIUM") {
        return Some(PathBuf::from(named));
    }
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    // Some systems have a file of that name which only says how to install the browser.
    let runs = |path: &PathBuf| Command::new(path).arg("--version").output().is_ok_and(|out| out.status.success());
    let found = found.into_iter().filter(|path| path.is_file()).find(runs);
    if found.is_none() {
        let text =
            "skipped: there is no Chromium; install it (apt-get install chromium), or name it in BANTAM_CHROMIUM";
        // Where nobody can be told, the test still passes.
        let _ = writeln!(std::io::stderr(), "{text}");
    }
    found
}

fn page(weighing: &Weighing) -> String {
    let mut out = Vec::new();
    by_name("html").unwrap().render(weighing, &Options::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// A folder for one run of the browser: its profile, and the page.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("bantam-browser-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays behind is the system's to clean up.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The document of a file after its scripts have run. The window is a frame of that width: Chromium's own has a least width.
fn document(browser: &Path, folder: &Folder, file: &str) -> String {
    let out = std::fs::File::create(folder.0.join("out")).unwrap();
    let mut child = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--disable-dev-shm-usage",
            "--no-first-run",
        ])
        .args(["--allow-file-access-from-files", "--virtual-time-budget=5000", "--window-size=1280,900", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.0.join("profile").display()))
        .arg(format!("file://{}", folder.0.join(file).display()))
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{} does not start: {error}", browser.display()));
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > Duration::from_mins(2) {
            child.kill().unwrap();
            panic!("{} does not end", browser.display());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    std::fs::read_to_string(folder.0.join("out")).unwrap()
}

/// What the script saw, in a window of that width.
fn seen(browser: &Path, page: &str, width: u32) -> Value {
    let folder = Folder::new();
    let (head, rest) = page.split_once("<title>").unwrap();
    let tested = format!("{head}{BEFORE}<title>{}", rest.replace("</body>", &format!("{AFTER}</body>")));
    std::fs::write(folder.0.join("page.html"), tested).unwrap();
    let frame = format!(
        "<!DOCTYPE html><iframe id=\"page\" src=\"page.html\" style=\"width:{width}px;height:900px;border:0\"></iframe>\
         <pre id=\"result\"></pre><script>\
         document.getElementById('page').addEventListener('load', function () {{\
         document.getElementById('result').textContent = \
         encodeURIComponent(this.contentDocument.getElementById('seen').textContent); }});</script>"
    );
    std::fs::write(folder.0.join("frame.html"), frame).unwrap();
    let document = document(browser, &folder, "frame.html");
    let found = document.split_once("<pre id=\"result\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let text = decoded(found.unwrap_or_else(|| panic!("no result in {document}")).0);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text:?}"))
}

/// The text that JavaScript's `encodeURIComponent` was given.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend(before.bytes());
        bytes.push(u8::from_str_radix(&after[..2], 16).unwrap());
        rest = &after[2..];
    }
    bytes.extend(rest.bytes());
    String::from_utf8(bytes).unwrap()
}

fn check(name: &str, width: u32, seen: &Value) {
    let at = format!("{name} at {width}");
    assert_eq!(seen["wrong"], serde_json::json!([]), "{at}");
    assert_eq!(seen["requests"], serde_json::json!([]), "{at}");
    assert_eq!(seen["window"], width, "{at}: the frame has another width");
    assert!(seen["width"].as_u64() <= Some(u64::from(width)), "{at}: {} wide", seen["width"]);
    assert_eq!(seen["empty"], 0, "{at}: a chart without marks");
    assert_eq!(seen["cut"], serde_json::json!([]), "{at}: text beyond its drawing");
    assert_eq!(seen["reached"], true, "{at}: a box that the keyboard does not reach");
    let themes = seen["themes"].as_array().unwrap();
    let names: Vec<_> = themes.iter().map(|theme| &theme[0]).collect();
    assert_eq!(names, ["Theme: light", "Theme: dark", "Theme: auto"], "{at}");
    assert_ne!(themes[0][1], themes[1][1], "{at}: light and dark are the same");
    assert_eq!(seen["tip"].is_null(), seen["charts"] == 0, "{at}");
    assert!(seen["tip"].as_str() != Some(""), "{at}: the arrow keys show nothing");
    seen["tables"].as_array().unwrap().iter().for_each(|table| check_sorted(&at, table));
}

/// A click sorts upwards, the next one downwards; what is missing stays at the end.
fn check_sorted(at: &str, table: &Value) {
    let values = |key: &str| -> Vec<Option<f64>> { table[key].as_array().unwrap().iter().map(Value::as_f64).collect() };
    let mut present: Vec<f64> = values("before").into_iter().flatten().collect();
    let missing = values("before").len() - present.len();
    present.sort_by(f64::total_cmp);
    let gaps = || std::iter::repeat_n(None, missing);
    let up: Vec<Option<f64>> = present.iter().copied().map(Some).chain(gaps()).collect();
    let down: Vec<Option<f64>> = present.iter().rev().copied().map(Some).chain(gaps()).collect();
    assert_eq!((values("up"), values("down")), (up, down), "{at}: {}", table["id"]);
    assert_eq!(table["states"], serde_json::json!(["none", "ascending", "descending"]), "{at}: {}", table["id"]);
}

#[test]
fn every_page_works_on_a_desk_and_on_a_phone() {
    let Some(browser) = browser() else { return };
    for (name, weighing) in cases() {
        let page = page(&weighing);
        for width in [390, 1280] {
            check(name, width, &seen(&browser, &page, width));
        }
    }
}

#[test]
fn charts_and_tables_are_those_of_the_weighing() {
    let Some(browser) = browser() else { return };
    let find = |name: &str| cases().into_iter().find(|case| case.0 == name).unwrap().1;
    let seen = |name: &str| seen(&browser, &page(&find(name)), 1280);
    let dns = seen("dns");
    assert_eq!(dns["charts"], 5);
    let ids: Vec<_> = dns["tables"].as_array().unwrap().iter().map(|table| table["id"].as_str().unwrap()).collect();
    for id in ["table-sizes-runtime", "table-times-runtime", "table-compression-runtime", "table-speeds-runtime"] {
        assert!(ids.contains(&id), "{id} of {ids:?}");
    }
    let messages = seen("messages");
    let ids = messages["tables"].to_string();
    for id in ["each-messages", "each-compressed", "each-dictionary-3", "each-compression"] {
        assert!(ids.contains(&format!("\"table-{id}-runtime\"")), "{id} of {ids}");
    }
    assert_eq!(seen("full")["charts"], 6);
    assert_eq!(seen("unsupported")["charts"], 0);
}

#[test]
fn a_page_that_is_wrong_is_found_out() {
    let Some(browser) = browser() else { return };
    let good = page(&cases()[0].1);
    let wide = good.replace("<main", "<p>W</p><div><img src=\"https://example.invalid/x.png\" alt=\"\"/></div><main");
    let wide = wide.replace("<p>W</p>", "<pre style=\"width:3000px\">W</pre>");
    let seen = seen(&browser, &wide, 390);
    assert!(seen["width"].as_u64() > Some(390), "{}", seen["width"]);
    assert!(seen["wrong"].to_string().contains("policy: https://example.invalid"), "{}", seen["wrong"]);
}
