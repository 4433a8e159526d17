package helix

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	"github.com/streamcert/streamcert/reference/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestCatalogue(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	seen, base := map[string]bool{}, reference.Defaults(reference.Options{})
	for _, v := range Catalogue() {
		if !kebab.MatchString(v.Name) || seen[v.Name] {
			t.Errorf("%q is no name in kebab-case of one variant", v.Name)
		}
		seen[v.Name] = true
		if v.Freedom == "" || !strings.HasSuffix(v.Summary, ".") {
			t.Errorf("%s: freedom %q, summary %q", v.Name, v.Freedom, v.Summary)
		}
		if v.Wrap == nil && v.Idle == 0 && !v.HTTP2 && len(alter.Replaced(base, v.Applied(base))) == 0 {
			t.Errorf("%s changes nothing", v.Name)
		}
	}
	if !slices.IsSortedFunc(Catalogue(), func(a, b Variant) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the catalogue isn't sorted")
	}
}

// TestEveryVariantServes writes a chunk, ends and reads, over a socket: every variant sends a stream.
func TestEveryVariantServes(t *testing.T) {
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range Catalogue() {
		t.Run(v.Name, func(t *testing.T) {
			h := Handler(v, reference.Options{Validate: validate})
			server := httptest.NewServer(h)
			defer server.Close()
			defer h.Close()
			defer http.DefaultClient.CloseIdleConnections()
			call(t, server.URL+"/control/streams/s/writers", `{"agentId":"a","agentType":"t"}`)
			call(t, server.URL+"/control/streams/s/end", `{"finalOutput":1}`)
			res, err := http.Get(server.URL + "/streams/s/events")
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			if err != nil || res.StatusCode != http.StatusOK || !strings.Contains(string(body), "data:") {
				t.Errorf("%d %v %q", res.StatusCode, err, body)
			}
		})
	}
}

func call(t *testing.T, url, body string) {
	t.Helper()
	res, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil || res.StatusCode/100 != 2 {
		t.Fatalf("%s: %d %v", url, res.StatusCode, err)
	}
}

func TestSpellings(t *testing.T) {
	const text = `{"b":[1,-0,0.5,1e21,9007199254740991],"a":{"y":"é😀\"/\n","x":null},"c":"\ud800"}`
	for _, c := range []struct{ name, got, want string }{
		{"backwards", string(backwards([]byte(text))),
			`{"c":"\ud800","a":{"x":null,"y":"é😀\"/\n"},"b":[1,-0,0.5,1e21,9007199254740991]}`},
		{"escaped", string(eachString([]byte(text), escaped)),
			`{"b":[1,-0,0.5,1e21,9007199254740991],"a":{"y":"\u00e9\ud83d\uDE00\u0022\/\u000a","x":null},"c":"\ud800"}`},
		{"raw", string(eachString([]byte(`{"a":"\u00e9\u2028\u0001\\"}`), raw)), "{\"a\":\"é\u2028\\u0001\\\\\"}"},
		{"fractions", string(eachNumber([]byte(text), withPoint)),
			`{"b":[1.0,-0.0,0.5,1E21,9007199254740991.0],"a":{"y":"é😀\"/\n","x":null},"c":"\ud800"}`},
		{"doubles", string(eachNumber([]byte(`[1.0,-0,0.10,1e21,9007199254740993,1e-7]`), asDouble)),
			`[1,0,0.1,1e+21,9007199254740992,1e-07]`},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestUnpadded(t *testing.T) {
	for text, want := range map[string]string{"007": "7", " 7 ": "7", "0": "0", "000": "0", "": "", "-1": "-1",
		"1 2": "1 2", "0x1": "0x1", "١": "١"} {
		if got := unpadded(text); got != want {
			t.Errorf("%q is read as %q, expected %q", text, got, want)
		}
	}
}

func TestComplete(t *testing.T) {
	a := &author{AgentID: "a", AgentType: "t"}
	for _, c := range []struct{ chunk, want string }{
		{`{"type":"x","agentId":"b","agentType":"","timestamp":null}`,
			`{"type":"x","agentId":"b","agentType":"","timestamp":null}`},
		{`{"type":"x","timestamp":1,"step":4}`, `{"type":"x","timestamp":1,"step":4,"agentId":"a","agentType":"t"}`},
		{`{"type":"error","timestamp":1}`, `{"type":"error","timestamp":1,"agentId":"a","agentType":"t","step":4}`},
		{`7`, `7`},
	} {
		if diff := cmp.Diff(c.want, string(a.complete([]byte(c.chunk)))); diff != "" {
			t.Error(diff)
		}
	}
}

// A variant serves the same stream in different bytes.
func ExampleHandler() {
	for _, v := range Catalogue() {
		if v.Name != "event-message" {
			continue
		}
		h := Handler(v, reference.Options{Store: ended()})
		defer h.Close()
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, httptest.NewRequest("GET", "/streams/s/events", nil))
		fmt.Print(answer.Body)
	}
	// Output:
	// event: message
	// id: 1
	// data: {"type":"end"}
}

// ended returns a store with a stream that is over.
func ended() store.Store {
	s := new(store.Memory)
	ctx := httptest.NewRequest("GET", "/", nil).Context()
	if _, err := s.OpenWriter(ctx, "s"); err != nil {
		panic(err)
	}
	if err := s.End(ctx, "s", nil); err != nil {
		panic(err)
	}
	return s
}
