package helix_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestStreamFromStartToEnd(t *testing.T) {
	for _, protocol := range []string{"HTTP/1.1", "HTTP/2"} {
		t.Run(protocol, func(t *testing.T) {
			s := serve(t, helix.Options{})
			if protocol == "HTTP/2" {
				transport := &http.Transport{Protocols: new(http.Protocols)}
				transport.Protocols.SetUnencryptedHTTP2(true)
				s.client = &http.Client{Transport: transport}
			}
			s.open("s")
			r := s.attach("s")
			for n := 1; n <= 3; n++ { // each is written only after the one before it was read
				if got, want := s.write("s", `{"step":`+fmt.Sprint(n)+`}`), fmt.Sprintf(`201 {"sequences":[%d]}`, n); got != want {
					t.Fatalf("got %s, want %s", got, want)
				}
				r.want(chunkBlock(n, fmt.Sprintf(`{"step":%d}`, n)))
			}
			s.control("s", "status", `{"status":"paused"}`)
			r.want(`data: {"type":"status","status":"paused"}`)
			s.control("s", "status", `{"status":"active"}`)
			r.want(`data: {"type":"status","status":"active"}`)
			s.control("s", "cleanup", `{"stepCount":1}`)
			r.want(`data: {"type":"truncated","truncatedAtStep":1,"atSequence":3}`)
			s.want(`200 {"status":"active","latestSequence":3,"chunkCount":1}`, "GET", "/streams/s", "")
			s.control("s", "end", `{"finalOutput":{"a": null}}`)
			r.want("id: 4\ndata: {\"type\":\"end\",\"finalOutput\":{\"a\":null}}", "EOF")
			s.want(`200 {"status":"ended","latestSequence":3,"chunkCount":1}`, "GET", "/streams/s", "")
			s.control("s", "reset", ``)
			s.control("s", "fail", `{"error":"x\n\ndata: y","code":"tool_error"}`)
			s.attach("s").want("id: 5\ndata: {\"type\":\"fail\",\"error\":\"x\\n\\ndata: y\",\"code\":\"tool_error\"}", "EOF")
			s.want("204", "DELETE", "/control/streams/s", "")
			s.want(`404 {"error":"unknown stream","code":"state_session_not_found"}`, "GET", "/streams/s/events", "")
		})
	}
}

func TestFinalOutputs(t *testing.T) {
	for body, want := range map[string]string{
		``:                     `{"type":"end"}`,
		`{}`:                   `{"type":"end"}`,
		`{"finalOutput":null}`: `{"type":"end","finalOutput":null}`,
		`{"finalOutput":"x"}`:  `{"type":"end","finalOutput":"x"}`,
	} {
		s := serve(t, helix.Options{})
		s.open("s")
		s.control("s", "end", body)
		s.attach("s").want("id: 1\ndata: "+want, "EOF")
	}
}

func TestHead(t *testing.T) {
	s := serve(t, helix.Options{})
	s.open("s")
	answer := s.do("GET", "/streams/s/events", "", "Origin: https://example.org")
	defer answer.Body.Close()
	want := map[string]string{"Content-Type": "text/event-stream", "Cache-Control": "no-cache", "Connection": "",
		"Access-Control-Allow-Origin": "*", "Content-Encoding": ""}
	for name, value := range want {
		if got := answer.Header.Get(name); got != value {
			t.Errorf("%s: got %q, want %q", name, got, value)
		}
	}
}

