package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/schemas"
)

func TestExceedsDepth(t *testing.T) {
	nested := func(n int) string { return strings.Repeat(`[{"a]":`, n/2) + `"]\\\"]"` + strings.Repeat("}]", n/2) }
	for _, c := range []struct {
		text string
		want bool
	}{
		{nested(schemas.MaxDepth), false}, {nested(schemas.MaxDepth + 2), true}, {strings.Repeat("[", schemas.MaxDepth+1), true},
		{"[" + strings.Repeat(`{"[[{": 1}, `, schemas.MaxDepth) + "0]", false},
	} {
		if got := ExceedsDepth([]byte(c.text)); got != c.want {
			t.Errorf("%.40s…: %v", c.text, got)
		}
	}
}

func TestSame(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[null,true]}`, `{ "b": [null, true], "a": 1.0 }`, true},
		{`1e2`, `100`, true},
		{`0`, `-0`, true},
		{`9007199254740993`, `9007199254740993`, true},
		{`9007199254740993`, `9007199254740992`, true}, // the same double, which is all a number promises
		{`1e400`, `1e400`, true},
		{`1e400`, `2e400`, false},
		{`"é"`, `"\u00e9"`, true},
		{`"é"`, `"e\u0301"`, false},
		{`{"a":null}`, `{}`, false},
		{`{"a":null}`, `{"b":null}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`[1]`, `[1,1]`, false},
		{`{}`, `[]`, false},
		{`[]`, `{}`, false},
		{`{}`, `null`, false},
		{`0`, `false`, false},
		{`1`, `"1"`, false},
		{`null`, `null`, true},
		{`""`, `null`, false},
	} {
		a, b := mustDecode(t, c.a), mustDecode(t, c.b)
		if Same(a, b) != c.want || Same(b, a) != c.want {
			t.Errorf("%s and %s: want %v", c.a, c.b, c.want)
		}
	}
}

func mustDecode(t *testing.T, text string) any {
	t.Helper()
	v, err := Decode([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestClip(t *testing.T) {
	long := strings.Repeat("x", 239) + "é tail"
	for in, want := range map[string]string{
		"": "nothing", " \n": "nothing", " a b\n": "a b",
		strings.Repeat("x", 240): strings.Repeat("x", 240),
		long:                     strings.Repeat("x", 239) + "…",
	} {
		got := Clip([]byte(in))
		if got != want || !utf8.ValidString(got) {
			t.Errorf("%q: got %q", in, got)
		}
	}
}

func TestClassify(t *testing.T) {
	failure, unprovable, suite := &Failure{Finding: record.Finding{Message: "m"}}, &Unprovable{"r"}, &Fault{"f"}
	for _, c := range []struct {
		name string
		in   error
		want error
	}{
		{"nothing", nil, nil},
		{"a failure", failure, failure},
		{"an unprovable", unprovable, unprovable},
		{"a fault", suite, suite},
		{"a missing control route", fmt.Errorf("calling: %w", &target.UnavailableError{Call: "POST /x", Status: 404}),
			&Unprovable{"control call POST /x answered 404"}},
		{"a time-out", fmt.Errorf("waiting: %w", &target.TimeoutError{Awaited: "event 3", After: time.Second}),
			&Failure{Finding: record.Finding{Message: "waiting timed out", Want: "event 3", Got: "nothing within 1s", Frame: -1}}},
		{"anything else", errors.New("connection reset"), &Failure{Finding: record.Finding{Message: "connection reset", Frame: -1}}},
	} {
		if diff := cmp.Diff(c.want, Classify(c.in)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", c.name, diff)
		}
	}
	wrapped := fmt.Errorf("in a step: %w", failure)
	if got := Classify(wrapped); got != wrapped {
		t.Errorf("a wrapped failure becomes %v", got)
	}
}

func TestFailureText(t *testing.T) {
	for want, f := range map[string]*Failure{
		"only a message":   {Finding: record.Finding{Message: "only a message"}},
		"want a, got b":    {Finding: record.Finding{Want: "a", Got: "b"}},
		"m: want a, got b": {Finding: record.Finding{Message: "m", Want: "a", Got: "b"}},
		"m: want , got b":  {Finding: record.Finding{Message: "m", Got: "b"}},
	} {
		if got := f.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := (&Unprovable{"r"}).Error() + "; " + (&Fault{"f"}).Error(); got != "unprovable: r; fault of the suite: f" {
		t.Errorf("got %q", got)
	}
}

// TestPanicIsAFault: a step that panics must not be reported as a failure of the server, nor end the run.
func TestPanicIsAFault(t *testing.T) {
	w := &World{}
	err := run(With(context.Background(), w), features.Then, func(*World) error { panic("oops") })
	var suite *Fault
	if !errors.As(err, &suite) || w.Err() != err {
		t.Errorf("got %v, settled %v", err, w.Err())
	}
	if err := run(With(context.Background(), w), features.Then, func(*World) error { return errors.New("later") }); err == nil || w.Err() == err {
		t.Error("the first error of a world must stay")
	}
}

func TestMemberOf(t *testing.T) {
	for _, c := range []struct {
		value string
		want  any
	}{
		{`{"a":"b"}`, "b"}, {`{"a":7}`, json.Number("7")}, {`{"a":null}`, nil}, {`{"A":"b"}`, nil}, {`{}`, nil},
		{`["a"]`, nil}, {`"a"`, nil}, {`null`, nil},
	} {
		if got := MemberOf(mustDecode(t, c.value), "a"); got != c.want {
			t.Errorf("%s: got %v", c.value, got)
		}
	}
	if got := MemberOf(nil, "a"); got != nil {
		t.Errorf("got %v", got)
	}
}

// TestDecode: values and errors are those of encoding/json.
func TestDecode(t *testing.T) {
	for _, text := range []string{
		``, ` `, `null`, `true`, ` false `, `nul`, `truex`, `true x`, `-1.50e+07`, `01`, `"a"b`, `"\u00e9\ud83d\ude00\ud83d x"`, "\"é \xff\"", `[]`, `[1,"a",null,{"b":[]}]`,
		`{}`, `{"a":1,"a":{"b":2}}`, `{"a":1} {"b":2}`, `{"a":1}}`, `{"a":1`, `{"a":1,}`, `[1,]`, "{\"a\":\"\n\"}", `{"\u0061":1}`, "\xef\xbb\xbf1",
		strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001),
	} {
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		var want any
		wrong := dec.Decode(&want)
		got, err := Decode([]byte(text))
		if fmt.Sprint(err) != fmt.Sprint(wrong) || wrong == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%.60q: got %.60v, %v; encoding/json %.60v, %v", text, got, err, want, wrong)
		}
	}
}
