"use strict";
(() => {
  const at = id => document.getElementById(id);
  const root = document.body.dataset.root;
  const play = document.querySelector(".play");
  const capture = at("capture"), state = at("state"), progress = at("progress"), judge = at("judge"), stop = at("stop");
  const longest = 4000, mostRows = 2000, tooLong = 1 << 20; // of a line that is shown, of lines that are, of a text that is put into the box
  const rules = new Map(window.searchIndex.filter(row => /^(must|should|may)/.test(row[3])).map(row => [row[0], {sentence: row[1], to: row[2]}]));
  const groups = new Map();
  let worker = null, isReady = false, run = 0, busy = false, file = null, blob = null, result = null;

  const number = n => n.toLocaleString("en");
  const counted = (n, one) => `${number(n)} ${one}${n === 1 ? "" : "s"}`;
  const element = (name, className, text) => {
    const e = document.createElement(name);
    if (className) e.className = className;
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const failed = text => {
    busy = false;
    progress.hidden = stop.hidden = true;
    judge.disabled = !isReady;
    state.textContent = text;
  };

  // The judge runs in a worker of its own, so that the page stays what it is while it works.
  const start = () => {
    isReady = false;
    judge.disabled = true;
    const bytes = Uint8Array.from(atob(window.judgeWorker), c => c.charCodeAt(0));
    worker = new Worker(URL.createObjectURL(new Blob([bytes], {type: "text/javascript"})));
    worker.onmessage = ({data}) => heard(data);
    worker.onerror = e => failed("The judge can't be started: " + e.message);
    worker.postMessage({program: window.judgeProgram});
  };
  const heard = data => {
    if (data.kind === "ready") {
      isReady = true;
      judge.disabled = false;
      if (!busy) state.textContent = data.digest === play.dataset.digest ? "The judge is ready." : "The judge is ready. It is of another version than these pages: build both with `make site`.";
    } else if (data.kind === "failed") {
      failed("The judge gave up: " + data.text);
    } else if (data.run === run) {
      for (const m of data.messages) told(m);
    }
  };

  const told = m => {
    if (m.kind === "stretch") result.stretches.push({line: m.line, offset: m.offset});
    if (m.kind === "finding") noted(m);
    if (m.kind === "progress") {
      progress.value = blob.size ? m.bytes / blob.size : 0;
      state.textContent = `${counted(m.events || 0, "event")}, ${number(m.bytes)} of ${counted(blob.size, "byte")}, ${counted(m.must + m.should, "finding")} so far`;
    }
    if (m.kind === "done") finished(m);
  };

  const noted = m => {
    const key = m.requirement || "note", line = m.line || 1;
    if (!result.at.has(line)) result.at.set(line, []);
    result.at.get(line).push(m);
    let group = groups.get(key);
    if (!group) {
      group = grouped(m);
      groups.set(key, group);
      at("findings").append(group.item);
    }
    group.count++;
    if (group.count <= 12) {
      const place = element("button", "place", `line ${number(line)}`);
      place.type = "button";
      place.title = m.text;
      place.addEventListener("click", () => goto(line));
      group.places.append(place);
    }
  };
  const grouped = m => {
    const item = element("li", "finding"), rule = rules.get(m.requirement), head = element("p", "head");
    head.append(element("span", "level " + (m.level ? m.level.toLowerCase().replace(" ", "-") : "note"), m.level || "note"), " ");
    if (rule) {
      const link = element("a", "id", m.requirement);
      link.href = root + rule.to;
      link.target = "_blank";
      link.rel = "noopener";
      head.append(link);
    } else {
      head.append(m.requirement || "on the recording itself");
    }
    item.append(head);
    if (rule) item.append(element("p", "sentence", rule.sentence.replace(/`/g, "")));
    item.append(element("p", "text", m.text));
    const places = element("div", "places");
    item.append(places);
    return {item, places, count: 0};
  };

  const finished = m => {
    busy = false;
    progress.hidden = stop.hidden = true;
    judge.disabled = false;
    const all = m.must + m.should, verdict = at("verdict");
    verdict.className = m.must ? "fail" : m.should ? "warn" : m.error ? "none" : "pass";
    verdict.textContent = m.must ? `✕ A MUST is broken, ${m.must === 1 ? "once" : number(m.must) + " times"}` : m.should ? `! A SHOULD is broken, ${m.should === 1 ? "once" : number(m.should) + " times"}` : m.error ? "? Not judged" : "✓ Nothing is wrong with it";
    const facts = [m.pack && `judged as ${m.pack}`, counted(m.events || 0, "event"), counted(m.bytes || 0, "byte") + (m.format ? ` (${m.format})` : ""),
      `${m.must} MUST`, `${m.should} SHOULD`, m.notes && counted(m.notes, "note"), `${number(m.exercised || 0)} of ${number(m.testable || 0)} requirements exercised`];
    at("summary").textContent = facts.filter(Boolean).join(" · ") + (m.error ? `. ${m.error}.` : "") + (m.hint ? ` ${m.hint}.` : "");
    for (const [key, group] of groups) {
      const n = (m.counts || {})[key] || group.count;
      if (n > 12) group.places.append(element("span", "soft", `… ${number(n)} in all`));
    }
    if (!groups.size) at("findings").append(element("li", "soft", m.error ? "None." : "None. What one recording can't show, certify proves."));
    state.textContent = `Done in ${((performance.now() - result.began) / 1000).toFixed(1)} s: ${counted(all, "finding")}.`;
    play.dataset.done = String(run);
    const first = [...result.at.keys()].sort((a, b) => a - b)[0];
    if (first) goto(first); else turn(0);
  };

  // The wire is shown a stretch at a time; the bytes stay where they are.
  const turn = async index => {
    const {stretches} = result, mine = run;
    result.index = Math.max(0, Math.min(index, stretches.length - 1));
    const here = stretches[result.index] || {line: 1, offset: 0}, next = stretches[result.index + 1];
    const from = result.index === 0 ? 0 : here.offset, bytes = new Uint8Array(await blob.slice(from, next ? next.offset : Math.min(blob.size, here.offset + (1 << 20))).arrayBuffer());
    if (mine !== run) return;
    const rows = [], text = new TextDecoder();
    let line = result.index === 0 ? 1 : here.line, begin = 0, left = 0;
    for (let i = 0; i <= bytes.length; i++) {
      if (i < bytes.length && bytes[i] !== 10 && bytes[i] !== 13) continue;
      if (i === bytes.length && begin === i) break;
      const found = result.at.get(line) || [];
      const ends = i;
      if (bytes[i] === 13 && bytes[i + 1] === 10) i++;
      if (rows.length >= mostRows && !found.length) { // one event may have a million lines
        left++; line++; begin = i + 1;
        continue;
      }
      const row = element("tr", found.length ? "wrong" : "");
      row.id = "line-" + line;
      const shown = text.decode(bytes.subarray(begin, Math.min(ends, begin + longest)));
      const cell = element("td", "", shown + (ends - begin > longest ? ` … ${counted(ends - begin - longest, "byte")} more` : ""));
      row.append(element("td", "n", number(line)), element("td", "n soft", number(from + begin)), cell);
      for (const m of found.slice(0, 20)) cell.append(beside(m));
      if (found.length > 20) cell.append(element("p", "said", `… and ${number(found.length - 20)} more`));
      rows.push(row);
      begin = i + 1;
      line++;
    }
    if (left) {
      const row = element("tr", ""), cell = element("td", "soft", `… ${counted(left, "line")} more`);
      row.append(element("td", "n", ""), element("td", "n", ""), cell);
      rows.push(row);
    }
    document.querySelector("#wire tbody").replaceChildren(...rows);
    at("where").textContent = stretches.length > 1 ? `${number(result.index + 1)} of ${number(stretches.length)}` : "";
    at("before").hidden = at("after").hidden = stretches.length < 2;
    at("before").disabled = result.index === 0;
    at("after").disabled = result.index >= stretches.length - 1;
  };
  const beside = m => {
    const p = element("p", "said " + (m.level || "note").toLowerCase().replace(" ", "-")), rule = rules.get(m.requirement);
    if (rule) {
      const link = element("a", "id", m.requirement);
      link.href = root + rule.to;
      link.target = "_blank";
      link.rel = "noopener";
      p.append(link, " ");
    }
    p.append(m.text + (m.instance ? " at " + m.instance : ""));
    if (m.want) p.append(element("span", "want", "want " + m.want));
    if (m.got) p.append(element("span", "got", "got " + m.got));
    return p;
  };
  const goto = async line => {
    let index = result.stretches.findLastIndex(s => s.line <= line);
    if (index < 0) index = 0;
    await turn(index);
    const row = at("line-" + line);
    document.querySelectorAll("#wire .here").forEach(e => e.classList.remove("here"));
    row?.classList.add("here");
    const box = document.querySelector(".lines .scroll");
    if (row) box.scrollTop = Math.max(0, row.offsetTop - 60);
  };

  const begin = () => {
    blob = file || new Blob([capture.value]);
    if (!isReady || busy) return;
    if (!blob.size) { state.textContent = "There is nothing to judge yet."; capture.focus(); return; }
    run++;
    busy = true;
    result = {stretches: [], at: new Map(), index: 0, began: performance.now()};
    groups.clear();
    at("findings").replaceChildren();
    document.querySelector("#wire tbody").replaceChildren();
    at("verdict").textContent = "…";
    at("verdict").className = "";
    at("summary").textContent = "";
    at("result").hidden = false;
    judge.disabled = true;
    progress.hidden = stop.hidden = false;
    progress.value = 0;
    state.textContent = "Judging …";
    worker.postMessage({run, blob, options: {pack: at("pack").value, bare: at("profile").value === "bare"}});
  };
  const take = given => {
    file = given;
    at("dropped").hidden = false;
    at("dropped").textContent = `${given.name || "the file"}, ${counted(given.size, "byte")}`;
    capture.hidden = true;
    begin();
  };
  const empty = () => {
    file = null;
    capture.hidden = false;
    at("dropped").hidden = true;
  };

  judge.addEventListener("click", begin);
  stop.addEventListener("click", () => {
    worker.terminate();
    run++;
    failed("Stopped. What was found so far stays below.");
    start();
    if (result) turn(result.index);
  });
  at("clear").addEventListener("click", () => { empty(); capture.value = ""; at("result").hidden = true; capture.focus(); });
  at("open").addEventListener("click", () => at("file").click());
  at("file").addEventListener("change", e => { if (e.target.files[0]) take(e.target.files[0]); e.target.value = ""; });
  at("example").addEventListener("change", e => {
    if (e.target.value === "") return;
    empty();
    capture.value = at("example-" + e.target.value).content.textContent;
    begin();
  });
  at("before").addEventListener("click", () => turn(result.index - 1));
  at("after").addEventListener("click", () => turn(result.index + 1));
  capture.addEventListener("paste", e => {
    const text = e.clipboardData.getData("text");
    if (text.length > tooLong) { e.preventDefault(); take(new File([text], "What was pasted")); }
    else setTimeout(begin);
  });
  capture.addEventListener("keydown", e => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) begin(); });
  addEventListener("dragover", e => { e.preventDefault(); document.body.classList.add("dragging"); });
  addEventListener("dragleave", e => { if (!e.relatedTarget) document.body.classList.remove("dragging"); });
  addEventListener("drop", e => {
    e.preventDefault();
    document.body.classList.remove("dragging");
    if (e.dataTransfer.files[0]) take(e.dataTransfer.files[0]);
  });

  const script = element("script");
  script.src = root + "assets/judge.js";
  script.addEventListener("load", start);
  script.addEventListener("error", () => failed("The judge isn't there: these pages were built without it."));
  document.head.append(script);
})();
