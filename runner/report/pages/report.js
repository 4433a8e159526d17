const reveal = () => {
  const at = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!at) return;
  for (let up = at; up; up = up.parentElement) if (up.localName === "details") up.open = true;
  at.scrollIntoView();
};
addEventListener("hashchange", reveal);
reveal();
for (const form of document.querySelectorAll("form.filter")) {
  const part = form.closest("section"), field = form.querySelector("input[type=search]"), out = form.querySelector("output");
  const empty = part.querySelector(".empty");
  const chapters = [...part.querySelectorAll(".chapter")].map(box => ({box, rows: [...box.querySelectorAll("[data-v]")], opened: false}));
  const total = chapters.reduce((n, c) => n + c.rows.length, 0), few = 25;
  const index = () => { for (const c of chapters) c.texts ??= c.rows.map(row => row.textContent.toLowerCase()); };
  const hide = (e, hidden) => { if (e.hidden !== hidden) e.hidden = hidden; };
  const filter = () => {
    index();
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean), verdict = form.querySelector("input:checked").value;
    const all = !words.length && verdict === "all";
    let shown = 0;
    for (const c of chapters) {
      c.found = c.rows.map((row, i) => (verdict === "all" || row.dataset.v === verdict) && words.every(w => c.texts[i].includes(w)));
      shown += c.hits = c.found.filter(Boolean).length;
    }
    for (const c of chapters) {
      const open = !all && shown <= few && c.hits > 0;
      if (open && !c.box.open) c.opened = c.box.open = true;
      if (!open && c.opened) c.opened = c.box.open = false;
      c.rows.forEach((row, i) => hide(row, !c.found[i]));
      hide(c.box, c.hits === 0);
    }
    part.classList.toggle("searching", !all);
    hide(empty, shown > 0);
    out.textContent = all ? "" : shown + " of " + total;
  };
  let due = false;
  form.addEventListener("input", () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => { due = false; filter(); });
  });
  form.addEventListener("submit", event => event.preventDefault());
  empty.querySelector("button").addEventListener("click", () => { form.reset(); filter(); field.focus(); });
  field.closest("label").hidden = false;
  (globalThis.requestIdleCallback ?? setTimeout)(index);
}
const take = async (button) => {
  const pre = button.parentElement.querySelector("pre");
  try {
    await navigator.clipboard.writeText(pre.textContent);
  } catch { // a page without access to the clipboard: the browser's own command
    getSelection().selectAllChildren(pre);
    document.execCommand("copy");
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy"; }, 2000);
};
for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false;
  button.addEventListener("click", () => take(button));
}
