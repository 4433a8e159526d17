package runner

import (
	"net/http"

	"github.com/streamcert/streamcert/runner/target"
)

// helixRoutes are the routes of pack helix in the order in which they are tried:
// each finds the scratch stream as the ones before it left it.
func helixRoutes() []route { return append(helixReading(), helixProvoking()...) }

// on tries a route with a control call on a scratch stream.
func on(stream, method, path, body string) func(*prober) (*target.Exchange, error) {
	return func(p *prober) (*target.Exchange, error) { return p.call(stream, method, path, body) }
}

// helixReading are the certified routes, and what it takes to have something to
// read.
func helixReading() []route {
	return []route{
		{
			name: "writers", call: "POST /streams/{stream}/writers", right: holds("writerId"),
			try: func(p *prober) (*target.Exchange, error) { return p.open("first") },
		},
		{
			name: "chunks", call: "POST /streams/{stream}/writers/{writer}/chunks", right: holds("sequences"),
			try: on("first", "POST", "/writers/{writer}/chunks",
				`{"type":"text_delta","agentId":"agent-1","agentType":"assistant","timestamp":1702329600000,"delta":"probe"}`),
		},
		{
			name: "read", call: "GET read", capability: "resume",
			try:   func(p *prober) (*target.Exchange, error) { return p.read() },
			right: eventStream,
		},
		{
			name: "info", call: "GET info", capability: "info", needed: words(`\binfo\b`), right: holds("status"),
			try: func(p *prober) (*target.Exchange, error) {
				return p.session.Document(target.DocumentRequest{Stream: p.streams["first"], Hidden: true})
			},
		},
		{
			name: "snapshot", call: "GET snapshot", capability: "snapshot", needed: words(`\bsnapshot\b`),
			try: func(p *prober) (*target.Exchange, error) {
				return p.session.Snapshot(target.SnapshotRequest{Stream: p.streams["first"], Hidden: true})
			},
		},
	}
}

// helixProvoking are the other routes of the control binding.
func helixProvoking() []route {
	return []route{
		{
			name: "status", call: "POST /streams/{stream}/status", capability: "status", needed: words(`made (paused|active)|make the stream`),
			try: on("first", "POST", "/status", `{"status":"paused"}`),
		},
		{
			name: "cleanup", call: "POST /streams/{stream}/cleanup", capability: "truncation", needed: words(`cleaned up`),
			try: on("first", "POST", "/cleanup", `{"stepCount":0}`),
		},
		{
			name: "reset", call: "POST /streams/{stream}/reset", capability: "reset", needed: words(`is reset|reset of`),
			try: on("first", "POST", "/reset", ""), refusals: []int{http.StatusConflict},
		},
		{
			name: "close", call: "DELETE /streams/{stream}/writers/{writer}", needed: words(`closed? writer|writer .*closes|writer closes`),
			try: on("second", "DELETE", "/writers/{writer}", ""),
		},
		{
			name: "end", call: "POST /streams/{stream}/end", needed: words(`stream (ends|has ended|is ended)`),
			try: on("second", "POST", "/end", "{}"), refusals: []int{http.StatusConflict},
		},
		{
			name: "fail", call: "POST /streams/{stream}/fail", needed: words(`stream (fails|has failed|is failed)`),
			try: on("third", "POST", "/fail", `{"error":"probe"}`), refusals: []int{http.StatusConflict},
		},
		{
			name: "state", call: "PUT /streams/{stream}/state", needed: never,
			try: on("fourth", "PUT", "/state", "{}"),
		},
		{
			name: "delete", call: "DELETE /streams/{stream}", needed: words(`stream is deleted`),
			try: on("fourth", "DELETE", "", ""),
		},
		{
			name: "runs", call: "POST /runs", capability: "runtime", needed: never,
			try: func(p *prober) (*target.Exchange, error) {
				body := `{"stream":"` + p.session.NewStream() + `","agentType":"assistant","script":[[{"output":"probe"}]]}`
				return p.session.Call("POST", "/runs", []byte(body), false)
			},
		},
	}
}

// eventStream asks of an answer to be an event stream that sends what it holds.
func eventStream(v target.View) string {
	switch {
	case !v.IsEventStream():
		return "expected text/event-stream, got " + v.Get("content-type")
	case len(v.Frames) == 0:
		return "the stream sent no event of what it holds"
	}
	return ""
}
