package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The elements of a JUnit report, as CI systems read them.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"` // sum of all suites
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Time     string       `xml:"time,attr"` // in seconds
		Suites   []junitSuite `xml:"testsuite"` // one a chapter, and those about the run itself
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`      // in seconds
		Timestamp  string          `xml:"timestamp,attr"` // start of the run in UTC, without a zone, as JUnit has it
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`             // one a requirement
		Output     string          `xml:"system-out,omitempty"` // printable characters only

		seconds float64 // sum of its cases
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name    string     `xml:"name,attr"`
		Class   string     `xml:"classname,attr"`       // pack and chapter, with a dot between
		Time    string     `xml:"time,attr"`            // in seconds
		Failure *junitText `xml:"failure"`              // nil if it didn't fail
		Error   *junitText `xml:"error"`                // nil unless nothing could be found out
		Skipped *junitText `xml:"skipped"`              // nil if the requirement has a verdict that counts
		Output  string     `xml:"system-out,omitempty"` // printable characters only
	}
	junitText struct {
		Message string `xml:"message,attr"`        // one line
		Type    string `xml:"type,attr,omitempty"` // level of the requirement, or the part that failed
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes the report as JUnit XML: a test suite a chapter, a test case a requirement. A requirement that neither
// passed nor failed is skipped with its reason; a warning has passed, with its findings as output, unless the run was
// strict.
func WriteJUnit(w io.Writer, r *Report) error {
	doc := junitSuites{Name: r.Suite.Name + " " + r.Suite.Pack, Time: seconds(r.Summary.Seconds)}
	took := map[string]float64{}
	for _, s := range r.Scenarios {
		took[s.Requirement] += s.Seconds
	}
	at := map[string]int{}
	_, causes := byCause(r, Fail)
	if server, ok := serverSuite(r); ok {
		doc.Suites = append(doc.Suites, server)
	}
	for _, q := range r.Requirements {
		i, ok := at[q.Chapter]
		if !ok {
			i = len(doc.Suites)
			at[q.Chapter] = i
			doc.Suites = append(doc.Suites, junitSuite{
				Name: r.Suite.Pack + "." + q.Chapter, Timestamp: r.Started.UTC().Format("2006-01-02T15:04:05"), Properties: properties(r),
			})
		}
		doc.Suites[i].add(junitCaseOf(r, q, took[q.ID], causes[q.ID].hint(q.ID)), took[q.ID])
	}
	if r.Fault != "" {
		doc.Suites = append([]junitSuite{faultSuite(r)}, doc.Suites...)
	}
	if len(r.Baseline) > 0 {
		doc.Suites = append(doc.Suites, baselineSuite(r))
	}
	for _, s := range doc.Suites {
		doc.Tests += s.Tests
		doc.Failures += s.Failures
		doc.Errors += s.Errors
	}
	out, err := xml.MarshalIndent(doc, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, out)
	}
	if err != nil {
		return fmt.Errorf("writing the report as JUnit XML: %w", err)
	}
	return nil
}

func properties(r *Report) []junitProperty {
	out := []junitProperty{
		{"suite", Printable(r.Suite.Version)}, {"digest", r.Suite.Digest}, {"target", Printable(r.Target.URL)},
		{"seed", strconv.FormatInt(r.Suite.Seed, 10)},
	}
	if r.Suite.Program != "" {
		out = append(out, junitProperty{"program", Printable(r.Suite.Program)})
	}
	if r.Suite.Effort != "" {
		out = append(out, junitProperty{"effort", Printable(r.Suite.Effort)})
	}
	if who := r.Target.Identity(); who != "" {
		out = append(out, junitProperty{"server", Printable(who)})
	}
	return out
}

// faultSuite returns the one error of a run that could not be made.
func faultSuite(r *Report) junitSuite {
	s := junitSuite{Name: r.Suite.Pack + ".preflight", Timestamp: r.Started.UTC().Format("2006-01-02T15:04:05"), Properties: properties(r)}
	s.add(junitCase{Name: "preflight", Class: s.Name, Time: seconds(0), Error: &junitText{Message: Printable(r.Fault), Type: "preflight"}}, 0)
	return s
}

// baselineSuite returns a test case for each problem of the baseline.
func baselineSuite(r *Report) junitSuite {
	s := junitSuite{Name: r.Suite.Pack + ".baseline", Timestamp: r.Started.UTC().Format("2006-01-02T15:04:05"), Properties: properties(r)}
	for _, problem := range r.Baseline {
		text := &junitText{Message: Printable(problem), Type: "baseline"}
		s.add(junitCase{Name: OneLine(problem), Class: s.Name, Time: seconds(0), Failure: text}, 0)
	}
	return s
}

func (s *junitSuite) add(c junitCase, took float64) {
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.seconds += took
	s.Time = seconds(s.seconds)
	s.Cases = append(s.Cases, c)
}

func junitCaseOf(r *Report, q Requirement, took float64, hint string) junitCase {
	c := junitCase{Name: q.ID, Class: r.Suite.Pack + "." + q.Chapter, Time: seconds(took)}
	text := func() *junitText {
		return &junitText{Message: junitMessage(q), Type: q.Level, Text: Printable(describe(q, hint))}
	}
	switch q.Verdict {
	case Pass:
	case Fail:
		c.Failure = text()
	case Error:
		c.Error = text()
	case Warn:
		if r.Suite.Strict {
			c.Failure = text()
			break
		}
		c.Output = Printable(describe(q, hint))
	case Known:
		c.Output = Printable(describe(q, hint))
	default:
		c.Skipped = &junitText{Message: Printable(strings.TrimSuffix(string(q.Verdict)+": "+q.Reason, ": "))}
	}
	return c
}

// junitMessage returns the fault on one line, as lists of failures show it: the rule, the message, the expected and the
// received value.
func junitMessage(q Requirement) string {
	const most = 300 // of the rule, and of each value
	rule := OneLine(clipped(q.Sentence, most))
	if text := fault(q, most); text != "" {
		return strings.TrimPrefix(rule+" — ", " — ") + OneLine(text)
	}
	return rule
}

// Describe is everything about a requirement of the report that did not pass, as
// unformatted text.
func (r *Report) Describe(q Requirement) string {
	_, causes := byCause(r, q.Verdict)
	return describe(q, causes[q.ID].hint(q.ID))
}

func describe(q Requirement, hint string) string {
	p := printer{paint: palette(false)}
	p.requirement(q, hint)
	return p.String()
}

func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }

// serverSuite returns a test case for each end of the server, with its output. ok is false if there is neither.
func serverSuite(r *Report) (s junitSuite, ok bool) {
	s = junitSuite{
		Name: r.Suite.Pack + ".server", Timestamp: r.Started.UTC().Format("2006-01-02T15:04:05"), Time: seconds(0), Properties: properties(r), Output: Printable(r.ServerLog),
	}
	for i, e := range r.ends() {
		c := junitCase{Name: fmt.Sprintf("the server goes on, %d", i+1), Class: s.Name, Time: seconds(0)}
		text := &junitText{Message: Printable(e.Sentence() + e.during()), Type: "server", Text: Printable(e.describe())}
		if c.Failure = text; !e.Launched {
			c.Failure, c.Error = nil, text
		}
		s.add(c, 0)
	}
	return s, len(r.Ends) > 0 || r.ServerLog != ""
}
