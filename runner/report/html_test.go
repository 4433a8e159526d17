package report_test

import (
	"bytes"
	"flag"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/schemas"
)

var update = flag.Bool("update", false, "write the files in testdata anew")

// golden compares text with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// recorded is made with everything that only a recorded run has.
func recorded() *report.Report {
	r := made()
	r.Target.Without = []string{"replay"}
	r.Requirements[3].Findings[0].Curl = "curl -i http://127.0.0.1:8080/streams/s/events"
	r.Requirements[3].Scenarios = []string{"features/helix/resume/cursor.feature:9"}
	r.Requirements[3].Tier, r.Requirements[3].Capabilities = "scripted", []string{"resume"}
	r.Scenarios[0].Reason, r.Scenarios[0].Occasions = "event 2 came", 1
	r.Scenarios[0].Exchanges = []report.Exchange{
		{Kind: record.Control, Method: "POST", Path: "/control/streams/s/writers", Body: report.NewBody([]byte(`{"agentId":"a"}`)), Status: 201, Answer: report.NewBody([]byte(`{"writerId":"w"}`))},
		{
			Kind: record.Read, Heading: "the client resumes after event 2", Method: "GET", Path: "/streams/s/events",
			Request: []string{"accept: text/event-stream", "last-event-id: 2"}, Status: 200, Response: []string{"content-type: text/event-stream"},
			Frames: report.NewBody([]byte("id: 2\ndata: {\"type\":\"" + esc + "\"}\n\n")), End: record.ServerClose,
		},
		{Kind: record.Document, Heading: "the client asks", Method: "GET", Path: "/streams/s", Error: "refused"},
	}
	return r
}

