package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/report"
)

// shape lists the attributes and child elements that readers accept in an element. An attribute that ends in "!" is
// required.
type shape struct{ attributes, children string }

// shapes lists, by element, the attributes and children that the writer may use: the intersection of its output with the
// schema of Jenkins' xUnit plugin, the strictest of the common readers.
var shapes = map[string]shape{
	"testsuites": {"name! tests! failures! errors! time!", "testsuite"},
	"testsuite":  {"name! tests! failures! errors! skipped! time! timestamp!", "properties testcase system-out"},
	"properties": {"", "property"},
	"property":   {"name! value!", ""},
	"testcase":   {"name! classname! time!", "failure error skipped system-out"},
	"failure":    {"message! type", ""},
	"error":      {"message! type", ""},
	"skipped":    {"message!", ""},
	"system-out": {"", ""},
}

var numbers = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)

// structure lists violations of the common structure of JUnit XML.
func structure(text string) []string {
	var out []string
	bad := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	var path []xml.StartElement
	counted := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out
		} else if err != nil {
			return append(out, err.Error())
		}
		switch e := token.(type) {
		case xml.StartElement:
			parent := "document"
			if len(path) > 0 {
				parent = path[len(path)-1].Name.Local
			}
			at := e.Name.Local
			if parent == "document" && at != "testsuites" || parent != "document" && !slices.Contains(strings.Fields(shapes[parent].children), at) {
				bad("<%s> in <%s>", at, parent)
			}
			named := map[string]string{}
			for _, a := range e.Attr {
				named[a.Name.Local] = a.Value
				if !strings.Contains(" "+shapes[at].attributes+" ", " "+a.Name.Local) {
					bad("<%s> has %s", at, a.Name.Local)
				}
			}
			for _, a := range strings.Fields(shapes[at].attributes) {
				name, required := strings.CutSuffix(a, "!")
				value, ok := named[name]
				numeric := slices.Contains([]string{"tests", "failures", "errors", "skipped", "time"}, name)
				if required && !ok || numeric && ok && !numbers.MatchString(value) || required && name != "message" && name != "value" && ok && value == "" {
					bad("<%s> has %s=%q", at, name, value)
				}
			}
			path = append(path, e.Copy())
			counted[at]++
		case xml.EndElement:
			if e.Name.Local == "testsuite" {
				for element, attribute := range map[string]string{"testcase": "tests", "failure": "failures", "error": "errors", "skipped": "skipped"} {
					for _, a := range path[len(path)-1].Attr {
						if n, _ := strconv.Atoi(a.Value); a.Name.Local == attribute && n != counted[element] {
							bad("%s=%d, and there are %d", attribute, n, counted[element])
						}
					}
					counted[element] = 0
				}
			}
			path = path[:len(path)-1]
		}
	}
}

func junit(t *testing.T, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.WriteJUnit(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestJUnitHasTheStructureThatReadersTake(t *testing.T) {
	nasty := recorded()
	everyValue(reflect.ValueOf(nasty), "", func(path string, v reflect.Value) {
		if v.Kind() == reflect.String && !strings.HasSuffix(path, "Verdict") {
			v.SetString(v.String() + hostile + "]]>\x01\ufffe")
		}
	})
	strict := recorded()
	strict.Suite.Strict = true
	for name, r := range map[string]*report.Report{"made": recorded(), "hostile": nasty, "strict": strict, "empty": {}} {
		for _, s := range structure(junit(t, r)) {
			t.Errorf("%s: %s", name, s)
		}
	}
	good := junit(t, recorded())
	for _, change := range [][2]string{
		{`<testsuites name=`, `<testsuites skipped="1" name=`}, {` classname="helix.wire"`, ""}, {`tests="3"`, `tests="4"`}, {`time="0.750"`, `time="soon"`},
		{"<skipped ", "<ignored "}, {"<system-out>", "<p><system-out>"},
	} {
		if len(structure(strings.Replace(good, change[0], change[1], 1))) == 0 {
			t.Errorf("%s may be %s", change[0], change[1])
		}
	}
}

// TestJUnitGivesTheReason: a warning and a known failure have passed, with their findings; an unproven requirement is skipped,
// with the reason.
func TestJUnitGivesTheReason(t *testing.T) {
	var doc struct {
		Suites []struct {
			Cases []struct {
				Name    string `xml:"name,attr"`
				Failure *struct{}
				Out     string `xml:"system-out"`
				Skipped *struct {
					Message string `xml:"message,attr"`
				} `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(junit(t, recorded())), &doc); err != nil {
		t.Fatal(err)
	}
	says := map[string]string{}
	for _, s := range doc.Suites {
		for _, c := range s.Cases {
			says[c.Name] = c.Out
			if c.Skipped != nil {
				says[c.Name] = c.Skipped.Message
			}
		}
	}
	for id, want := range map[string]string{
		"helix.wire.retry": "no retry", "helix.wire.known": "in the baseline", "helix.resume.b": "unprovable: control call POST /control/x answered 404",
		"helix.resume.d": "not claimed: capability replay",
	} {
		if !strings.Contains(says[id], want) {
			t.Errorf("%s says %q, want %q", id, says[id], want)
		}
	}
}
