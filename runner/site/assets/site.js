"use strict";
(() => {
  const root = document.body.dataset.root;

  // The theme: that of the system until somebody chooses.
  const theme = document.querySelector(".theme");
  const stored = (() => { try { return localStorage.getItem("theme"); } catch { return null; } })();
  const dark = () => (document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  if (stored === "dark" || stored === "light") document.documentElement.dataset.theme = stored;
  theme.hidden = false;
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    try { localStorage.setItem("theme", document.documentElement.dataset.theme); } catch { /* it holds for this page */ }
  });

  // Menus beside the text are open where there is room beside it.
  const wide = matchMedia("(min-width: 64rem)");
  const folds = () => document.querySelectorAll(".fold").forEach(d => { d.open = wide.matches; });
  wide.addEventListener("change", folds);
  folds();
  document.querySelectorAll(".toc a").forEach(a => a.addEventListener("click", () => { if (!wide.matches) a.closest("details").open = false; }));
  document.querySelector(".menu [aria-current]")?.scrollIntoView({block: "nearest", inline: "center"});

  // What is on the screen is marked in the contents.
  const entries = new Map([...document.querySelectorAll(".toc a")].map(a => [decodeURIComponent(a.hash.slice(1)), a]));
  const seen = new IntersectionObserver(changes => {
    for (const c of changes) entries.get(c.target.id)?.classList.toggle("seen", c.isIntersecting);
  }, {rootMargin: "-56px 0px -40% 0px"});
  for (const id of entries.keys()) { const at = document.getElementById(id); if (at) seen.observe(at); }

  // Search: the index is loaded when somebody begins, and looked through at every key.
  const input = document.getElementById("site-search"), found = document.getElementById("site-found");
  const most = 30;
  let rows = null, chosen = -1;
  const load = () => new Promise(done => {
    const ready = () => {
      rows ||= window.searchIndex.map(([title, text, to, kind]) => ({title, text, to, kind, name: title.toLowerCase(), words: (title + " " + text).toLowerCase()}));
      done();
    };
    if (window.searchIndex) return ready();
    const script = document.createElement("script");
    script.src = root + "assets/index.js";
    script.addEventListener("load", ready);
    document.head.append(script);
  });
  const score = (row, query, words) => {
    if (!words.every(w => row.words.includes(w))) return -1;
    const at = row.name.indexOf(query);
    let s = row.kind === "page" || row.kind === "section" ? 2 : 0;
    if (row.name === query) s += 100;
    if (at === 0) s += 40;
    else if (at > 0) s += /[^a-z0-9]/.test(row.name[at - 1]) ? 30 : 15;
    if (row.name.endsWith("." + query)) s += 20;
    for (const w of words) if (row.name.includes(w)) s += 5;
    return s + 1 - Math.min(row.name.length, 100) / 200;
  };
  const show = () => {
    const query = input.value.trim().toLowerCase();
    chosen = -1;
    found.hidden = query === "";
    if (!query || !rows) return;
    const words = query.split(/\s+/);
    const best = [];
    for (const row of rows) {
      const s = score(row, query, words);
      if (s >= 0) best.push([s, row]);
    }
    best.sort((a, b) => b[0] - a[0]);
    found.replaceChildren(...best.slice(0, most).map(([, row]) => {
      const a = document.createElement("a"), title = document.createElement("b"), kind = document.createElement("small"), text = document.createElement("span");
      a.href = root + row.to;
      [title.textContent, kind.textContent, text.textContent] = [row.title, row.kind, row.text.replace(/`/g, "")];
      a.append(title, kind, text);
      return a;
    }));
    if (!best.length) {
      const none = document.createElement("p");
      none.textContent = "Nothing has all of these words.";
      found.append(none);
    }
  };
  const choose = by => {
    const all = found.querySelectorAll("a");
    if (!all.length) return;
    all[chosen]?.removeAttribute("aria-selected");
    chosen = (chosen + by + all.length) % all.length;
    all[chosen].setAttribute("aria-selected", "true");
    all[chosen].scrollIntoView({block: "nearest"});
  };
  input.disabled = false;
  input.addEventListener("focus", () => load().then(show));
  input.addEventListener("input", () => rows ? show() : load().then(show));
  input.addEventListener("keydown", e => {
    if (e.key === "ArrowDown" || e.key === "ArrowUp") { e.preventDefault(); choose(e.key === "ArrowDown" ? 1 : -1); }
    if (e.key === "Escape") { input.value = ""; show(); input.blur(); }
    if (e.key === "Enter") {
      e.preventDefault();
      const to = found.querySelector("a[aria-selected]") || found.querySelector("a");
      if (to && !found.hidden) { found.hidden = true; location.href = to.href; }
    }
  });
  document.addEventListener("keydown", e => {
    if (e.key === "/" && !e.target.closest("input, textarea, select, [contenteditable]")) { e.preventDefault(); input.focus(); }
  });
  document.addEventListener("click", e => { if (!e.target.closest(".search")) found.hidden = true; });
  found.addEventListener("click", () => { found.hidden = true; });
})();
