(function () {
  "use strict";
  var root = document.documentElement;

  // The theme: the system's, light, dark; remembered where the browser lets a file do so.
  var themes = ["auto", "light", "dark"];
  var button = document.querySelector("button.theme");
  function recall() { try { return localStorage.getItem("bantam-theme"); } catch (_) { return null; } }
  function remember(theme) { try { localStorage.setItem("bantam-theme", theme); } catch (_) { /* then not */ } }
  function show(theme) {
    if (theme === "auto") { root.removeAttribute("data-theme"); } else { root.setAttribute("data-theme", theme); }
    button.textContent = "Theme: " + theme;
    button.dataset.now = theme;
  }
  var asked = recall();
  show(themes.indexOf(asked) > 0 ? asked : "auto");
  button.hidden = false;
  button.addEventListener("click", function () {
    var next = themes[(themes.indexOf(button.dataset.now) + 1) % themes.length];
    remember(next);
    show(next);
  });

  // Sorting: a button in every head. What has no value stays at the end.
  function value(row, column) {
    var cell = row.cells[column];
    if (cell.dataset.v !== undefined) { return Number(cell.dataset.v); }
    return cell.classList.contains("n") ? null : cell.textContent;
  }
  function order(a, b) {
    return typeof a === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
  }
  function sort(table, column, sign) {
    var keyed = Array.from(table.tBodies[0].rows, function (row) { return { row: row, key: value(row, column) }; });
    keyed.sort(function (a, b) {
      if (a.key === null || b.key === null) { return (a.key === null) - (b.key === null); }
      return sign * order(a.key, b.key);
    });
    keyed.forEach(function (entry) { table.tBodies[0].appendChild(entry.row); });
  }
  document.querySelectorAll("table.sortable").forEach(function (table) {
    var heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach(function (head, column) {
      var button = document.createElement("button");
      button.type = "button";
      button.append.apply(button, Array.from(head.childNodes));
      head.append(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", function () {
        var up = head.getAttribute("aria-sort") !== "ascending";
        heads.forEach(function (other) { other.setAttribute("aria-sort", "none"); });
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        sort(table, column, up ? 1 : -1);
      });
    });
  });

  // Tips: what a mark stands for, by pointer, or by the arrow keys when the chart has the focus.
  var tip = document.createElement("div");
  tip.className = "tip";
  tip.setAttribute("role", "status");
  document.body.append(tip);
  var marked = null;
  function hide() {
    if (marked) { marked.classList.remove("on"); }
    marked = null;
    tip.textContent = "";
  }
  function point(mark) {
    hide();
    marked = mark;
    mark.classList.add("on");
    tip.textContent = mark.dataset.tip;
    var at = mark.getBoundingClientRect();
    var size = tip.getBoundingClientRect();
    var left = Math.min(at.left + at.width / 2 - size.width / 2, root.clientWidth - size.width - 8);
    var above = at.top - size.height - 8;
    tip.style.left = Math.max(8, left) + "px";
    tip.style.top = (above > 4 ? above : at.bottom + 8) + "px";
  }
  document.querySelectorAll("svg .mark").forEach(function (mark) {
    var title = mark.querySelector("title");
    mark.dataset.tip = title.textContent;
    title.remove();
    mark.addEventListener("pointerenter", function () { point(mark); });
    mark.addEventListener("pointerleave", hide);
  });
  document.querySelectorAll(".chart").forEach(function (chart) {
    chart.tabIndex = 0;
    chart.setAttribute("role", "group");
    chart.setAttribute("aria-label", chart.dataset.label + "; the arrow keys go from mark to mark");
    var at = -1;
    chart.addEventListener("blur", function () { at = -1; hide(); });
    chart.addEventListener("keydown", function (event) {
      var step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") { hide(); }
      var marks = Array.from(chart.querySelectorAll(".mark")).filter(function (mark) { return mark.getClientRects().length; });
      if (!step || !marks.length) { return; }
      event.preventDefault();
      at = at === -1 ? (step > 0 ? 0 : marks.length - 1) : (at + step + marks.length) % marks.length;
      point(marks[at]);
    });
  });
  addEventListener("scroll", function () { if (marked) { hide(); } }, { passive: true });
}());
