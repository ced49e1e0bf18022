"use strict";
// Filtering, sorting, folding and copying. Without this script the whole report is there to read.
(function () {
  const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));
  document.documentElement.classList.add("js");

  // Folding: a link to something folded away opens it, and printing opens all.
  function reveal() {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (let d = target; d; d = d.parentElement.closest("details")) if (d.tagName === "DETAILS") d.open = true;
    target.scrollIntoView();
  }
  addEventListener("hashchange", reveal);
  reveal();
  document.addEventListener("click", (e) => {
    const a = e.target.closest('a[href^="#"]');
    if (a && a.hash === location.hash) reveal();
  });
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all("details:not([open])");
    folded.forEach((d) => { d.open = true; });
  });
  addEventListener("afterprint", () => folded.forEach((d) => { d.open = false; }));
  function foldAll(id, open) {
    document.getElementById(id).addEventListener("click", () => {
      all("details").forEach((d) => { if (!d.closest("[hidden]")) d.open = open; });
    });
  }
  foldAll("unfold", true);
  foldAll("foldup", false);

  // Filtering: a row of an overview goes with its workload.
  const form = document.getElementById("filter");
  const items = all("details.workload");
  const rows = new Map(all("tr[data-item]").map((r) => [r.dataset.item, r]));
  function filter() {
    const text = form.elements.text.value.trim().toLowerCase().split(/\s+/);
    const verdict = form.elements.verdict.value;
    const severities = all('input[name="severity"]:checked', form).map((i) => i.value);
    let shown = 0;
    for (const d of items) {
      const fits = severities.includes(d.dataset.severity) && (!verdict || d.dataset.verdict === verdict) &&
        text.every((t) => d.dataset.search.includes(t));
      d.hidden = !fits;
      if (rows.has(d.id)) rows.get(d.id).hidden = !fits;
      if (fits) shown++;
    }
    for (const b of all("section.bundle")) {
      b.hidden = shown < items.length && !b.querySelector("details.workload:not([hidden])");
    }
    const out = document.getElementById("shown");
    out.textContent = out.dataset.text.replace("%[1]s", shown).replace("%[2]s", items.length);
  }
  if (form) {
    form.addEventListener("input", filter);
    form.addEventListener("submit", (e) => e.preventDefault());
    filter();
  }

  // Sorting: by a column's keys; the workloads below follow their rows.
  const ranks = { error: "0", warning: "1", info: "2" };
  function sort(button) {
    const th = button.closest("th");
    const body = th.closest("table").tBodies[0];
    const up = th.getAttribute("aria-sort") !== "ascending";
    all("th", th.parentElement).forEach((h) => h.removeAttribute("aria-sort"));
    th.setAttribute("aria-sort", up ? "ascending" : "descending");
    const key = (row) => { const k = row.cells[th.cellIndex].dataset.key; return ranks[k] || k; };
    const sorted = Array.from(body.rows).sort((a, b) => {
      const x = key(a), y = key(b);
      if (x === "" || y === "") return (x === "") - (y === ""); // what has no value stays at the end
      return (x < y ? -1 : x > y ? 1 : 0) * (up ? 1 : -1);
    });
    for (const row of sorted) {
      body.append(row);
      const d = document.getElementById(row.dataset.item);
      d.parentElement.append(d);
    }
  }
  all("button.sort").forEach((b) => b.addEventListener("click", () => sort(b)));

  // Copying.
  function copy(button) {
    const pre = button.parentElement.querySelector("pre");
    const said = (ok) => {
      document.getElementById("status").textContent = ok ? document.body.dataset.copied : document.body.dataset.copyFailed;
      if (!ok) return;
      const label = button.textContent;
      button.textContent = document.body.dataset.copied;
      setTimeout(() => { button.textContent = label; }, 1500);
    };
    const bySelection = () => {
      getSelection().selectAllChildren(pre);
      said(document.execCommand("copy"));
    };
    if (navigator.clipboard) navigator.clipboard.writeText(pre.textContent).then(() => said(true), bySelection);
    else bySelection();
  }
  all("button.copy").forEach((b) => b.addEventListener("click", () => copy(b)));
})();