func page(t *testing.T, h report.HTML, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := h.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func why(id string) string { return "Because of `" + id + "`, [see](x.md)." }

// bare returns a page without its style and its script.
func bare(text string) string {
	return regexp.MustCompile(`(?s)<(style|script)>.*?</(style|script)>|sha256-.*?=&#39;`).ReplaceAllString(text, "…")
}

func TestHTML(t *testing.T) {
	golden(t, "report.html", bare(page(t, report.HTML{Require: []string{"Resumable"}, Why: why}, recorded())))
}

func TestHTMLOfEmptyRuns(t *testing.T) {
	empty := &report.Report{Suite: report.Suite{Name: "streamcert"}}
	if got := page(t, report.HTML{}, empty); !strings.Contains(got, "ERROR</span>") || strings.Contains(got, "To fix") {
		t.Error(bare(got))
	}
	empty.Fault, empty.Interrupted = "connection refused", true
	if got := page(t, report.HTML{}, empty); !strings.Contains(got, "connection refused") || !strings.Contains(got, "Interrupted:") {
		t.Error(bare(got))
	}
}

// elements lists every element of a page, in order.
func elements(t *testing.T, text string) []*html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var out []*html.Node
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode {
			out = append(out, n)
		}
	}
	return out
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// faults lists mistakes of a page: loads, executable parts, and barriers for users without a mouse or a screen.
func faults(t *testing.T, text string) []string {
	var out []string
	bad := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	ids, scripts, heading, seen := map[string]int{}, 0, 0, map[string]int{}
	all := elements(t, text)
	for _, n := range all {
		ids[attribute(n, "id")]++
		seen[n.Data]++
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "srcdoc" || a.Key == "action" || a.Key == "href" && !strings.HasPrefix(a.Val, "#") && (n.Data != "a" || !strings.HasPrefix(a.Val, schemas.Site)) {
				bad("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
			if a.Key == "style" && !regexp.MustCompile(`^flex-grow: \d+$`).MatchString(a.Val) {
				bad("<%s style=%q>", n.Data, a.Val)
			}
		}
		switch n.Data {
		case "script":
			scripts++
		case "link", "img", "iframe", "object", "embed", "base", "svg", "video", "audio":
			bad("a <%s>", n.Data)
		case "h1", "h2", "h3", "h4", "h5", "h6":
			level := int(n.Data[1] - '0')
			if level > heading+1 {
				bad("<%s> after <h%d>", n.Data, heading)
			}
			heading = level
		case "th":
			if attribute(n, "scope") == "" {
				bad("a <th> without scope")
			}
		}
	}
	for _, n := range all {
		for _, name := range []string{"href", "aria-labelledby"} {
			if to := strings.TrimPrefix(attribute(n, name), "#"); to != "" && !strings.HasPrefix(to, "https:") && ids[to] != 1 {
				bad("%d elements have the id %q", ids[to], to)
			}
		}
	}
	for _, landmark := range []string{"header", "main", "h1"} {
		if seen[landmark] != 1 {
			bad("%d of <%s>", seen[landmark], landmark)
		}
	}
	if scripts > 1 {
		bad("%d scripts", scripts)
	}
	return out
}

func TestHTMLHasNoFaults(t *testing.T) {
	for _, f := range faults(t, page(t, report.HTML{Why: why}, recorded())) {
		t.Error(f)
	}
	broken := page(t, report.HTML{Tabs: []report.Tab{{ID: "x", Title: "x", Body: template.HTML(
		`<h5>x</h5><img src="http://x"><a href="http://x">x</a><script>x</script><th>x</th><p onclick="x" style="x" id="x">`)}}}, recorded())
	if got := faults(t, broken); len(got) < 8 {
		t.Errorf("the check sees only %q", got)
	}
}

const hostile = "</title></style></script></pre></details><script>alert(1)</script><img src=x onerror=alert(1)>" +
	"\" onmouseover=\"alert(1)' {{.}} ${x} javascript:alert(1) \x00\x1b[2J\u202e \xff `"

// everyValue calls f with every value of a model that can be set and that a report has.
func everyValue(v reflect.Value, path string, f func(path string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		everyValue(v.Elem(), path, f)
	case reflect.Struct:
		for i := range v.NumField() {
			if member := v.Type().Field(i); member.IsExported() && member.Tag.Get("json") != "-" {
				everyValue(v.Field(i), path+"."+v.Type().Field(i).Name, f)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			everyValue(v.Index(i), fmt.Sprintf("%s[%d]", path, i), f)
		}
	case reflect.String, reflect.Int, reflect.Int64, reflect.Float64, reflect.Bool:
		f(path, v)
	}
}

// TestHTMLOfAHostileServer: any text at any position leaves the structure of the page unchanged.
func TestHTMLOfAHostileServer(t *testing.T) {
	r := recorded()
	everyValue(reflect.ValueOf(r), "", func(path string, v reflect.Value) {
		ours := regexp.MustCompile(`\.(ID|Level|Verdict|Outcome|Chapter|Kind|End|Place|Requirement|Scenario|Title)$`).MatchString(path)
		if v.Kind() == reflect.String && !ours {
			v.SetString(v.String() + hostile)
		}
	})
	r.Scenarios[0].Title += hostile
	r.Requirements[3].Findings[0].Scenario = r.Scenarios[0].Title
	for i := range r.Scenarios[0].Exchanges {
		r.Scenarios[0].Exchanges[i].Frames = report.NewBody([]byte(hostile))
		r.Scenarios[0].Exchanges[i].Answer = report.Body{}
	}
	text := page(t, report.HTML{Why: func(string) string { return hostile }}, r)
	for _, f := range faults(t, text) {
		t.Error(f)
	}
	count := func(text string) map[string]int {
		out := map[string]int{}
		for _, n := range elements(t, text) {
			out[n.Data]++
		}
		delete(out, "code") // the backtick in the text makes some
		delete(out, "p")
		return out
	}
	harmless := recorded()
	harmless.Scenarios[0].Exchanges[0].Answer = report.NewBody([]byte("x"))
	if diff := cmp.Diff(count(page(t, report.HTML{Why: why}, harmless))["script"], count(text)["script"]); diff != "" {
		t.Error(diff)
	}
	for _, c := range []string{"\x1b", "\x00", "\u202e", "\xff"} {
		if strings.Contains(text, c) {
			t.Errorf("the page holds %q", c)
		}
	}
}

// TestHTMLShowsTheModel changes one value of the model after the other and checks that the page also changes.
func TestHTMLShowsTheModel(t *testing.T) {
	// Values that only other files contain.
	left := []string{
		`\.Summary\.(Pass|Fail|Warn|NotClaimed|Unprovable|Skipped|Known|Error|Scenarios)$`, // counted from the requirements
		`\.Kind$`, `\.Produced$`, `\.Removed$`, `\.Route$`, `\.Refused$`, `\.Altered$`, `\.Shortened$`, `\.Untestable$`, `\.DemandedBy$`,
		`\.Requirements\[[12]\]\.Findings\[0\]\.Setup$`,                                            // no step found these
		`\.Requirements\[\d\]\.Scenarios\[0\]$`,                                                    // those that ran are shown
		`Exchanges\[[02]\]\.(End|Error)$`,                                                          // shown where they say something
		`Requirements\[[124567]\]\.Findings\[0\]\.Rerun$`,                                          // one a requirement
		`Exchanges\[2\]\.(Method|Path)$`, `Classes\[0\]\.Unclaimed$`, `\.Scenarios\[0\]\.Outcome$`, // it is earned; it has a finding
	}
	before := page(t, report.HTML{}, recorded())
	var paths []string
	everyValue(reflect.ValueOf(recorded()), "", func(path string, _ reflect.Value) { paths = append(paths, path) })
	if len(paths) < 100 {
		t.Fatalf("the model has only %d values", len(paths))
	}
	for _, want := range paths {
		r := recorded()
		everyValue(reflect.ValueOf(r), "", func(path string, v reflect.Value) {
			if path == want {
				change(v)
			}
		})
		exempt := slices.ContainsFunc(left, func(p string) bool { return regexp.MustCompile(p).MatchString(want) })
		if page(t, report.HTML{}, r) == before && !exempt {
			t.Errorf("%s is not shown", want)
		}
	}
}

// change makes a value another one.
func change(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		switch v.Type() {
		case reflect.TypeOf(report.Pass):
			v.SetString(map[bool]string{true: "fail", false: "pass"}[v.String() == "pass"])
		default:
			v.SetString(v.String() + "-changed")
		}
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Float64:
		v.SetFloat(v.Float() + 1)
	case reflect.Bool:
		v.SetBool(!v.Bool())
	}
}

// huge returns a report of a server that breaks everything at length.
func huge() *report.Report {
	r := recorded()
	long := strings.Repeat("<&a`| ", 20_000)
	r.Requirements, r.Scenarios, r.Notes = nil, nil, nil
	for i := range 400 {
		q := report.Requirement{ID: fmt.Sprintf("helix.c%d.r%d", i%20, i), Level: "MUST", Chapter: fmt.Sprintf("c%d", i%20), Sentence: "It MUST hold.", Verdict: report.Fail, Reason: long[:60]}
		for k := range 5 {
			q.Findings = append(q.Findings, record.Finding{Message: fmt.Sprint(k, long[:2000]), Want: long, Got: long, Exchange: long, Scenario: fmt.Sprint("s", i), Location: "p"})
		}
		r.Requirements = append(r.Requirements, q)
		r.Scenarios = append(r.Scenarios, report.Scenario{Title: fmt.Sprint("s", i), Location: "p", Requirement: q.ID, Outcome: report.Fail, Exchanges: []report.Exchange{
			{Kind: record.Read, Method: "GET", Path: long, Status: 200, Frames: report.NewBody([]byte(strings.Repeat(long[:300]+"\n", 90)))},
		}})
		r.Classes[0] = report.Class{Name: "Core", Missing: append(r.Classes[0].Missing, report.Missing{ID: q.ID, Verdict: report.Fail})}
	}
	r.Count()
	return r
}

func TestHTMLStaysSmall(t *testing.T) {
	text := page(t, report.HTML{Why: why}, huge())
	if len(text) > 3<<20 {
		t.Errorf("the page has %d bytes", len(text))
	}
	for _, want := range []string{"no room for the rest", "more findings like these", "helix.c19.r399"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// passing returns the report of a run like those of helix in which everything passed.
func passing() *report.Report {
	r := &report.Report{Suite: report.Suite{Name: "streamcert", Pack: "helix"}}
	for i := range 300 {
		id := fmt.Sprintf("helix.c%d.r%d", i/12, i)
		r.Requirements = append(r.Requirements, report.Requirement{
			ID: id, Level: "MUST", Chapter: fmt.Sprintf("c%d", i/12), Sentence: "It MUST hold whatever else the server does.", Verdict: report.Pass, Occasions: 9,
		})
		for k := range 3 {
			r.Scenarios = append(r.Scenarios, report.Scenario{
				Title: fmt.Sprintf("A reader comes back after event %d", k), Location: fmt.Sprintf("features/helix/x.feature:%d", i), Requirement: id, Outcome: report.Pass,
				Exchanges: []report.Exchange{{Kind: record.Read, Method: "GET", Path: "/s", Status: 200, Frames: report.NewBody([]byte(strings.Repeat("data: passed\n\n", 400)))}},
			})
		}
	}
	slices.Reverse(r.Scenarios) // by place, as the runner has them, which isn't the order of the spec
	r.Count()
	return r
}

// TestHTMLOfARunThatPassed: chapters are folded and in the order of the spec, a
// scenario shows its steps and its examples, and nothing of the wire is there.
func TestHTMLOfARunThatPassed(t *testing.T) {
	const steps = "Given a stream\nWhen the client resumes after <last>\nThen the client receives <rest>"
	text := page(t, report.HTML{
		Why:     func(string) string { return strings.Repeat("Because a reader can't know. ", 12) },
		Outline: func(string) (string, string) { return "A reader comes back after <last>", steps },
	}, passing())
	if len(text) > 900<<10 {
		t.Errorf("the page has %d bytes", len(text))
	}
	if n := len(elements(t, text)); n > 12_000 {
		t.Errorf("the page has %d elements", n)
	}
	if strings.Contains(text, "data: passed") || !strings.Contains(text, "scenarios that passed is in <code>report.json") {
		t.Error("what went over the wire in scenarios that passed is on the page, or nothing says where it is")
	}
	if n := strings.Count(text, template.HTMLEscapeString(steps)); n != 300 {
		t.Errorf("%d scenarios show their steps, want 300", n)
	}
	for _, tab := range []string{"requirements", "scenarios"} {
		_, part, _ := strings.Cut(text, `<section id="`+tab)
		part, _, _ = strings.Cut(part, "</section>")
		var chapters []string
		for _, m := range regexp.MustCompile(`<details class="chapter"[^>]*><summary><h3>(\w+)</h3>`).FindAllStringSubmatch(part, -1) {
			chapters = append(chapters, m[1])
		}
		if len(chapters) != 25 || chapters[1] != "c1" || chapters[2] != "c2" || chapters[10] != "c10" || strings.Contains(part, "open>") {
			t.Errorf("%s: chapters %v", tab, chapters)
		}
		if !strings.Contains(part, `<p class="empty" hidden>`) {
			t.Errorf("%s: nothing says that nothing was found", tab)
		}
	}
}

func TestPagesThatCantBeWritten(t *testing.T) {
	for name, p := range map[string]report.Page{"no tab": {}, "id": {Tabs: []report.Tab{{ID: "a b"}}}} {
		if err := p.Write(&bytes.Buffer{}); err == nil {
			t.Errorf("%s: there is no error", name)
		}
	}
	if err := (report.HTML{}).Write(failing{}, made()); err == nil {
		t.Error("a page that could not be written is no error")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrClosed }
