package report

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// markdownBytes limits the size of a summary; CI systems refuse large ones.
const markdownBytes = 60_000

// Markdown writes a report for the summary of a CI job.
type Markdown struct {
	// Require are the classes that the run had to earn, nil for none.
	Require []string
}

// Write writes the verdict, the first causes, the classes, the counts, and each failure with the expected and the received
// value and the rerun line, in less than 60,000 bytes. Failures that don't fit are counted.
func (m Markdown) Write(w io.Writer, r *Report) error {
	p := summary{remainingBytes: markdownBytes - 2000} // reserve for the parts that are always written
	p.head(r, m.Require)
	p.broken(r)
	p.open(r)
	p.serverLog(r)
	run := ""
	if r.Suite.Effort != "" {
		run = " · effort " + code(r.Suite.Effort)
	}
	if r.Suite.Program != "" {
		run += " · program " + code(r.Suite.Program)
	}
	digest := r.Suite.Digest[:min(len(r.Suite.Digest), len("sha256:")+12)]
	p.WriteString("\nseed " + fmt.Sprint(r.Suite.Seed) + run + " · suite " + code(digest) +
		"\\\neverything is in `report.json` and `report.html`\n")
	if _, err := io.WriteString(w, p.String()); err != nil {
		return fmt.Errorf("writing the summary: %w", err)
	}
	return nil
}

type summary struct {
	strings.Builder
	remainingBytes int // limit for the complete text
}

// fits writes a complete block, or nothing if it doesn't fit.
func (p *summary) fits(block string) bool {
	if p.Len()+len(block) > p.remainingBytes {
		return false
	}
	p.WriteString(block)
	return true
}

func (p *summary) head(r *Report, require []string) {
	word := map[int]string{0: "✅ PASS", 1: "❌ FAIL", 3: "⚠️ ERROR"}[r.ExitCode(require)]
	fmt.Fprintf(p, "## %s · %s %s · pack %s\n\n", word, words(r.Suite.Name), words(r.Suite.Version), words(r.Suite.Pack))
	who := ""
	if id := r.Target.Identity(); id != "" {
		who = code(clipped(id, 200)) + " at "
	}
	fmt.Fprintf(p, "%s%s\n", who, code(clipped(r.Target.URL, 500)))
	p.server(r)
	if r.Fault != "" {
		fmt.Fprintf(p, "\n**The suite could not find out anything:** %s\n", code(clipped(r.Fault, 2000)))
	}
	if r.Interrupted {
		p.WriteString("\n**Interrupted:** what had run by then is reported.\n")
	}
	if r.Ended != "" {
		fmt.Fprintf(p, "\n**Ended** by %s: what had run by then is reported.\n", words(r.Ended))
	}
	if n := len(r.Model); n > 0 {
		p.fits(fmt.Sprintf("\n**Model:** %d wrong requests, such as %s\n", n, code(clipped(r.Model[0], 200))))
	}
	for _, problem := range r.Baseline {
		p.fits("\n**Baseline:** " + code(clipped(problem, 500)) + "\n")
	}
	for _, notice := range r.Notices {
		p.fits("\nNotice: " + code(clipped(notice, 500)) + "\n")
	}
	for _, class := range r.Unearned(require) {
		fmt.Fprintf(p, "\n**Class %s was required and is not earned.**\n", words(class))
	}
	p.causes(r)
	p.classes(r)
	s := r.Summary
	p.WriteString("\n| pass | fail | warn | not claimed | unprovable | known | error | scenarios | time |\n")
	p.WriteString("|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, n := range []int{s.Pass, s.Fail, s.Warn, s.NotClaimed, s.Unprovable, s.Known, s.Error, s.Scenarios} {
		fmt.Fprintf(p, "| %d ", n)
	}
	fmt.Fprintf(p, "| %.1f s |\n", s.Seconds)
	if s.Skipped > 0 && r.Fault == "" {
		fmt.Fprintf(p, "\n%s skipped by the call.\n", were(s.Skipped, "requirement"))
	}
	if s.Requests > 0 {
		fmt.Fprintf(p, "\nThe run sent %d requests.\n", s.Requests)
	}
	if s.Silence > 0 {
		fmt.Fprintf(p, "\nThe longest silence that was proven took %.1f s.\n", s.Silence)
	}
}

