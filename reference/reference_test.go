package reference_test

import (
	"fmt"
	"net/http/httptest"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

func ExampleNew() {
	server := reference.New(reference.Options{})
	defer server.Close()
	call := func(method, path, body string) string {
		answer := httptest.NewRecorder()
		request := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		server.ServeHTTP(answer, request)
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

// A decorator wraps the default: here an encoder that names its frames.
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
