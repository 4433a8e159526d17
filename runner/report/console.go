package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/streamcert/streamcert/runner/record"
)

// Console writes a report for a terminal.
type Console struct {
	// Color paints verdicts; for terminals only.
	Color bool
	// Require are the classes that the run had to earn, nil for none.
	Require []string
	// Verbose names every requirement that was not proven.
	Verbose bool
}

// shown limits the printed findings of one requirement: a few explain a rule that is broken everywhere.
const shown = 3

// Write writes the summary of a report: counts by chapter, every failure with the evidence for it, warnings, unproven
// requirements, the classes, and one closing line. Control characters in texts of the server are escaped.
func (c Console) Write(w io.Writer, r *Report) error {
	p := printer{paint: palette(c.Color), verbose: c.Verbose}
	p.head(r)
	p.server(r)
	if r.Fault == "" {
		p.chapters(r)
		p.verdicts(r, Fail)
		p.verdicts(r, Warn)
		p.verdicts(r, Known)
		for _, v := range []Verdict{Error, Skipped, Unprovable, NotClaimed} {
			p.reasons(r, v)
		}
		p.notes(r)
		p.model(r)
		p.baseline(r)
		p.classes(r)
	} else {
		p.line("")
		p.line("%s  %s", p.paint.bad("ERROR"), OneLine(r.Fault))
	}
	exit := r.ExitCode(c.Require)
	p.serverLog(r, exit)
	p.closing(r, exit, c.Require)
	if _, err := io.WriteString(w, p.String()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// paint contains the functions that colour each kind of text.
type paint struct{ good, bad, unusual, dim, bold func(a ...any) string }

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
		return p.unusual
	}
	return p.dim
}

type printer struct {
	strings.Builder
	paint   paint // adds colours, or nothing
	verbose bool  // lists what is otherwise counted
}

func (p *printer) line(format string, args ...any) {
	p.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

func (p *printer) head(r *Report) {
	p.line("%s %s · pack %s · %s · %s", r.Suite.Name, OneLine(r.Suite.Version), r.Suite.Pack, OneLine(r.Target.URL), r.Suite.Drawn())
	if who := r.Target.Identity(); who != "" {
		p.line("server %s", OneLine(who))
	}
	if r.Suite.Program != "" {
		p.line("%s", p.paint.dim("program "+OneLine(r.Suite.Program)))
	}
	p.line("%s", p.paint.dim("suite "+r.Suite.Digest))
	if len(r.Target.Limits) > 0 {
		p.line("%s", p.paint.dim("declared limits: "+strings.Join(r.Target.Limits, ", ")))
	}
	if len(r.Proven) > 0 {
		p.line("%s", p.paint.dim("largest proven: "+r.Provens()))
	}
	if len(r.Unplayed) > 0 {
		p.line("campaigns that time cut short, of so many programs: %s; a nearer server or a machine at rest plays them all", r.UnplayedText())
	}
}

// columns are the verdicts in the order of the table.
var columns = [...]Verdict{Pass, Fail, Warn, NotClaimed, Unprovable, Skipped, Known, Error}

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
	for _, c := range cards(r, v) {
		p.line("")
		p.card(c)
	}
}

// card prints the failures of one cause: the requirement that explains the others in full, and one line for each other.
func (p *printer) card(c card) {
	hint := ""
	if c.cause != "" && len(c.also) > 0 {
		hint = "probably one cause: " + c.cause
	}
	p.requirement(c.Requirement, hint)
	if len(c.also) == 0 {
		return
	}
	p.line("    the same cause breaks also:")
	wide := 0
	for _, q := range c.also {
		wide = max(wide, len(q.ID))
	}
	for _, q := range c.also {
		p.line("      %-*s  %s", wide, q.ID, OneLine(fault(q, 60)))
	}
}

// fault returns the first finding of a requirement on one line, or its reason if it has no finding. Each value is clipped
// after remainingBytes bytes; the expected value is left out below roomForWant.
func fault(q Requirement, remainingBytes int) string {
	if len(q.Findings) == 0 {
		return clipped(q.Reason, remainingBytes)
	}
	f := q.Findings[0]
	text := clipped(f.Message, remainingBytes)
	if f.Want != "" && remainingBytes > bytesForWant {
		text += "; want " + clipped(f.Want, remainingBytes)
	}
	if f.Got != "" {
		text += "; got " + clipped(f.Got, remainingBytes)
	}
	return text
}

const bytesForWant = 100