// causes writes the first causes, a row each, as an overview.
func (p *summary) causes(r *Report) {
	const room = 80
	var all []card
	for _, v := range []Verdict{Fail, Error, Warn} {
		all = append(all, cards(r, v)...)
	}
	if len(all) == 0 {
		return
	}
	p.WriteString("\n| first causes | breaks also | |\n|---|--:|---|\n")
	for _, c := range all[:min(len(all), shown)] {
		p.fits(fmt.Sprintf("| %s %s | %d | %s |\n", sign(c.Verdict), cell(c.ID), len(c.also), cell(clipped(fault(c.Requirement, room), room))))
	}
	if n := len(all) - shown; n > 0 {
		fmt.Fprintf(p, "\nMore causes are below: %d.\n", n)
	}
}

// cell is code in a row of a table, where a bar would end it.
func cell(text string) string {
	if text == "" {
		return ""
	}
	return strings.ReplaceAll(code(text), "|", `\|`)
}

// classes writes the classes, a row each.
func (p *summary) classes(r *Report) {
	if len(r.Classes) == 0 || r.Fault != "" {
		return
	}
	if r.Unearnable != "" {
		p.fits("\n" + words(clipped(r.Unearnable, 500)) + "\n")
	}
	p.WriteString("\n| class | |\n|---|---|\n")
	for i, c := range r.Classes {
		text := "✅ " + words(c.earned())
		switch {
		case c.Unclaimed != "":
			text = "– not claimed: " + words(clipped(c.Unclaimed, 200))
		case !c.Earned:
			text = strings.TrimSuffix("✖️ not earned: "+words(c.Lacks()), ": ")
			if why := r.oneReason(c.Missing); why != "" {
				text += ", " + words(clipped(why, 200))
			}
		}
		if row := fmt.Sprintf("| %s | %s |\n", words(c.Name), text); p.Len() > p.remainingBytes/2 || !p.fits(row) {
			fmt.Fprintf(p, "\nMore classes are in the report: %d.\n", len(r.Classes)-i)
			return
		}
	}
}

// broken writes every requirement that did not hold, failures first.
func (p *summary) broken(r *Report) {
	for _, v := range []Verdict{Fail, Error, Warn, Known} {
		left := 0
		for _, c := range cards(r, v) {
			q := c.Requirement
			whole, short := failure(c), "\n"+title(q)+words(clipped(q.Sentence, 500))+"\n"
			if left > 0 || !p.fits(whole) && !p.fits(short) {
				left += 1 + len(c.also)
			}
		}
		if left > 0 {
			p.remainingBytes += 200
			p.fits(fmt.Sprintf("\n… and %d more with the verdict %s\n", left, v))
		}
	}
}

func title(q Requirement) string {
	return fmt.Sprintf("### %s `%s` (%s)\n\n", sign(q.Verdict)+" "+string(q.Verdict), q.ID, q.Level)
}

// failure is everything that a reader of the summary needs of one requirement,
// the wire folded.
func failure(c card) string {
	var b strings.Builder
	q := c.Requirement
	b.WriteString("\n" + title(q) + sentence(q.Sentence) + "\n")
	if q.Reason != "" {
		b.WriteString("\n" + code(clipped(q.Reason, 1000)) + "\n")
	}
	if len(c.also) > 0 {
		b.WriteString("\n" + alike(c) + "\n")
	}
	if len(q.Findings) == 0 {
		return b.String()
	}
	f := q.Findings[0]
	text := clipped(f.Message, 1000)
	for _, value := range []struct{ name, text string }{
		{"want", f.Want}, {"got ", f.Got}, {"at  ", f.Instance}, {"in  ", strings.Trim(f.Location+" · "+f.Scenario, " ·")}, {f.StepLabel(), f.Step}, {"then", f.Alone},
	} {
		if value.text != "" {
			text += "\n" + value.name + "  " + strings.ReplaceAll(clipped(value.text, 800), "\n", "\n      ")
		}
	}
	b.WriteString("\n" + fenced(text, "text"))
	if f.History != "" {
		b.WriteString("\n" + fenced(clipped(f.History, 2500), "gherkin"))
	}
	if f.Exchange != "" {
		wire := fenced(clipped(f.Exchange, 2500), "text")
		b.WriteString("\n<details><summary>on the wire</summary>\n\n" + wire + "\n</details>\n")
	}
	commands := strings.TrimSpace(OneLine(f.Rerun) + "\n" + OneLine(clipped(f.Curl, 800)))
	long := len(f.Script) > 2500 // a part of it is of no use
	if !long {
		commands = strings.TrimSpace(commands + "\n" + f.Script)
	}
	if commands != "" {
		b.WriteString("\n" + fenced(commands, "sh"))
	}
	if long {
		b.WriteString("\nA shell script that makes the requests again is in `report.html`.\n")
	}
	b.WriteString("\nRead " + code(Read(q.ID)) + "\n")
	if n := len(q.Findings) - 1; n > 0 {
		fmt.Fprintf(&b, "\n%d more findings like this one are in `report.json`.\n", n)
	}
	return b.String()
}

