package helix_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/schemas"
)

// TestRunBodies: invalid examples of the schemas are refused with 400, and valid ones aren't.
func TestRunBodies(t *testing.T) {
	set := packSchemas()
	for name, call := range map[string]string{
		"run-interrupt": "interrupt", "run-release": "release", "run-resume": "resume", "run-retry": "retry",
		"run-rollback": "rollback", "run-tool-result": "tool-result",
	} {
		s := serve(t, helix.Options{Runtime: numbered})
		s.start(`[[{"await":"never"}]]`)
		for _, e := range set.Invalid("control/" + name) {
			if got := s.call("POST", "/control/runs/run1/"+call, string(e.Value)); !strings.HasPrefix(got, "400 ") {
				t.Errorf("%s: %s: %s: %s", name, e.Name, e.Value, got)
			}
		}
		if got := s.call("GET", "/control/runs/run1", ""); !strings.HasPrefix(got, `200 {"status":"running"`) {
			t.Errorf("after refused bodies for %s: %s", name, got)
		}
		for _, e := range set.Examples("control/" + name) {
			if got := s.call("POST", "/control/runs/run1/"+call, string(e.Value)); strings.HasPrefix(got, "400 ") {
				t.Errorf("%s: %s: %s: %s", name, e.Name, e.Value, got)
			}
		}
	}
}

func TestStartBodies(t *testing.T) {
	set := packSchemas()
	for _, e := range set.Invalid("control/run") {
		s := serve(t, helix.Options{Runtime: numbered})
		if got := s.call("POST", "/control/runs", string(e.Value)); !strings.HasPrefix(got, "400 ") {
			t.Errorf("%s: %s: %s", e.Name, e.Value, got)
		}
		if got := s.call("GET", "/streams/trip", ""); !strings.HasPrefix(got, "404 ") {
			t.Errorf("%s: a refused run made its stream: %s", e.Name, got)
		}
	}
	for _, e := range set.Examples("control/run") {
		s := serve(t, helix.Options{Runtime: numbered})
		if got := s.call("POST", "/control/runs", string(e.Value)); got != `202 {"runId":"run1"}` {
			t.Errorf("%s: %s: %s", e.Name, e.Value, got)
		}
	}
	s := serve(t, helix.Options{})
	for _, body := range []string{``, `[]`, `null`, `7`, `{`, `{"stream":"s","agentType":"a","script":[],"outputSchema":{"type":7}}`,
		`{"stream":7,"agentType":"a","script":[]}`, `{"stream":"s","agentType":"a","script":[[{"text":"x"}]`} {
		if got := s.call("POST", "/control/runs", body); !strings.HasPrefix(got, "400 ") {
			t.Errorf("%s: %s", body, got)
		}
	}
}

// TestRunAnswers: answers are valid by the schemas.
func TestRunAnswers(t *testing.T) {
	set := packSchemas()
	s := serve(t, helix.Options{})
	check := func(name, got, status string) string {
		t.Helper()
		body, ok := strings.CutPrefix(got, status+" ")
		if !ok {
			t.Fatalf("%s, want %s", got, status)
		}
		for _, f := range set.Document("control/"+name, schemas.Strict, []byte(body)).Findings {
			t.Errorf("%s: %s", body, f.Message)
		}
		return body
	}
	var run struct{ RunID string }
	got := check("run-answer", s.call("POST", "/control/runs", `{"stream":"s","agentType":"a","script":[[{"await":"b"},{"tool":{"name":"f","client":true}}]]}`), "202")
	if err := json.Unmarshal([]byte(got), &run); err != nil {
		t.Fatal(err)
	}
	at := "/control/runs/" + run.RunID
	check("run-status", s.call("GET", at+"?settled", ""), "200")
	check("run-answer", s.call("POST", at+"/supersede", ""), "202")
	s.call("POST", at+"/release", `{"barrier":"b"}`)
	check("run-status", s.call("GET", at+"?settled", ""), "200")
	check("run-answer", s.call("POST", at+"/retry", ""), "202")
}

