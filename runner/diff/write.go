package diff

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/report"
)

// mostDocuments limits the documents of one change that are shown.
const mostDocuments = 4

// WriteJSON prints the document that schemas/diff.json describes.
func (r *Report) WriteJSON(w io.Writer) error { return report.WriteDocument(w, "the differences", r) }

// title returns the first line of a report for people.
func (r *Report) title() string {
	class := string(r.Class)
	if r.Class == None {
		class = "nothing changed"
	}
	return fmt.Sprintf("%s: %s → %s: %s", r.Pack, r.Old.title(), r.New.title(), class)
}

func (s Side) title() string {
	switch {
	case s.Number == "":
		return s.Name + " (without the pack)"
	case strings.HasSuffix(s.Name, s.Number):
		return s.Name
	}
	return fmt.Sprintf("%s (%s)", s.Name, s.Number)
}

// WriteConsole prints the report for people, the worst first.
func (r *Report) WriteConsole(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintln(&b, r.title())
	for _, class := range slices.Backward(Classes()) {
		r.section(&b, class)
	}
	if len(r.Goldens) > 0 {
		fmt.Fprintf(&b, "\n  GOLDENS  %s\n", r.goldens())
		of := ""
		for _, f := range r.byRequirement() {
			if ids := idsLine(f.Requirements); ids != of {
				of = ids
				fmt.Fprintf(&b, "    %s\n", of)
			}
			fmt.Fprintf(&b, "      %s\n", f.line())
		}
	}
	if r.Judged > 0 {
		fmt.Fprintf(&b, "\n  %s; the methods disagree on %s\n", r.judged(), counted(r.Disagreements(), "change"))
	}
	for _, s := range r.Servers {
		fmt.Fprintf(&b, "\n  SERVER  %s\n", s.line())
		for _, id := range s.Failed {
			fmt.Fprintf(&b, "    %s\n", id)
		}
	}
	if len(r.Problems) > 0 {
		fmt.Fprintf(&b, "\n  GATE  %s\n", counted(len(r.Problems), "problem"))
		for _, p := range r.Problems {
			fmt.Fprintf(&b, "    %s\n", p)
		}
	}
	return written(w, b.String())
}

func written(w io.Writer, text string) error {
	if _, err := io.WriteString(w, report.Printable(text)); err != nil {
		return fmt.Errorf("writing the differences: %w", err)
	}
	return nil
}

func (r *Report) section(b *strings.Builder, class Class) {
	var items []Item
	for _, item := range r.Changed {
		if item.Class == class {
			items = append(items, item)
		}
	}
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "\n  %s  %d\n", strings.ToUpper(string(class)), len(items))
	for _, item := range items {
		fmt.Fprintf(b, "    %s\n", item.name())
		for _, c := range item.shown() {
			fmt.Fprintf(b, "      %s · %s\n", c.line(), c.documents())
			for _, note := range c.notes() {
				fmt.Fprintf(b, "        %s\n", note)
			}
		}
	}
}

// byRequirement lists the changes of transcripts, those of one requirement side by side; those of most requirements come
// first.
func (r *Report) byRequirement() []Fold {
	out := slices.Clone(r.Goldens)
	slices.SortStableFunc(out, func(a, b Fold) int {
		return cmp.Or(cmp.Compare(len(b.Requirements), len(a.Requirements)), slices.Compare(a.Requirements, b.Requirements))
	})
	return out
}

// mostScenarios limits the scenarios of one requirement that are named.
const mostScenarios = 3

// shown returns the changes of a requirement to print. More than mostScenarios changed scenarios are one change that counts
// them.
func (i Item) shown() []Change {
	var out, scenarios []Change
	for _, c := range i.Changes {
		if c.Part == PartScenario {
			scenarios = append(scenarios, c)
		} else {
			out = append(out, c)
		}
	}
	if len(scenarios) <= mostScenarios {
		return append(out, scenarios...)
	}
	counted := Change{Class: Editorial, Part: PartScenario}
	var counts []string
	for _, end := range []string{"new", "another", "gone"} {
		n := 0
		for _, c := range scenarios {
			if strings.HasSuffix(c.What, " is "+end) {
				n++
				counted.Documents = append(counted.Documents, c.Documents...)
			}
		}
		if n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, end))
		}
	}
	slices.Sort(counted.Documents)
	counted.Documents = slices.Compact(counted.Documents)
	counted.What = fmt.Sprintf("%d scenarios: %s", len(scenarios), strings.Join(counts, ", "))
	return append(out, counted)
}

func (i Item) name() string {
	if i.ID == "" {
		return "of no requirement"
	}
	return i.ID
}

func (c Change) line() string { return c.What }

func (c Change) documents() string {
	if len(c.Documents) > mostDocuments {
		return fmt.Sprintf("%s and %d more", strings.Join(c.Documents[:mostDocuments], ", "), len(c.Documents)-mostDocuments)
	}
	return strings.Join(c.Documents, ", ")
}

// notes returns the explanations of the class of a change, a line each.
func (c Change) notes() []string {
	var out []string
	if c.Undecided {
		out = append(out, fmt.Sprintf("no rule tells the class: %s is the worst that it can be, until the change log says otherwise", c.Class))
	}
	if c.Disagrees() {
		out = append(out, fmt.Sprintf("structure says %s, evidence says %s; followed is %s: %s", orNothing(c.Structure), orNothing(c.Evidence), c.Class, c.Why))
	}
	if c.Part == PartSchema && c.Evidence == None && c.Structure != None {
		out = append(out, "by structure alone: no document could be made that shows it")
	}
	if c.Instance != "" {
		out = append(out, "such as "+c.Instance)
	}
	return out
}

func orNothing(c Class) string {
	if c == None {
		return "nothing"
	}
	return string(c)
}

func (f Fold) line() string {
	return fmt.Sprintf("%s · %s in %s", f.What, counted(f.Count, "line"), counted(len(f.Files), "file"))
}

func idsLine(ids []string) string {
	if len(ids) > mostDocuments {
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:mostDocuments], ", "), len(ids)-mostDocuments)
	}
	return strings.Join(ids, ", ")
}

func (r *Report) goldens() string {
	var files, ids []string
	for _, f := range r.Goldens {
		files, ids = append(files, f.Files...), append(ids, f.Requirements...)
	}
	slices.Sort(files)
	slices.Sort(ids)
	return fmt.Sprintf("%s of %s", counted(len(slices.Compact(files)), "file"), counted(len(slices.Compact(ids)), "requirement"))
}

func (r *Report) judged() string {
	return counted(r.Judged, "document") + " judged by the schemas of both versions"
}

func (s Server) line() string {
	if s.Skipped != "" {
		return fmt.Sprintf("%s: skipped: %s", s.Name, s.Skipped)
	}
	return fmt.Sprintf("%s, as it was: %d pass, %d fail", s.Name, s.Passed, len(s.Failed))
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
