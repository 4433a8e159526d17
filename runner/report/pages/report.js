for (const form of document.querySelectorAll("form.filter")) {
  const part = form.closest("section"), field = form.querySelector("input[type=search]"), out = form.querySelector("output");
  const rows = [...part.querySelectorAll("[data-v]")], groups = [...part.querySelectorAll(".group")];
  let texts;
  const filter = () => {
    texts ??= rows.map(row => row.textContent.toLowerCase());
    const text = field.value.trim().toLowerCase(), verdict = form.querySelector("input:checked").value;
    let shown = 0;
    rows.forEach((row, i) => {
      row.hidden = !(texts[i].includes(text) && (verdict === "all" || row.dataset.v === verdict));
      shown += row.hidden ? 0 : 1;
    });
    for (const group of groups) group.hidden = !group.querySelector("[data-v]:not([hidden])");
    out.textContent = shown + " of " + rows.length + " shown";
  };
  field.closest("label").hidden = false;
  form.addEventListener("submit", event => event.preventDefault());
  form.addEventListener("input", filter);
}