// alike returns a sentence that names the other requirements that the card's cause breaks.
func alike(c card) string {
	const most = 40
	var ids []string
	for _, q := range c.also {
		ids = append(ids, "`"+q.ID+"`")
	}
	if more := len(ids) - most; more > 0 {
		ids = append(ids[:most], fmt.Sprintf("and %d more", more))
	}
	text := "The same cause breaks also: " + strings.Join(ids, ", ")
	if c.cause != "" {
		text = "Probably one cause: " + code(c.cause) + ". " + text
	}
	return text
}

// open writes the unproven requirements, folded.
func (p *summary) open(r *Report) {
	v := view{Report: r}
	v.open()
	if len(v.Open) == 0 {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n<details><summary>%d requirements were not proven</summary>\n\n", v.unproven())
	for i, o := range v.Open {
		if p.Len()+b.Len() > p.remainingBytes-2000 {
			fmt.Fprintf(&b, "- … and %d more reasons\n", len(v.Open)-i)
			break
		}
		var ids []string
		for _, q := range o.Requirements {
			ids = append(ids, "`"+q.ID+"`")
		}
		some := ids[:min(len(ids), 12)]
		more := ""
		if n := len(ids) - len(some); n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		fmt.Fprintf(&b, "- **%s**: %s: %s%s\n", o.Verdict, code(clipped(o.Reason, 500)), strings.Join(some, ", "), more)
	}
	p.fits(b.String() + "\n</details>\n")
}

// fenced returns a block of code that its text can't end.
func fenced(text, language string) string {
	text = Printable(strings.TrimRight(text, "\n"))
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + text + "\n" + fence + "\n"
}

// code is text as code in a line.
func code(text string) string {
	text = OneLine(text)
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 || text == "" {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}

var escapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "#", `\#`, "|", `\|`,
	"~", `\~`, "!", `\!`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "@", "@\u2060", "://", ":\u2060//", "$", "<span>$</span>")

var web = regexp.MustCompile(`(?i)www\.`)

// words returns one line of text without markup, mathematics, links or mentions. Data of a server is written as code
// instead.
func words(text string) string {
	return escapes.Replace(web.ReplaceAllStringFunc(OneLine(text), func(www string) string { return www[:3] + "\u2060." }))
}

// sentence is one of the spec: words, with code between backticks.
func sentence(text string) string {
	parts := strings.Split(OneLine(text), "`")
	if len(parts)%2 == 0 || strings.Contains(text, "``") {
		return words(text)
	}
	for i := range parts {
		if i%2 == 0 {
			parts[i] = words(parts[i])
		}
	}
	return strings.Join(parts, "`")
}

// server writes the ends of the server.
func (p *summary) server(r *Report) {
	for i, e := range r.ends() {
		if i == shown {
			p.fits(fmt.Sprintf("\n… and %d more ends of the server are in `report.json`.\n", len(r.Ends)-shown))
			break
		}
		p.fits("\n**" + words(clipped(e.Sentence()+e.during(), 500)) + "**\n\n" + fenced(strings.Join(append(e.lines(), e.Output...), "\n"), "text"))
	}
}

// serverLog writes the server's output, folded.
func (p *summary) serverLog(r *Report) {
	if r.ServerLog == "" {
		return
	}
	p.fits("\n<details><summary>server log</summary>\n\n" + fenced(r.ServerLog, "text") + "\n</details>\n")
}
