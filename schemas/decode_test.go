package schemas

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// referenceDecode decodes with the standard library, as far as that can be compared.
func referenceDecode(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return v, io.ErrUnexpectedEOF
	}
	return v, nil
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, `[[],{}]`, `""`, `"a\u00e9\ud83d\ude00\ud83d\n\"\\\/\b\f\r\t"`, "\"\xff\u2028é\"", `0`, `-0`, `1.50e+7`, `1e-7`, `01`, `-`, `1.`, `1e`,
		`true`, `false`, `null`, `nul`, `{"a":1,"b":[true,null,{"c":"d"}]}`, `{"a":1,"a":2}`, `{"a"}`, `{"a":}`, `{,}`, `[1,]`, `[1 2]`,
		` [ 1 , 2 ] `, `1 2`, "\"\x01\"", `"\x"`, `"\u12g4"`, `"`, `{"a":1e999999999}`, "\ufeff{}", `{"x":"\u0000"}`, ``, `"\ud83d\u0041"`, `{"type":"chunk"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4096 {
			return // deeper than the decoder goes
		}
		want, err := referenceDecode(data)
		d := decode(data, map[string]string{"type": "type", "chunk": "chunk"})
		soft, hard := 0, 0
		for _, p := range d.problems {
			if p.kind == syntax {
				hard++
			} else {
				soft++
			}
			if strings.Contains(p.message, "deeper") {
				return
			}
		}
		if (err == nil) != (hard == 0) {
			t.Fatalf("%q: encoding/json says %v, problems are %+v", data, err, d.problems)
		}
		if err == nil && soft == 0 {
			if diff := cmp.Diff(want, d.value); diff != "" {
				t.Errorf("%q (-want +got):\n%s", data, diff)
			}
		}
	})
}

func TestHostileDocuments(t *testing.T) {
	s := load(t)
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	wide := func(unit string, n int) string { return strings.TrimSuffix(strings.Repeat(unit+",", n), ",") }
	for _, test := range []struct{ name, data, want string }{
		{"deep arrays", deep, "nested deeper than 1000"},
		{"deep objects", strings.Repeat(`{"a":`, 10_000), "nested deeper than 1000"},
		{"deep and cut", strings.Repeat("[", 5_000_000), "nested deeper than 1000"},
		{"huge exponent", `{"type":"chunk","sequence":1e100000000}`, "`sequence` must be an integer ≤"},
		{"huge negative exponent", `{"type":"chunk","sequence":1e-100000000}`, "`sequence` must be an integer"},
		{"exponent that overflows", `{"type":"end","n":1e99999999999999999999}`, "beyond what a reader can hold"},
		{"a million digits", `{"type":"end","n":` + strings.Repeat("9", 1_000_000) + `}`, "beyond what a reader can hold"},
		{"a million decimals", `{"type":"end","n":0.` + strings.Repeat("1", 1_000_000) + `}`, "beyond what a reader can hold"},
		{"the same key 100,000 times", `{` + wide(`"a":1`, 100_000) + `}`, "the key is there twice"},
		{"100,000 bad strings", `[` + wide("\"\xff\"", 100_000) + `]`, "not valid UTF-8"},
		{"no JSON", strings.Repeat("<", 1_000_000), "where a value is expected"},
		{"a long string without end", `"` + strings.Repeat("é", 1_000_000), "the end of a string"},
	} {
		t.Run(test.name, func(t *testing.T) {
			begin := time.Now()
			r := s.Frame(Strict, []byte(test.data))
			if spent := time.Since(begin); spent > 20*time.Second {
				t.Errorf("took %v", spent)
			}
			var all strings.Builder
			for _, f := range r.Findings {
				all.WriteString(f.Requirement + ": " + f.Message + "\n")
				if f.Requirement == "" {
					t.Errorf("a finding without requirement: %+v", f)
				}
			}
			if !strings.Contains(all.String(), test.want) || len(r.Findings) > 2*maxProblems {
				t.Errorf("%d findings, none says %q:\n%s", len(r.Findings), test.want, shorten(all.String()))
			}
		})
	}
}

func TestDepthThatIsAllowed(t *testing.T) {
	for levels, want := range map[int]int{MaxDepth: 0, MaxDepth + 1: 1} {
		d := decode([]byte(strings.Repeat("[", levels)+strings.Repeat("]", levels)), nil)
		if len(d.problems) != want {
			t.Errorf("%d levels: %+v", levels, d.problems)
		}
	}
}
