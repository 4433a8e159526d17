package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// notSelected is the verdict of a requirement that the run left out.
const notSelected = "not selected"

// classes prints the earned classes, and what the others lack. A run of a selection can't earn any, which is one line.
func (p *printer) classes(r *Report) {
	if len(r.Classes) == 0 {
		return
	}
	p.line("")
	if n := unselected(r); n > 0 {
		p.line("CLASSES  none can be earned by a selection; %s not selected", were(n, "requirement"))
		return
	}
	p.line("CLASSES")
	if r.Unearnable != "" {
		p.WriteString(wrap("  ", Printable(r.Unearnable), 110))
	}
	wide := 0
	for _, c := range r.Classes {
		wide = max(wide, len(c.Name))
	}
	for _, c := range r.Classes {
		if c.Earned {
			p.line("  %s %-*s  %s", p.paint.good("✓"), wide, c.Name, c.earned())
			continue
		}
		if c.Unclaimed != "" {
			p.line("  %s %-*s  not claimed: %s", p.paint.dim("–"), wide, c.Name, OneLine(c.Unclaimed))
			continue
		}
		p.line("  %s %-*s  not earned: %s", p.paint.dim("✗"), wide, c.Name, r.missing(c.Missing))
	}
}

// earned returns the text for an earned class, with the part of it that wasn't played.
func (c Class) earned() string {
	if c.Unplayed == "" {
		return "earned"
	}
	return "earned; by the model alone, histories leave out " + c.Unplayed
}

// unselected returns the number of requirements of classes that the run left out.
func unselected(r *Report) int {
	out := map[string]bool{}
	for _, c := range r.Classes {
		for _, m := range c.Missing {
			if m.Verdict == notSelected {
				out[m.ID] = true
			}
		}
	}
	return len(out)
}

// were returns the subject and the verb of a sentence about n things, such as "2 requests were".
func were(n int, thing string) string {
	if n == 1 {
		return "1 " + thing + " was"
	}
	return fmt.Sprintf("%d %ss were", n, thing)
}

// missing returns what keeps a class from being earned, failures first. If all requirements were left out for one reason,
// it returns the reason.
func (r *Report) missing(all []Missing) string {
	if reason := r.oneReason(all); reason != "" {
		return fmt.Sprintf("%d %s, %s", len(all), all[0].Verdict, OneLine(reason))
	}
	left := 0
	var named []string
	worst := slices.SortedStableFunc(slices.Values(all), func(a, b Missing) int {
		return cmp.Compare(slices.Index(columns[1:], a.Verdict), slices.Index(columns[1:], b.Verdict))
	})
	for _, m := range worst {
		if m.Verdict == notSelected {
			left++
			continue
		}
		named = append(named, fmt.Sprintf("%s (%s)", m.ID, m.Verdict))
	}
	if len(named) > 2*shown {
		named = append(named[:2*shown], fmt.Sprintf("%d more", len(named)-2*shown))
	}
	if left > 0 {
		named = append(named, were(left, "requirement")+" not selected")
	}
	return strings.Join(named, ", ")
}

// oneReason returns the reason for which several requirements were not tried, "" if one of them was, or for another reason.
func (r *Report) oneReason(all []Missing) string {
	reasons := map[string]string{}
	for _, q := range r.Requirements {
		reasons[q.ID] = q.Reason
	}
	if len(all) < 2 || !slices.Contains([]Verdict{Unprovable, NotClaimed, Skipped}, all[0].Verdict) ||
		slices.ContainsFunc(all, func(m Missing) bool { return m.Verdict != all[0].Verdict || reasons[m.ID] != reasons[all[0].ID] }) {
		return ""
	}
	return reasons[all[0].ID]
}

// closing prints the line with the overall result and the classes.
func (p *printer) closing(r *Report, exit int, require []string) {
	word := p.paint.good("PASS")
	switch exit {
	case 1:
		word = p.paint.bad("FAIL")
	case 3:
		word = p.paint.bad("ERROR")
	}
	s := r.Summary
	more := ""
	if s.Skipped > 0 {
		more = fmt.Sprintf(", %d skipped", s.Skipped)
	}
	text := fmt.Sprintf("%d pass, %d fail, %d warn, %d not claimed, %d unprovable, %d known, %d error%s · %d scenarios in %.1f s · %s",
		s.Pass, s.Fail, s.Warn, s.NotClaimed, s.Unprovable, s.Known, s.Error, more, s.Scenarios, s.Seconds, r.Suite.Drawn())
	if s.Requests > 0 {
		text += fmt.Sprintf(" · %d requests", s.Requests)
	}
	if s.Silence > 0 {
		text += fmt.Sprintf(" · longest silence proven: %.1f s", s.Silence)
	}
	if why := idle(r); why != "" && exit == 3 {
		text = why + " · " + r.Suite.Drawn()
	}
	if missing := r.Unearned(require); len(missing) > 0 {
		text += " · required and not earned: " + strings.Join(missing, ", ")
	}
	if n := len(r.Baseline); n > 0 {
		text += fmt.Sprintf(" · problems of the baseline: %d", n)
	}
	text += r.endings()
	if r.Interrupted {
		text += " · interrupted"
	}
	if r.Ended != "" {
		text += " · ended by " + r.Ended
	}
	p.line("")
	p.line("%s  %s", word, text)
	if r.Fault == "" && unselected(r) == 0 {
		p.unearned(r)
	}
}

