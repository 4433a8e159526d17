package report_test

import (
	"bytes"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/report"
)

func markdown(t *testing.T, m report.Markdown, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := m.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMarkdown(t *testing.T) {
	golden(t, "summary.md", markdown(t, report.Markdown{Require: []string{"Resumable"}}, recorded()))
}

func TestMarkdownOfEmptyRuns(t *testing.T) {
	r := &report.Report{}
	if got := markdown(t, report.Markdown{}, r); !strings.HasPrefix(got, "## ⚠️ ERROR") {
		t.Error(got)
	}
	r.Fault, r.Interrupted = "connection refused", true
	if got := markdown(t, report.Markdown{}, r); !strings.Contains(got, "connection refused") || !strings.Contains(got, "**Interrupted:**") {
		t.Error(got)
	}
}

// TestMarkdownNamesTheFileOfALongScript: one of a few lines stands in the summary itself.
func TestMarkdownNamesTheFileOfALongScript(t *testing.T) {
	for size, want := range map[int]string{10: "```sh\n#!/bin/sh\n", 3000: "is in `report.html`"} {
		r := recorded()
		for i := range r.Requirements {
			for j := range r.Requirements[i].Findings {
				r.Requirements[i].Findings[j].Script = "#!/bin/sh\n" + strings.Repeat("x", size)
			}
		}
		if got := markdown(t, report.Markdown{}, r); !strings.Contains(got, want) {
			t.Errorf("a script of %d bytes: no %q", size, want)
		}
	}
}

func TestMarkdownStaysSmall(t *testing.T) {
	r := huge()
	r.Target.URL = strings.Repeat("x", 90_000)
	for i := range r.Requirements { // each has a cause of its own
		r.Requirements[i].Findings[0].Message = strings.Repeat("x", i+1)
	}
	for range 5000 {
		r.Requirements = append(r.Requirements, report.Requirement{ID: "helix.a.b", Verdict: report.Unprovable, Reason: fmt.Sprint(len(r.Requirements), strings.Repeat("*", 900))})
		r.Classes = append(r.Classes, report.Class{Name: "More"})
	}
	got := markdown(t, report.Markdown{}, r)
	if len(got) >= 60_000 {
		t.Errorf("the summary has %d bytes", len(got))
	}
	for _, want := range []string{"more with the verdict fail", "is in `report.json`"} {
		if !strings.Contains(got, want) {
			t.Errorf("the summary lacks %q", want)
		}
	}
	r.Fault = strings.Repeat("*", 90_000)
	if got := markdown(t, report.Markdown{}, r); len(got) >= 60_000 {
		t.Errorf("the summary of a fault has %d bytes", len(got))
	}
}

// outside returns the text of a summary without its code blocks and code spans, line by line.
func outside(text string) string {
	var out []string
	fence := ""
	for line := range strings.SplitSeq(text, "\n") {
		ticks := regexp.MustCompile("^`{3,}").FindString(line)
		switch {
		case fence == "" && ticks != "":
			fence = ticks
		case fence != "" && line == fence:
			fence = ""
		case fence == "":
			out = append(out, withoutCode(line))
		}
	}
	if fence != "" {
		out = append(out, "a block of code isn't closed")
	}
	return strings.Join(out, "\n")
}

// withoutCode returns a line without its code spans, which are between runs of equally many backticks.
func withoutCode(line string) string {
	var b strings.Builder
	for {
		at := strings.IndexByte(line, '`')
		if at < 0 {
			return b.String() + line
		}
		run := len(line[at:]) - len(strings.TrimLeft(line[at:], "`"))
		b.WriteString(line[:at])
		line = line[at+run:]
		if strings.HasSuffix(b.String(), `\`) {
			continue
		}
		end := -1
		for _, m := range regexp.MustCompile("`+").FindAllStringIndex(line, -1) {
			if m[1]-m[0] == run {
				end = m[1]
				break
			}
		}
		if end < 0 {
			b.WriteString("a backtick")
			continue
		}
		b.WriteString("code")
		line = line[end:]
	}
}

// TestMarkdownOfAHostileServer: data of a server neither ends its code span, nor is markup in prose.
func TestMarkdownOfAHostileServer(t *testing.T) {
	const nasty = "\n```\n````\n<script>x</script> ![x](http://evil) [x](http://evil) @someone #1 | *b* <!-- </details> www.evil.example wWw.evil.example $x$ $`y`$\n# big\n\x1b"
	r := recorded()
	everyValue(reflect.ValueOf(r), "", func(path string, v reflect.Value) {
		if v.Kind() == reflect.String && !regexp.MustCompile(`\.(ID|Level|Verdict|Outcome|Chapter|Kind|End)$`).MatchString(path) {
			v.SetString(v.String() + nasty)
		}
	})
	got := outside(markdown(t, report.Markdown{}, r))
	for _, bad := range []string{"<script", "@someone", "\n# big", "<!--", "\x1b", "isn't closed", "www.evil", "wWw.evil", "$x$"} {
		if strings.Contains(got, bad) {
			t.Errorf("the summary holds %q:\n%s", bad, got)
		}
	}
	if link := regexp.MustCompile(`[^\\]\]\(`).FindString(got); link != "" {
		t.Errorf("the summary holds a link:\n%s", got)
	}
	if open, closed := strings.Count(got, "<details>"), strings.Count(got, "</details>"); open != closed || open == 0 {
		t.Errorf("%d opened, %d closed", open, closed)
	}
	if !strings.Contains(outside("x <script"), "<script") || !strings.Contains(outside("```\nx"), "isn't closed") {
		t.Error("the check sees nothing")
	}
}

func TestMarkdownShowsTheModel(t *testing.T) {
	shown := []string{
		`Suite\.(Version|Pack|Seed|Digest|Name)$`, `Target\.URL$`, `Summary\.`, `Classes\[\d\]\.(Name|Earned)$`, `Missing\[0\]\.Verdict`, `Fault$`, `Interrupted$`,
		`Requirements\[[1-3]\]\.(ID|Verdict|Sentence|Level)$`, `Requirements\[[4-6]\]\.(ID|Verdict|Reason)$`, `Requirements\[3\]\.Findings\[0\]\.(Message|Want|Got|Scenario|Place|Step|Instance|Exchange|Rerun|Curl)$`,
	}
	before := markdown(t, report.Markdown{}, recorded())
	n := 0
	everyValue(reflect.ValueOf(recorded()), "", func(want string, _ reflect.Value) {
		if !slices.ContainsFunc(shown, func(p string) bool { return regexp.MustCompile(p).MatchString(want) }) {
			return
		}
		n++
		r := recorded()
		everyValue(reflect.ValueOf(r), "", func(path string, v reflect.Value) {
			if path == want {
				change(v)
			}
		})
		if markdown(t, report.Markdown{}, r) == before {
			t.Errorf("%s is not shown", want)
		}
	})
	if n < 40 {
		t.Errorf("only %d values were changed", n)
	}
	if err := (report.Markdown{}).Write(failing{}, made()); err == nil {
		t.Error("a summary that could not be written is no error")
	}
}
