package helix

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix"
)

// scratch is the streams that a probe makes for itself.
type scratch struct {
	session *target.Session
	streams map[string]string // ids by a name of ours
	writers map[string]string // their writers
}

// stream returns a scratch stream with a writer, made on the first call.
func (p *scratch) stream(name string) (path string, err error) {
	id, ok := p.streams[name]
	if !ok {
		id = p.session.NewStream()
		p.streams[name] = id
		if name != "first" { // the first is opened by the probe of that very route
			_, err = p.open(name)
		}
	}
	return "/streams/" + target.EscapeSegment(id), err
}

var errNoWriter = errors.New("no writer could be opened")

func (p *scratch) open(name string) (*target.Exchange, error) {
	path, _ := p.stream(name)
	call, err := p.session.Call("POST", path+"/writers", []byte(`{"agentId":"agent-1","agentType":"assistant"}`), false)
	var answer struct {
		WriterID string `json:"writerId"`
	}
	if err == nil && json.Unmarshal(call.Now().Answer, &answer) == nil && answer.WriterID != "" {
		p.writers[name] = answer.WriterID
	}
	return call, err
}

// call makes a control call on a scratch stream.
func (p *scratch) call(stream, method, path, body string) (*target.Exchange, error) {
	base, _ := p.stream(stream)
	var raw []byte
	if body != "" {
		raw = []byte(body)
	}
	if strings.Contains(path, "{writer}") {
		if p.writers[stream] == "" {
			return nil, errNoWriter
		}
		path = strings.ReplaceAll(path, "{writer}", target.EscapeSegment(p.writers[stream]))
	}
	return p.session.Call(method, base+path, raw, false)
}

// on tries a route with a control call on a scratch stream.
func (p *scratch) on(stream, method, path, body string) func() (*target.Exchange, error) {
	return func() (*target.Exchange, error) { return p.call(stream, method, path, body) }
}

// read attaches to the first scratch stream until its first frame.
func (p *scratch) read() (*target.Exchange, error) {
	if p.writers["first"] == "" && p.session.Target().Model() != nil { // the control binding made none
		p.streams["first"] = p.session.NewStream()
		started, err := client.StartRun(p.session, client.Run{Stream: p.streams["first"], Script: []json.RawMessage{[]byte(`[{"text":"probe"}]`)}})
		if err != nil {
			return started.Call, err
		}
	}
	reader, err := client.Attach(p.session, target.ReadRequest{Stream: p.streams["first"], Hidden: true})
	if err != nil {
		return nil, err
	}
	defer reader.Disconnect()
	_, err = reader.Wait("the first frame of a stream", func(v record.Response) bool { return len(v.Frames) > 0 || v.Status >= 300 })
	if v := reader.Now(); v.Status/100 == 2 && len(v.Frames) == 0 {
		err = nil // the route reports the mistake
	}
	return reader.Exchange, err
}