func TestRunRoutes(t *testing.T) {
	s := serve(t, helix.Options{Runtime: numbered, ControlToken: "t"})
	token := "X-Streamcert-Control: t"
	s.want(`403 {"error":"control calls need their token"}`, "POST", "/control/runs", `{}`)
	s.want(`202 {"runId":"run1"}`, "POST", "/control/runs", `{"stream":"a/b","agentType":"a","script":[[{"await":"x"}]]}`, token)
	s.want(`200 {"status":"active","latestSequence":0,"chunkCount":0}`, "GET", "/streams/a%2Fb", "")
	s.want(`404 {"error":"unknown run","code":"state_session_not_found"}`, "POST", "/control/runs/run2/crash", ``, token)
	s.want(`404 {"error":"unknown run","code":"state_session_not_found"}`, "GET", "/control/runs/run2?settled", ``, token)
	s.want(`404 {"error":"there is nothing at this path"}`, "POST", "/control/runs/run1/crash/now", ``, token)
	s.want(`405 {"error":"the method is not allowed here"}`, "GET", "/control/runs", ``, token)
	s.want(`405 {"error":"the method is not allowed here"}`, "GET", "/control/runs/run1/crash", ``, token)
	s.want(`405 {"error":"the method is not allowed here"}`, "POST", "/control/runs/run1", ``, token)
	s.want("204", "DELETE", "/control/streams/a%2Fb", ``, token)
	s.want(`404 {"error":"unknown run","code":"state_session_not_found"}`, "GET", "/control/runs/run1?settled", ``, token)
	s.want(`202 {"runId":"run2"}`, "POST", "/control/runs", `{"stream":"a/b","agentType":"a","script":[]}`, token)
}

// TestRunBeginsWithState: a run writes to the state that the stream was given.
func TestRunBeginsWithState(t *testing.T) {
	s := serve(t, helix.Options{Runtime: numbered})
	s.want("204", "PUT", "/control/streams/s/state", `{"k":0,"l":[1]}`)
	s.start(`[[{"set":{"key":"k","value":1}},{"append":{"key":"l","items":[2]}}]]`)
	s.settled()
	const want = `{state_patch,patches:[{op:replace,path:/k,value:1},{op:add,path:/l/-,value:2}],step:1}`
	if log := s.log(); log[0] != want {
		t.Errorf("got %s, want %s", log[0], want)
	}
}

// TestWaitEndsWithTheServer: a waiting request is answered when the server closes or the stream is deleted.
func TestWaitEndsWithTheServer(t *testing.T) {
	for want, end := range map[string]func(*helix.Handler, *service){
		"503 ": func(h *helix.Handler, _ *service) { h.Close() },
		"404 ": func(_ *helix.Handler, s *service) { s.call("DELETE", "/control/streams/s", "") },
	} {
		waiting := make(chan struct{})
		h := helix.New(helix.Options{Runtime: func(p runtime.Ports) runtime.Ports {
			p = numbered(p)
			p.Tools = stuck{p.Tools, waiting}
			return p
		}})
		s := listen(t, h)
		s.start(`[[{"tool":{"name":"f"}}]]`)
		<-waiting
		answer := make(chan string)
		go func() { answer <- s.call("GET", "/control/runs/run1?settled", "") }()
		select {
		case got := <-answer:
			t.Errorf("a run that is at work was taken for settled: %s", got)
		case <-time.After(20 * time.Millisecond):
		}
		end(h, s)
		if got := <-answer; !strings.HasPrefix(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// stuck is a tool that works until it is stopped.
type stuck struct {
	runtime.Tools
	waiting chan struct{}
}

func (s stuck) Execute(ctx context.Context, _ runtime.Call, _ runtime.Env) (json.RawMessage, error) {
	close(s.waiting)
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestJournalBoundary: a decorator sees whose chunks they are, and can drop, change, repeat and turn them round.
func TestJournalBoundary(t *testing.T) {
	s := serve(t, helix.Options{Runtime: func(p runtime.Ports) runtime.Ports {
		p = numbered(p)
		p.Journal = meddling{p.Journal}
		return p
	}})
	s.start(`[[{"text":"a b"},{"tool":{"name":"f","result":1}},{"set":{"key":"k","value":1}}]]`)
	s.settled()
	got := strings.Join(s.log(), "\n")
	const want = `{text_delta,delta:session1 a,step:1}
{text_delta,delta:session1 b,step:1}
{tool_end,result:1,success:true,toolCallId:call1,toolName:f,step:1}
{tool_end,result:1,success:true,toolCallId:call1,toolName:f,step:1}
{step_committed,checkpointId:session1.1.1,stepId:step1,runId:run1,step:1}
{checkpoint_created,checkpointId:session1.1.1,stepCount:1,runId:run1,step:1}
{state_patch,patches:[{op:add,path:/k,value:1}],step:1}
{end}`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

type meddling struct{ runtime.Journal }

func (m meddling) Append(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
	var out []runtime.Chunk
	for _, c := range chunks {
		switch c.Type() {
		case "tool_start":
		case "tool_end":
			out = append(out, c, c)
		case "text_delta":
			c = c.Clone()
			c["delta"] = w.Session + " " + strings.TrimSpace(c["delta"].(string))
			out = append(out, c)
		default:
			out = append(out, c)
		}
	}
	slices.Reverse(out)
	return m.Journal.Append(ctx, w, out)
}

// listen serves a handler that a test has made.
func listen(t testing.TB, h *helix.Handler) *service {
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		h.Close()
		server.Client().CloseIdleConnections()
		server.Close()
	})
	return &service{TB: t, url: server.URL, client: server.Client()}
}