// requirement prints one that did not pass, in the reading order of a fix: the rule, the common cause, want and got, the
// transcript, how to rerun, and further reading.
func (p *printer) requirement(q Requirement, hint string) {
	p.line("%s  %s (%s)", p.paint.of(q.Verdict)(strings.ToUpper(string(q.Verdict))), p.paint.bold(q.ID), q.Level)
	p.WriteString(indent("      ", Printable(q.Sentence)))
	if q.Reason != "" {
		p.WriteString(indent("      ", Printable(q.Reason)))
	}
	if hint != "" {
		p.WriteString(wrap("      ", Printable(hint), 110))
	}
	chosen := telling(q.Findings)
	for i, f := range chosen {
		if i > 0 && f.Exchange != "" && f.Exchange == chosen[i-1].Exchange {
			f.Exchange = sameWire
		}
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
		p.script(q.Findings[0].Script)
	}
	p.line("    read   %s", OneLine(Read(q.ID)))
}

// sameWire replaces a transcript that equals the one before.
const sameWire = "(as above)"

// command prints a command that a person may copy.
func (p *printer) command(name, text string) {
	if text != "" {
		p.line("    %s  %s", name, OneLine(text))
	}
}

// script prints lines for sh that a person may copy.
func (p *printer) script(text string) {
	if text != "" {
		p.line("    sh     lines for sh, which make these requests again:")
		p.WriteString(indent("      ", Printable(text)))
	}
}

// telling chooses the findings to print: the first of each kind.
func telling(findings []record.Finding) []record.Finding {
	var out []record.Finding
	for _, f := range findings {
		like := func(g record.Finding) bool { return g.Message == f.Message }
		if len(out) < shown && !slices.ContainsFunc(out, like) {
			out = append(out, f)
		}
	}
	return out
}

func (p *printer) finding(f record.Finding) {
	p.line("    %s", p.paint.dim("———"))
	p.WriteString(indent("    ", Printable(f.Message)))
	p.labelled("want", f.Want)
	p.labelled("got ", f.Got)
	if f.Instance != "" {
		p.labelled("at  ", strings.TrimSuffix(f.Instance+" · "+f.Schema, " · "))
	}
	if f.Scenario != "" {
		p.labelled("in  ", strings.TrimPrefix(f.Location+" · ", " · ")+f.Scenario)
	}
	if f.Step != "" {
		p.labelled(f.StepLabel(), f.Step)
	}
	if f.Alone != "" {
		p.WriteString(wrap("    ", Printable(f.Alone), 110))
	}
	p.labelled("play it again", f.History)
	if f.Exchange == "" {
		return
	}
	p.line("    on the wire")
	for line := range strings.SplitSeq(strings.TrimRight(Printable(f.Exchange), "\n"), "\n") {
		if strings.HasPrefix(line, "✗") {
			line = p.paint.bad(line)
		}
		p.line("      %s", line)
	}
}

// labelled prints a value after its name, or below it when it has several lines.
func (p *printer) labelled(name, value string) {
	switch value = Printable(value); {
	case value == "":
	case strings.Contains(strings.TrimRight(value, "\n"), "\n"):
		p.line("    %s", name)
		p.WriteString(indent("      ", value))
	default:
		p.line("    %s   %s", name, value)
	}
}

// few limits the ids after a reason; all are shown on request.
const few = 6

// reasons prints the requirements of a verdict by reason: a line and a count, and some ids if they could be proven.
func (p *printer) reasons(r *Report, v Verdict) {
	groups := byReason(r, v)
	if len(groups) == 0 {
		return
	}
	p.line("")
	p.line("%s", p.paint.of(v)(strings.ToUpper(string(v))))
	wide := 0
	for _, g := range groups {
		wide = max(wide, len(fmt.Sprint(len(g.Requirements))))
	}
	for _, g := range groups {
		p.line("  %*d  %s", wide, len(g.Requirements), OneLine(g.Reason))
		var ids []string
		for _, q := range g.Requirements {
			ids = append(ids, q.ID)
		}
		switch {
		case p.verbose || len(ids) <= few && v != NotClaimed:
		case v == NotClaimed:
			continue
		default:
			ids = append(ids[:few], fmt.Sprintf("and %d more (--verbose names them)", len(ids)-few))
		}
		p.WriteString(wrap(strings.Repeat(" ", wide+6), strings.Join(ids, ", "), 110))
	}
}

// byReason groups the requirements of a verdict by reason, the most frequent first.
func byReason(r *Report, v Verdict) []openView {
	at := map[string]int{}
	var groups []openView
	for _, q := range r.Requirements {
		if q.Verdict != v {
			continue
		}
		reason := cmp.Or(q.Reason, "no reason given")
		i, ok := at[reason]
		if !ok {
			i = len(groups)
			at[reason] = i
			groups = append(groups, openView{Verdict: v, Reason: reason})
		}
		groups[i].Requirements = append(groups[i].Requirements, q)
	}
	slices.SortStableFunc(groups, func(a, b openView) int { return cmp.Compare(len(b.Requirements), len(a.Requirements)) })
	return groups
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
