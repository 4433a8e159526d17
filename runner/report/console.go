package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"
)

// Console says how a report is written for people.
type Console struct {
	// Color paints verdicts; for terminals only.
	Color bool
	// Require is the class that the run had to earn, "" for none.
	Require string
}

// shown is how many findings of one requirement are printed: a rule that is
// broken everywhere is understood from a few.
const shown = 3

// Write writes the summary of a report: counts by chapter, every failure with
// what is needed to fix it, warnings, what could not be proven, the classes, and
// one closing line. Nothing that a server sent reaches the terminal as it was
// sent: control characters are escaped.
func (c Console) Write(w io.Writer, r *Report) error {
	p := printer{paint: palette(c.Color)}
	p.head(r)
	if r.Fault == "" {
		p.chapters(r)
		p.verdicts(r, Fail)
		p.verdicts(r, Warn)
		p.verdicts(r, Known)
		for _, v := range []Verdict{Error, Unprovable, NotClaimed} {
			p.reasons(r, v)
		}
		p.notes(r)
		p.baseline(r)
		p.classes(r)
	} else {
		p.line("")
		p.line("%s  %s", p.paint.bad("ERROR"), OneLine(r.Fault))
	}
	p.closing(r, r.ExitCode(c.Require), c.Require)
	if _, err := io.WriteString(w, p.String()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// paint holds how each kind of text is coloured.
type paint struct{ good, bad, odd, dim, bold func(a ...any) string }

func palette(on bool) paint {
	brush := func(attributes ...color.Attribute) func(a ...any) string {
		c := color.New(attributes...)
		if on {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
		return c.SprintFunc()
	}
	return paint{brush(color.FgGreen), brush(color.FgRed, color.Bold), brush(color.FgYellow), brush(color.Faint), brush(color.Bold)}
}

func (p paint) of(v Verdict) func(a ...any) string {
	switch v {
	case Pass:
		return p.good
	case Fail, Error:
		return p.bad
	case Warn, Known:
		return p.odd
	}
	return p.dim
}

type printer struct {
	strings.Builder
	paint paint
}

func (p *printer) line(format string, args ...any) {
	p.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

func (p *printer) head(r *Report) {
	p.line("%s %s · pack %s · %s · seed %d", r.Suite.Name, OneLine(r.Suite.Version), r.Suite.Pack, OneLine(r.Target.URL), r.Suite.Seed)
	p.line("%s", p.paint.dim("suite "+r.Suite.Digest))
}

// columns are the verdicts in the order of the table.
var columns = [...]Verdict{Pass, Fail, Warn, NotClaimed, Unprovable, Known, Error}

// chapters prints the table of counts, without the columns that are all zero.
func (p *printer) chapters(r *Report) {
	counts := map[string]map[Verdict]int{}
	var names []string
	total := map[Verdict]int{}
	wide := len("chapter")
	for _, q := range r.Requirements {
		if counts[q.Chapter] == nil {
			counts[q.Chapter] = map[Verdict]int{}
			names = append(names, q.Chapter)
			wide = max(wide, len(q.Chapter))
		}
		counts[q.Chapter][q.Verdict]++
		total[q.Verdict]++
	}
	row := func(name string, cell func(Verdict) string) {
		text := fmt.Sprintf("  %-*s", wide, name)
		for _, v := range columns {
			if v == Pass || total[v] > 0 {
				text += fmt.Sprintf("  %*s", max(len(v), 4), cell(v))
			}
		}
		p.line("%s", text)
	}
	p.line("")
	row("chapter", func(v Verdict) string { return string(v) })
	for _, name := range names {
		row(name, func(v Verdict) string {
			if n := counts[name][v]; n > 0 {
				return fmt.Sprint(n)
			}
			return "·"
		})
	}
}

func (p *printer) verdicts(r *Report, v Verdict) {
	all, causes := byCause(r, v)
	for _, q := range all {
		p.line("")
		p.requirement(q, causes[q.ID].hint(q.ID))
	}
}

// requirement prints one that did not pass, in the order in which somebody who
// has to fix it reads: the rule, what it has in common with others, want and got,
// the wire, how to rerun, where to read on.
func (p *printer) requirement(q Requirement, hint string) {
	p.line("%s  %s (%s)", p.paint.of(q.Verdict)(strings.ToUpper(string(q.Verdict))), p.paint.bold(q.ID), q.Level)
	p.WriteString(indent("      ", Plain(q.Sentence)))
	if q.Reason != "" {
		p.WriteString(indent("      ", Plain(q.Reason)))
	}
	if hint != "" {
		p.WriteString(wrap("      ", Plain(hint), 110))
	}
	chosen := telling(q.Findings)
	for _, f := range chosen {
		p.finding(f)
	}
	if more := len(q.Findings) - len(chosen); more > 0 {
		s := "s"
		if more == 1 {
			s = ""
		}
		p.line("    … and %d more finding%s like these in the JSON report", more, s)
	}
	if len(q.Findings) > 0 {
		p.command("rerun", q.Findings[0].Rerun)
		p.command("curl ", q.Findings[0].Curl)
	}
	p.line("    read   %s", q.Place)
}

// command prints a command that a person may copy.
func (p *printer) command(name, text string) {
	if text != "" {
		p.line("    %s  %s", name, OneLine(text))
	}
}

// telling chooses the findings to print: the first of each kind.
func telling(findings []Finding) []Finding {
	var out []Finding
	for _, f := range findings {
		like := func(g Finding) bool { return g.Message == f.Message }
		if len(out) < shown && !slices.ContainsFunc(out, like) {
			out = append(out, f)
		}
	}
	return out
}

func (p *printer) finding(f Finding) {
	p.line("    %s", p.paint.dim("———"))
	p.WriteString(indent("    ", Plain(f.Message)))
	p.labelled("want", f.Want)
	p.labelled("got ", f.Got)
	if f.Instance != "" {
		p.labelled("at  ", strings.TrimSuffix(f.Instance+" · "+f.Schema, " · "))
	}
	if f.Scenario != "" {
		p.labelled("in  ", strings.TrimPrefix(f.Place+" · ", " · ")+f.Scenario)
	}
	if f.Step != "" {
		p.labelled("step", f.Step)
	}
	if f.Exchange == "" {
		return
	}
	p.line("    on the wire")
	for line := range strings.SplitSeq(strings.TrimRight(Plain(f.Exchange), "\n"), "\n") {
		if strings.HasPrefix(line, "✗") {
			line = p.paint.bad(line)
		}
		p.line("      %s", line)
	}
}

// labelled prints a value after its name, or below it when it has several lines.
func (p *printer) labelled(name, value string) {
	switch value = Plain(value); {
	case value == "":
	case strings.Contains(strings.TrimRight(value, "\n"), "\n"):
		p.line("    %s", name)
		p.WriteString(indent("      ", value))
	default:
		p.line("    %s   %s", name, value)
	}
}

// reasons prints the requirements of a verdict by what stands in their way.
func (p *printer) reasons(r *Report, v Verdict) {
	ids := map[string][]string{}
	var order []string
	for _, q := range r.Requirements {
		if q.Verdict != v {
			continue
		}
		reason := cmp.Or(q.Reason, "no reason given")
		if ids[reason] == nil {
			order = append(order, reason)
		}
		ids[reason] = append(ids[reason], q.ID)
	}
	if len(order) == 0 {
		return
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(len(ids[b]), len(ids[a])) })
	p.line("")
	p.line("%s", p.paint.of(v)(strings.ToUpper(string(v))))
	for _, reason := range order {
		p.line("  %s", OneLine(reason))
		p.WriteString(wrap("      ", strings.Join(ids[reason], ", "), 110))
	}
}

// wrap breaks text at spaces into lines of at most width columns.
func wrap(prefix, text string, width int) string {
	var b strings.Builder
	line := prefix
	for _, word := range strings.Fields(text) {
		if len(line) > len(prefix) && len(line)+1+len(word) > width {
			b.WriteString(line + "\n")
			line = prefix
		}
		if len(line) > len(prefix) {
			line += " "
		}
		line += word
	}
	return b.String() + line + "\n"
}

func (p *printer) notes(r *Report) {
	if len(r.Notes) == 0 {
		return
	}
	p.line("")
	p.line("%s", p.paint.dim("NOTES"))
	p.line("  differences from the transcripts that no check explains, %d; holes in the suite, not failures of the server", len(r.Notes))
	for i, n := range r.Notes {
		if i == shown {
			p.line("  … and %d more in the JSON report", len(r.Notes)-shown)
			break
		}
		p.line("  %s · %s · %s", n.Golden, OneLine(n.Scenario), OneLine(n.Where))
		p.labelled("want", n.Want)
		p.labelled("got ", n.Got)
	}
}

// baseline prints why the file of known failures fails the run.
func (p *printer) baseline(r *Report) {
	if len(r.Baseline) == 0 {
		return
	}
	p.line("")
	p.line("%s", p.paint.bad("BASELINE"))
	for _, problem := range r.Baseline {
		p.line("  %s", OneLine(problem))
	}
}

func (p *printer) classes(r *Report) {
	if len(r.Classes) == 0 {
		return
	}
	p.line("")
	p.line("CLASSES")
	wide := 0
	for _, c := range r.Classes {
		wide = max(wide, len(c.Name))
	}
	for _, c := range r.Classes {
		if c.Earned {
			p.line("  %s %-*s  earned", p.paint.good("✓"), wide, c.Name)
			continue
		}
		p.line("  %s %-*s  not earned: %s", p.paint.dim("✗"), wide, c.Name, missing(c.Missing))
	}
}

// missing says what keeps a class from being earned, failures first.
func missing(all []Missing) string {
	unselected := 0
	var named []string
	worst := slices.SortedStableFunc(slices.Values(all), func(a, b Missing) int {
		return cmp.Compare(slices.Index(columns[1:], a.Verdict), slices.Index(columns[1:], b.Verdict))
	})
	for _, m := range worst {
		if m.Verdict == "not selected" {
			unselected++
			continue
		}
		named = append(named, fmt.Sprintf("%s (%s)", m.ID, m.Verdict))
	}
	if len(named) > 2*shown {
		named = append(named[:2*shown], fmt.Sprintf("%d more", len(named)-2*shown))
	}
	if unselected > 0 {
		named = append(named, fmt.Sprintf("%d requirements were not selected", unselected))
	}
	return strings.Join(named, ", ")
}

// closing prints the one line that a hurried reader looks for.
func (p *printer) closing(r *Report, exit int, require string) {
	word := p.paint.good("PASS")
	switch exit {
	case 1:
		word = p.paint.bad("FAIL")
	case 3:
		word = p.paint.bad("ERROR")
	}
	s := r.Summary
	text := fmt.Sprintf("%d pass, %d fail, %d warn, %d not claimed, %d unprovable, %d known, %d error · %d scenarios in %.1f s · seed %d",
		s.Pass, s.Fail, s.Warn, s.NotClaimed, s.Unprovable, s.Known, s.Error, s.Scenarios, s.Seconds, r.Suite.Seed)
	if require != "" && !r.Earned(require) {
		text += " · class " + require + " not earned"
	}
	if n := len(r.Baseline); n > 0 {
		text += fmt.Sprintf(" · problems of the baseline: %d", n)
	}
	if r.Interrupted {
		text += " · interrupted"
	}
	p.line("")
	p.line("%s  %s", word, text)
}