// idle returns why nothing ran, "" if something did.
func idle(r *Report) string {
	s := r.Summary
	if r.Fault != "" || len(r.Scenarios) > 0 || len(r.Requirements) == 0 || s.Error > 0 {
		return ""
	}
	var why []string
	for _, v := range []Verdict{Skipped, NotClaimed, Unprovable} {
		for _, g := range byReason(r, v) {
			why = append(why, fmt.Sprintf("%d %s (%s)", len(g.Requirements), v, OneLine(g.Reason)))
		}
	}
	if len(why) > shown {
		why = append(why[:shown], "…")
	}
	return fmt.Sprintf("nothing ran: %s selected, of which %s", were(len(r.Requirements), "requirement"), strings.Join(why, ", "))
}

// unearned prints the classes that the run didn't earn, with the number of requirements of each verdict.
func (p *printer) unearned(r *Report) {
	var earned, not []string
	for _, c := range r.Classes {
		if c.Earned {
			earned = append(earned, c.Name)
			continue
		}
		if c.Unclaimed != "" {
			continue
		}
		not = append(not, strings.TrimSuffix(fmt.Sprintf("%s (%s)", c.Name, c.Lacks()), " ()"))
	}
	if len(not) == 0 {
		return
	}
	text := "classes not earned: " + strings.Join(not, ", ")
	if len(earned) > 0 {
		text = "classes earned: " + strings.Join(earned, ", ") + "; not earned: " + strings.Join(not, ", ")
	}
	p.WriteString(wrap("      ", text, 110))
}

// Lacks returns the number of requirements of each verdict that keep a class from being earned, as text.
func (c Class) Lacks() string {
	counts := map[Verdict]int{}
	for _, m := range c.Missing {
		counts[m.Verdict]++
	}
	var why []string
	for _, v := range append(columns[:], notSelected) {
		if counts[v] > 0 {
			why = append(why, fmt.Sprintf("%d %s", counts[v], v))
		}
	}
	return strings.Join(why, ", ")
}

// model prints the mistakes in the server's requests to the model.
func (p *printer) model(r *Report) {
	if len(r.Model) == 0 {
		return
	}
	p.line("")
	p.line("%s", p.paint.bad("MODEL"))
	p.line("  the server's requests to the model had mistakes; the model refused them as a provider does, or gave the fixed answer")
	for i, note := range r.Model {
		if i == shown {
			p.line("  … and %d more in the JSON report", len(r.Model)-shown)
			break
		}
		p.line("  %s", OneLine(note))
	}
}

// baseline prints why the file of known failures fails the run.
func (p *printer) baseline(r *Report) {
	if len(r.Notices) > 0 {
		p.line("")
		p.line("NOTICES")
		for _, notice := range r.Notices {
			p.line("  %s", OneLine(notice))
		}
	}
	if len(r.Baseline) == 0 {
		return
	}
	p.line("")
	p.line("%s", p.paint.bad("BASELINE"))
	for _, problem := range r.Baseline {
		p.line("  %s", OneLine(problem))
	}
}

// server prints the ends of the server, and its output before each.
func (p *printer) server(r *Report) {
	word := p.paint.bad("ERROR")
	if r.failedByEnd() {
		word = p.paint.bad("FAIL")
	}
	for i, e := range r.ends() {
		if i == shown {
			p.line("      … and %d more ends of the server in the JSON report", len(r.Ends)-shown)
			break
		}
		p.line("")
		p.line("%s  %s%s", word, p.paint.bold(e.Sentence()), e.during())
		for _, line := range e.lines() {
			p.line("      %s", line)
		}
		if len(e.Output) > 0 {
			p.line("      the last lines that it wrote:")
		}
		for _, line := range e.Output {
			p.line("        | %s", OneLine(line))
		}
	}
}

// serverLog prints the last lines that the server wrote, unless all is well.
func (p *printer) serverLog(r *Report, exit int) {
	last := LastLines(r.ServerLog)
	if len(last) == 0 || exit == 0 && !p.verbose {
		return
	}
	p.line("")
	p.line("SERVER LOG")
	if all := strings.Count(r.ServerLog, "\n") + 1; all > len(last) {
		p.line("  the last %d of %d lines; the JSON report has them", len(last), all)
	}
	for _, line := range last {
		p.line("  | %s", OneLine(line))
	}
}