func TestCursors(t *testing.T) {
	s := serve(t, helix.Options{})
	s.open("s")
	s.write("s", `[{},{},{},{}]`)
	s.control("s", "end", "")
	badCursor := `400 {"error":"a cursor is a non-negative decimal integer","code":"validation_error"}`
	for _, c := range []struct{ query, header, want string }{
		{"", "", "1 2 3 4 5"},
		{"", "0", "1 2 3 4 5"},
		{"", "3", "4 5"},
		{"", "4", "5"},
		{"", "5", "204"},
		{"", "99999999999999999999999999", "204"},
		{"?fromSequence=2", "", "3 4 5"},
		{"?fromOffset=2", "", "3 4 5"},
		{"?fromSequence=3&fromOffset=1", "", "4 5"},
		{"?fromSequence=1", "3", "4 5"},
		{"?fromSequence=x", "3", "4 5"},
		{"?fromSequence=3", "x", badCursor},
		{"?fromSequence=", "", "1 2 3 4 5"},
		{"?fromSequence=%31", "", "2 3 4 5"},
		{"?fromSequence=%zz", "", `400 {"error":"the query can't be read","code":"validation_error"}`},
		{"?fromSequence=+1", "", badCursor},
		{"", "-1", badCursor},
		{"", "+1", badCursor},
		{"", "01", badCursor},
		{"", "1.5", badCursor},
		{"", "1e3", badCursor},
		{"", "0x1", badCursor},
		{"", "1 2", badCursor},
		{"", "٣", badCursor},
	} {
		var header []string
		if c.header != "" {
			header = []string{"Last-Event-ID: " + c.header}
		}
		got := s.call("GET", "/streams/s/events"+c.query, "", header...)
		if body, ok := strings.CutPrefix(got, "200 "); ok {
			var ids []string
			for line := range strings.Lines(body) {
				if id, ok := strings.CutPrefix(line, "id: "); ok {
					ids = append(ids, strings.TrimSpace(id))
				}
			}
			got = strings.Join(ids, " ")
		}
		if got != c.want {
			t.Errorf("query %q, header %q: got %s, want %s", c.query, c.header, got, c.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	refuse := func(raw []byte) error {
		if bytes.Contains(raw, []byte("bad")) {
			return errors.New("/delta is bad")
		}
		return nil
	}
	s := serve(t, helix.Options{Validate: refuse, MaxBody: 100})
	s.open("s")
	open := "/control/streams/s/writers/" + s.writer
	s.want("204", "DELETE", open, "")
	s.want("204", "DELETE", open, "")
	closed := s.writer
	s.open("s")
	chunks := "/control/streams/s/writers/" + s.writer + "/chunks"
	notJSON := `400 {"error":"the body is not one JSON value in UTF-8","code":"validation_error"}`
	for _, c := range []struct{ want, method, path, body string }{
		{notJSON, "POST", chunks, `{`},
		{notJSON, "POST", chunks, `{} {}`},
		{notJSON, "POST", chunks, "\"\xff\""},
		{notJSON, "POST", chunks, "\ufeff{}"},
		{notJSON, "POST", chunks, "\"a\nb\""},
		{`400 {"error":"the body holds no chunk","code":"validation_error"}`, "POST", chunks, ``},
		{`400 {"error":"/delta is bad","code":"validation_error"}`, "POST", chunks, `"bad"`},
		{`400 {"error":"chunk 1 of the array: /delta is bad","code":"validation_error"}`, "POST", chunks, `["good","bad","good"]`},
		{`413 {"error":"the body is larger than 100 bytes"}`, "POST", chunks, `"` + strings.Repeat("x", 100) + `"`},
		{`409 {"error":"the writer is closed"}`, "POST", "/control/streams/s/writers/" + closed + "/chunks", `{}`},
		{`404 {"error":"unknown writer"}`, "POST", "/control/streams/s/writers/x/chunks", `{}`},
		{`404 {"error":"unknown stream","code":"state_session_not_found"}`, "POST", "/control/streams/x/writers/x/chunks", `{}`},
		{`404 {"error":"unknown stream","code":"state_session_not_found"}`, "GET", "/streams/x", ``},
		{`404 {"error":"unknown stream","code":"state_session_not_found"}`, "GET", "/streams/x/events?fromSequence=3", ``},
		{`404 {"error":"unknown stream","code":"state_session_not_found"}`, "GET", "/streams//events", ``},
		{`404 {"error":"there is nothing at this path"}`, "GET", "/", ``},
		{`404 {"error":"there is nothing at this path"}`, "GET", "/streams/s/frames", ``},
		{`405 {"error":"the method is not allowed here"}`, "POST", "/streams/s/events", ``},
		{`405 {"error":"the method is not allowed here"}`, "GET", "/control/streams/s/end", ``},
		{`400 {"error":"a writer needs an /agentId and an /agentType","code":"validation_error"}`, "POST", "/control/streams/s/writers", `{}`},
		{`400 {"error":"/agentId can't be a number","code":"validation_error"}`, "POST", "/control/streams/s/writers", `{"agentId":7}`},
		{`400 {"error":"failing a stream needs an /error","code":"validation_error"}`, "POST", "/control/streams/s/fail", `{}`},
		{`400 {"error":"/status can be set to active or paused","code":"validation_error"}`, "POST", "/control/streams/s/status", `{"status":"ended"}`},
		{`400 {"error":"/stepCount is a non-negative integer","code":"validation_error"}`, "POST", "/control/streams/s/cleanup", `{}`},
		{`400 {"error":"/stepCount can't be a number 1.5","code":"validation_error"}`, "POST", "/control/streams/s/cleanup", `{"stepCount":1.5}`},
		{`200 {"status":"active","latestSequence":0,"chunkCount":0}`, "GET", "/streams/s", ``}, // and nothing was stored
		{`204`, "POST", "/control/streams/s/end", ``},
		{`204`, "POST", "/control/streams/s/fail", `{"error":"late"}`},
		{`409 {"error":"the stream is finished"}`, "POST", chunks, `{}`},
		{`409 {"error":"the stream is finished"}`, "POST", "/control/streams/s/status", `{"status":"paused"}`},
	} {
		s.want(c.want, c.method, c.path, c.body)
	}
}

func TestChunksAreRelayedUnchanged(t *testing.T) {
	s := serve(t, helix.Options{})
	s.open("s")
	r := s.attach("s")
	for i, c := range []struct{ written, read string }{
		{"{ \"b\" : 1.50 ,\r\n\"a\":null}", `{"b":1.50,"a":null}`},
		{`{"a":"\n\ndata: {}\r\u0000<&>` + "e\u0301\u2028 " + `"}`, `{"a":"\n\ndata: {}\r\u0000<&>` + "e\u0301\u2028 " + `"}`},
		{`{"n":[9007199254740991,1e21,-0.1,123456789012345678901234567890]}`, `{"n":[9007199254740991,1e21,-0.1,123456789012345678901234567890]}`},
	} {
		s.write("s", c.written)
		r.want(chunkBlock(i+1, c.read))
	}
}

func TestStepsAreIntegers(t *testing.T) {
	s := serve(t, helix.Options{})
	s.open("s")
	s.write("s", `[{"step":2.0},{"step":null},{"step":"2"},{"Step":2},{"step":1.5},{}]`)
	s.control("s", "cleanup", `{"stepCount":0}`)
	s.want(`200 {"status":"active","latestSequence":6,"chunkCount":5}`, "GET", "/streams/s", "")
}

func TestStreamIDsNameWhatTheySay(t *testing.T) {
	s := serve(t, helix.Options{})
	ids := []string{"a%2Fb", "a%252Fb", "%2E%2E", "a%3Fb", "a%23b", "a%0D%0Ab", "a%20", "a", "A", "%C3%A9", "e%CC%81", "%00", "a%2Fevents", "..", "a;b", "%FF"}
	for _, id := range ids {
		if id == ".." {
			continue // it names the same stream as %2E%2E
		}
		s.open(id)
		s.write(id, `"`+id+`"`)
	}
	for _, id := range ids {
		want := id
		if id == ".." {
			want = "%2E%2E"
		}
		s.attach(id).want(chunkBlock(1, `"`+want+`"`))
	}
	s.want(`404 {"error":"unknown stream","code":"state_session_not_found"}`, "GET", "/streams/%2e", "")
}

func TestTokens(t *testing.T) {
	s := serve(t, helix.Options{ReaderToken: "r", ControlToken: "c"})
	control := `403 {"error":"control calls need their token"}`
	reading := `401 {"error":"reading a stream needs a bearer token"}`
	unknown := `404 {"error":"unknown stream","code":"state_session_not_found"}`
	s.want(control, "POST", "/control/streams/s/end", "")
	s.want(control, "POST", "/control/streams/s/end", "", "X-Streamcert-Control: wrong")
	s.want(unknown, "POST", "/control/streams/s/end", "", "X-Streamcert-Control: c")
	for _, path := range []string{"/streams/s", "/streams/s/events"} {
		s.want(reading, "GET", path, "")
		s.want(reading, "GET", path, "", "Authorization: Bearer wrong")
		s.want(reading, "GET", path, "", "Authorization: r")
		s.want(unknown, "GET", path, "", "Authorization: Bearer r")
	}
}

func TestPreflight(t *testing.T) {
	s := serve(t, helix.Options{ReaderToken: "r"})
	answer := s.do("OPTIONS", "/streams/s/events", "", "Origin: https://example.org")
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusNoContent || answer.Header.Get("Access-Control-Allow-Origin") != "*" ||
		!strings.Contains(answer.Header.Get("Access-Control-Allow-Headers"), "Last-Event-ID") {
		t.Errorf("got %s %v", answer.Status, answer.Header)
	}
}

// hourglass is a clock whose timers run out when the test fires them.
type hourglass struct{ timers chan func() }

func (h hourglass) AfterFunc(_ time.Duration, f func()) helix.Timer {
	h.timers <- f
	return time.NewTimer(time.Hour)
}

func TestHeartbeats(t *testing.T) {
	clock := hourglass{make(chan func(), 1)}
	s := serve(t, helix.Options{Clock: clock})
	s.open("s")
	r := s.attach("s")
	for range 2 {
		(<-clock.timers)()
		r.want(": heartbeat")
	}
	s.write("s", `{}`)
	r.want(chunkBlock(1, `{}`))
}

func TestStalledReaderDelaysNoOther(t *testing.T) {
	var conn net.Conn
	t.Cleanup(func() { conn.Close() }) // after the server has closed: a blocked write must not delay that
	s := serve(t, helix.Options{})
	s.open("s")
	var err error
	if conn, err = net.Dial("tcp", strings.TrimPrefix(s.url, "http://")); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(conn, "GET /streams/s/events HTTP/1.1\r\nHost: x\r\n\r\n")
	if _, err := bufio.NewReaderSize(conn, 16).ReadString('\n'); err != nil { // attached; it reads no more
		t.Fatal(err)
	}
	r := s.attach("s")
	chunk := `"` + strings.Repeat("x", 1<<20) + `"`
	for n := 1; n <= 16; n++ {
		s.write("s", chunk)
		r.want(chunkBlock(n, chunk))
	}
}

type closing struct {
	store.Subscription
	closed chan struct{}
}

func (c closing) Close() {
	c.Subscription.Close()
	close(c.closed)
}

func TestReaderThatLeavesIsDetached(t *testing.T) {
	closed := make(chan struct{})
	s := serve(t, helix.Options{Attach: func(ctx context.Context, streams store.Store, r helix.Reader) (store.Subscription, error) {
		sub, err := streams.Subscribe(ctx, r.Stream, r.Cursor.After)
		return closing{sub, closed}, err
	}})
	s.open("s")
	s.attach("s").body.Close()
	<-closed
	s.write("s", `{}`)
	s.want(`200 {"status":"active","latestSequence":1,"chunkCount":1}`, "GET", "/streams/s", "")
}

func TestCloseEndsResponsesCleanly(t *testing.T) {
	h := helix.New(helix.Options{})
	server := httptest.NewServer(h)
	defer server.Close()
	s := &service{TB: t, url: server.URL, client: server.Client()}
	s.open("s")
	r := s.attach("s")
	h.Close()
	r.want("EOF")
}

func TestDecoratorsMayRefuse(t *testing.T) {
	s := serve(t, helix.Options{
		Attach: func(context.Context, store.Store, helix.Reader) (store.Subscription, error) {
			return nil, &helix.Error{Status: http.StatusGone, Message: "gone"}
		},
		Cursor: func(stream string, _ *http.Request) (helix.Cursor, error) {
			if stream == "secret" {
				return helix.Cursor{}, errors.New("the password is swordfish")
			}
			return helix.Cursor{}, nil
		},
	})
	s.want(`410 {"error":"gone"}`, "GET", "/streams/s/events", "")
	s.want(`500 {"error":"internal error","code":"framework_internal_error"}`, "GET", "/streams/secret/events", "")
}
