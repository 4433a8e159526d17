package reference_test

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

func TestValidator(t *testing.T) {
	validate, err := reference.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	const common = `"agentId":"a","agentType":"t","timestamp":1702329600000`
	for _, c := range []struct{ chunk, member string }{
		{`{"type":"text_delta","delta":"x",` + common + `}`, "ok"},
		{`{"type":"text_delta","delta":"x","future":[null],"runId":"r",` + common + `}`, "ok"},
		{`{"type":"future","whatever":{"a":null},` + common + `}`, "ok"},
		{`"x"`, ""},
		{`[]`, ""},
		{`null`, ""},
		{`7`, ""},
		{`{` + common + `}`, "/type"},
		{`{"type":7,` + common + `}`, "/type"},
		{`{"type":"future","agentId":"","agentType":"t","timestamp":1}`, "/agentId"},
		{`{"type":"future","agentId":"a","timestamp":1}`, "/agentType"},
		{`{"type":"future","agentId":"a","agentType":"t"}`, "/timestamp"},
		{`{"type":"future","agentId":"a","agentType":"t","timestamp":null}`, "/timestamp"},
		{`{"type":"text_delta","agentId":"a","agentType":"t","timestamp":"1","delta":"x"}`, "/timestamp"},
		{`{"type":"text_delta","delta":7,` + common + `}`, "/delta"},
		{`{"type":"text_delta",` + common + `}`, "delta"},
		{`{"type":"text_delta","delta":"x","step":-1,` + common + `}`, "/step"},
		{`{"type":"text_delta","delta":"x","step":1.5,` + common + `}`, "/step"},
		{`{"type":"text_delta","delta":"x","step":"1",` + common + `}`, "/step"},
		{`{"type":"text_delta","delta":"x","step":9007199254740992,` + common + `}`, "/step"},
		{`{"type":"future","step":-1,` + common + `}`, "/step"},
		{`{"type":"subagent_end","subAgentType":"r","subSessionId":"s","callId":"c","result":null,` + common + `}`, "step"},
		{`{"type":"subagent_end","subAgentType":"r","subSessionId":"s","callId":"c","result":null,"step":1,` + common + `}`, "ok"},
		{`{"type":"text_delta","delta":"x","delta":"y",` + common + `}`, "delta"},
	} {
		err := validate([]byte(c.chunk))
		var invalid *reference.InvalidChunk
		switch {
		case c.member == "ok":
			if err != nil {
				t.Errorf("%s: refused: %v", c.chunk, err)
			}
		case !errors.As(err, &invalid):
			t.Errorf("%s: accepted", c.chunk)
		case !strings.Contains(err.Error(), c.member):
			t.Errorf("%s: %q doesn't name %s", c.chunk, err, c.member)
		}
	}
}

func ExampleNew() {
	server := reference.New(reference.Options{})
	defer server.Close()
	call := func(method, path, body string) string {
		answer := httptest.NewRecorder()
		server.ServeHTTP(answer, httptest.NewRequest(method, path, strings.NewReader(body)))
		return strings.TrimSpace(answer.Body.String())
	}
	call("POST", "/control/streams/s/writers", `{"agentId":"run-1","agentType":"demo"}`)
	call("POST", "/control/streams/s/writers/writer-1/chunks",
		`{"type":"text_delta","agentId":"run-1","agentType":"demo","timestamp":1702329600000,"delta":"hello"}`)
	call("POST", "/control/streams/s/end", ``)
	fmt.Println(call("GET", "/streams/s/events", ""))
	// Output:
	// id: 1
	// data: {"type":"chunk","sequence":1,"chunk":{"type":"text_delta","agentId":"run-1","agentType":"demo","timestamp":1702329600000,"delta":"hello"}}
	//
	// id: 2
	// data: {"type":"end"}
}

// A decorator wraps what Defaults put in its place: here an encoder that names its frames.
func ExampleDefaults() {
	o := reference.Defaults(reference.Options{})
	encoder := o.Encoder
	o.Encoder = func(r helix.Reader) helix.Encoder { return named{encoder(r)} }
	fmt.Printf("%s", o.Encoder(helix.Reader{}).Append(nil, store.Event{Kind: store.StreamEnded, Sequence: 7}))
	// Output:
	// event: message
	// id: 7
	// data: {"type":"end"}
}

type named struct{ helix.Encoder }

func (n named) Append(dst []byte, e store.Event) []byte {
	return n.Encoder.Append(append(dst, "event: message\n"...), e)
}
