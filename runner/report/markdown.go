package report

import (
	"fmt"
	"io"
	"strings"
)

// markdownRoom is how many bytes a summary may have; CI systems refuse large
// ones.
const markdownRoom = 60_000

// Markdown says how a report is written for the summary of a CI job.
type Markdown struct {
	// Require is the class that the run had to earn, "" for none.
	Require string
}

// Write writes the verdict, the classes, the counts, and each failure with what
// was wanted, what came and how to rerun it, in less than 60,000 bytes. What has
// no room is counted.
func (m Markdown) Write(w io.Writer, r *Report) error {
	p := summary{room: markdownRoom - 2000} // for what is written however full it is
	p.head(r, m.Require)
	p.broken(r)
	p.open(r)
	p.WriteString("\n<sub>seed " + fmt.Sprint(r.Suite.Seed) + " · suite " + code(r.Suite.Digest) +
		" · everything is in `report.json` and `report.html`</sub>\n")
	if _, err := io.WriteString(w, p.String()); err != nil {
		return fmt.Errorf("writing the summary: %w", err)
	}
	return nil
}

type summary struct {
	strings.Builder
	room int
}

// fits writes a whole block, or nothing if it has no room.
func (p *summary) fits(block string) bool {
	if p.Len()+len(block) > p.room {
		return false
	}
	p.WriteString(block)
	return true
}

func (p *summary) head(r *Report, require string) {
	word := map[int]string{0: "✅ PASS", 1: "❌ FAIL", 3: "⚠️ ERROR"}[r.ExitCode(require)]
	fmt.Fprintf(p, "## %s · %s %s · pack %s\n\n", word, words(r.Suite.Name), words(r.Suite.Version), words(r.Suite.Pack))
	fmt.Fprintf(p, "%s\n", code(clipped(r.Target.URL, 500)))
	if r.Fault != "" {
		fmt.Fprintf(p, "\n**The suite could not find out anything:** %s\n", words(clipped(r.Fault, 2000)))
	}
	if r.Interrupted {
		p.WriteString("\n**Interrupted:** what had run by then is reported.\n")
	}
	for _, problem := range r.Baseline {
		p.fits("\n**Baseline:** " + words(clipped(problem, 500)) + "\n")
	}
	if require != "" && !r.Earned(require) {
		fmt.Fprintf(p, "\n**Class %s was required and is not earned.**\n", words(require))
	}
	if len(r.Classes) > 0 {
		p.WriteString("\n| class | |\n|---|---|\n")
		for _, c := range r.Classes {
			text := "✅ earned"
			if !c.Earned {
				text = "✖️ not earned: " + words(missing(c.Missing))
			}
			p.fits(fmt.Sprintf("| %s | %s |\n", words(c.Name), clipped(text, 1000)))
		}
	}
	s := r.Summary
	p.WriteString("\n| pass | fail | warn | not claimed | unprovable | known | error | scenarios | time |\n")
	p.WriteString("|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, n := range []int{s.Pass, s.Fail, s.Warn, s.NotClaimed, s.Unprovable, s.Known, s.Error, s.Scenarios} {
		fmt.Fprintf(p, "| %d ", n)
	}
	fmt.Fprintf(p, "| %.1f s |\n", s.Seconds)
}

// broken writes every requirement that did not hold, failures first.
func (p *summary) broken(r *Report) {
	for _, v := range []Verdict{Fail, Error, Warn, Known} {
		left := 0
		all, causes := byCause(r, v)
		for _, q := range all {
			whole, short := failure(q, causes[q.ID].hint(q.ID)), "\n"+title(q)+words(clipped(q.Sentence, 500))+"\n"
			if left > 0 || !p.fits(whole) && !p.fits(short) {
				left++
			}
		}
		if left > 0 {
			p.room += 200
			p.fits(fmt.Sprintf("\n… and %d more with the verdict %s\n", left, v))
		}
	}
}

func title(q Requirement) string {
	return fmt.Sprintf("### %s `%s` (%s)\n\n", sign(q.Verdict)+" "+string(q.Verdict), q.ID, q.Level)
}

// failure is everything that a reader of the summary needs of one requirement,
// the wire folded.
func failure(q Requirement, hint string) string {
	var b strings.Builder
	b.WriteString("\n" + title(q) + sentence(q.Sentence) + "\n")
	if q.Reason != "" {
		b.WriteString("\n" + words(clipped(q.Reason, 1000)) + "\n")
	}
	if hint != "" {
		b.WriteString("\n" + words(hint) + "\n")
	}
	if len(q.Findings) == 0 {
		return b.String()
	}
	f := q.Findings[0]
	text := clipped(f.Message, 1000)
	for _, value := range []struct{ name, text string }{
		{"want", f.Want}, {"got ", f.Got}, {"at  ", f.Instance}, {"in  ", strings.Trim(f.Place+" · "+f.Scenario, " ·")}, {"step", f.Step},
	} {
		if value.text != "" {
			text += "\n" + value.name + "  " + strings.ReplaceAll(clipped(value.text, 800), "\n", "\n      ")
		}
	}
	b.WriteString("\n" + fenced(text, "text"))
	if f.Exchange != "" {
		wire := fenced(clipped(f.Exchange, 2500), "text")
		b.WriteString("\n<details><summary>on the wire</summary>\n\n" + wire + "\n</details>\n")
	}
	commands := strings.TrimSpace(OneLine(f.Rerun) + "\n" + OneLine(clipped(f.Curl, 800)))
	if commands != "" {
		b.WriteString("\n" + fenced(commands, "sh"))
	}
	if n := len(q.Findings) - 1; n > 0 {
		fmt.Fprintf(&b, "\n%d more findings like this one are in `report.json`.\n", n)
	}
	return b.String()
}

// open writes what was not proven, folded.
func (p *summary) open(r *Report) {
	v := view{Report: r}
	v.open()
	if len(v.Open) == 0 {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n<details><summary>%d requirements were not proven</summary>\n\n", v.unproven())
	for i, o := range v.Open {
		if p.Len()+b.Len() > p.room-2000 {
			fmt.Fprintf(&b, "- … and %d more reasons\n", len(v.Open)-i)
			break
		}
		var ids []string
		for _, q := range o.Requirements {
			ids = append(ids, "`"+q.ID+"`")
		}
		few := ids[:min(len(ids), 12)]
		more := ""
		if n := len(ids) - len(few); n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		fmt.Fprintf(&b, "- **%s**: %s: %s%s\n", o.Verdict, words(clipped(o.Reason, 500)), strings.Join(few, ", "), more)
	}
	p.fits(b.String() + "\n</details>\n")
}

// fenced is a block of code that its text can't end.
func fenced(text, language string) string {
	text = Plain(strings.TrimRight(text, "\n"))
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
	"~", `\~`, "!", `\!`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "@", "@\u2060", "://", ":\u2060//")

// words is one line of text in which nothing is markup, nor a link or a mention.
func words(text string) string { return escapes.Replace(OneLine(text)) }

// sentence is one of the spec: words, with code between backticks.
func sentence(text string) string {
	parts := strings.Split(OneLine(text), "`")
	if len(parts)%2 == 0 || strings.Contains(text, "``") {
		return words(text)
	}
	for i := range parts {
		if i%2 == 0 {
			parts[i] = escapes.Replace(parts[i])
		}
	}
	return strings.Join(parts, "`")
}
