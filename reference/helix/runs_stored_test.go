package helix_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/model"
	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/reference/store/redis"
	"github.com/streamcert/streamcert/reference/store/redis/redistest"
)

// TestTakeOverAfterRetention: a run that lasts longer than finished streams are stored can be taken over all the same.
func TestTakeOverAfterRetention(t *testing.T) {
	server, ctx := redistest.Start(t), t.Context()
	disk, err := redis.Open(ctx, server.URL, redis.Options{Retention: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = disk.Close() })
	a, b := serve(t, helix.Options{Store: disk}), serve(t, helix.Options{Store: disk})
	started := a.call("POST", "/control/runs", `{"stream":"s","agentType":"a","script":[[{"text":"One. "}],[{"await":"go"},{"text":"Two."},{"await":"end"}]]}`)
	run := "/control/runs/" + between(started, `"runId":"`, `"`)
	a.call("GET", run+"?settled", "")
	if err := disk.SetRecord(ctx, store.Key{Name: "younger"}, 0, []byte("x")); err != nil {
		t.Fatal(err)
	}
	for version := int64(1); version > 0; time.Sleep(5 * time.Millisecond) {
		if _, version, err = disk.Record(ctx, "younger"); err != nil {
			t.Fatal(err)
		}
	}
	if got := b.call("POST", run+"/supersede", ""); !strings.HasPrefix(got, "202 ") {
		t.Errorf("taking a run over that lasts: %s", got)
	}
	b.call("POST", run+"/release", `{"barrier":"go"}`)
	b.call("GET", run+"?settled", "")
	if got := emittedText(t, disk); got != "One. Two." {
		t.Errorf("the stream says %q", got)
	}
}

// counting is a store that counts the bytes of the records that are set.
type counting struct {
	store.Store
	calls, bytes atomic.Int64
}

func (c *counting) SetRecord(ctx context.Context, key store.Key, version int64, text []byte) error {
	c.calls.Add(1)
	c.bytes.Add(int64(len(text)))
	return c.Store.SetRecord(ctx, key, version, text)
}

// committed plays a run of so many steps over a store.
func committed(t testing.TB, disk store.Store, steps int) {
	s := serve(t, helix.Options{Store: disk})
	script := strings.Repeat(`[{"set":{"key":"k","value":1}}],`, steps-1) + `[{"set":{"key":"k","value":2}}]`
	started := s.call("POST", "/control/runs", `{"stream":"s","agentType":"a","script":[`+script+`]}`)
	if got := s.call("GET", "/control/runs/"+between(started, `"runId":"`, `"`)+"?settled", ""); !strings.Contains(got, "completed") {
		t.Fatal(got)
	}
}

// TestCheckpointsDontGrow: a commit stores its additions, independent of the number of checkpoints.
func TestCheckpointsDontGrow(t *testing.T) {
	few, many := &counting{Store: new(store.Memory)}, &counting{Store: new(store.Memory)}
	committed(t, few, 20)
	committed(t, many, 200)
	if calls, bytes := many.calls.Load(), many.bytes.Load(); calls > 11*few.calls.Load() || bytes > 11*few.bytes.Load() {
		t.Errorf("20 commits took %d calls and %d bytes, 200 took %d and %d", few.calls.Load(), few.bytes.Load(), calls, bytes)
	}
}

// BenchmarkCommits plays runs of more and more steps. The time of a commit stays the same.
func BenchmarkCommits(b *testing.B) {
	for _, steps := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(steps), func(b *testing.B) {
			disk := &counting{}
			for range b.N {
				disk.Store = new(store.Memory)
				committed(b, disk, steps)
			}
			commits := float64(b.N * steps)
			b.ReportMetric(float64(disk.bytes.Load())/commits, "kept-bytes/commit")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/commits, "ns/commit")
		})
	}
}

// TestTakenOverAgainAndAgain: a process that takes over has every checkpoint and every run of those before, except rolled
// back ones.
func TestTakenOverAgainAndAgain(t *testing.T) {
	disk := new(store.Memory)
	s := serve(t, helix.Options{Store: disk})
	started := s.call("POST", "/control/runs", `{"stream":"s","agentType":"a","script":[[{"text":"1"}],[{"text":"2"}],[{"await":"a"},{"text":"3"}],[{"await":"b"},{"text":"4"}]]}`)
	first := "/control/runs/" + between(started, `"runId":"`, `"`)
	s.call("GET", first+"?settled", "")
	checkpoint := func(count int) string {
		t.Helper()
		log, err := disk.Read(t.Context(), "s", store.Mark{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range log.Events {
			var c struct {
				Type, CheckpointID string
				StepCount          int
			}
			if json.Unmarshal(e.Chunk.JSON, &c) == nil && c.Type == "checkpoint_created" && c.StepCount == count {
				return c.CheckpointID
			}
		}
		t.Fatalf("there is no checkpoint %d", count)
		return ""
	}
	accepted := func(got string) {
		t.Helper()
		if !strings.HasPrefix(got, "20") {
			t.Fatal(got)
		}
	}
	one := checkpoint(1)
	for range 3 {
		s = serve(t, helix.Options{Store: disk})
		accepted(s.call("POST", first+"/supersede", ""))
		s.call("GET", first+"?settled", "")
	}
	accepted(s.call("POST", first+"/rollback", `{"checkpointId":"`+one+`"}`)) // which a process before has made
	accepted(s.call("POST", first+"/resume", `{"mode":"continue"}`))
	s.call("GET", first+"?settled", "")
	two := checkpoint(2) // made after the rollback
	accepted(s.call("POST", first+"/release", `{"barrier":"a"}`))
	s.call("GET", first+"?settled", "")
	s = serve(t, helix.Options{Store: disk})
	accepted(s.call("POST", first+"/supersede", ""))
	s.call("GET", first+"?settled", "")
	accepted(s.call("POST", first+"/rollback", `{"checkpointId":"`+two+`"}`))
	accepted(s.call("POST", first+"/resume", `{"mode":"continue"}`))
	accepted(s.call("POST", first+"/release", `{"barrier":"a"}`))
	accepted(s.call("POST", first+"/release", `{"barrier":"b"}`))
	if got := s.call("GET", first+"?settled", ""); !strings.Contains(got, "completed") {
		t.Fatal(got)
	}
	if got := emittedText(t, disk); got != "1234" {
		t.Errorf("the stream says %q", got)
	}
	if _, version, err := disk.Record(t.Context(), "session:s"); version != 0 || err != nil {
		t.Errorf("the record of a session that is over is kept: %v", err)
	}
}

// provider is a language model that calls a tool in its first two answers. It waits at the second one once.
type provider struct {
	mu        sync.Mutex
	requested []string // the conversations
	waiting   chan struct{}
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/v1/tools" {
		fmt.Fprint(w, `{"Result":{"sunny":true}}`)
		return
	}
	var body struct {
		Messages []struct{ Role, Content string }
	}
	_ = json.NewDecoder(r.Body).Decode(&body) // an invalid body has no message
	var talk strings.Builder
	for _, m := range body.Messages {
		talk.WriteString(m.Role + ":" + m.Content + " ")
	}
	p.mu.Lock()
	p.requested = append(p.requested, talk.String())
	n := len(p.requested)
	p.mu.Unlock()
	if n == 2 { // of the first process, which hears nothing
		close(p.waiting)
		<-r.Context().Done()
		return
	}
	const call = `"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{}"}}]`
	delta, finish := `"content":"Look. ",`+call, "tool_calls"
	if strings.Contains(talk.String(), "tool:") {
		delta, finish = `"content":"Sunny."`, "stop"
	}
	fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{%s},\"finish_reason\":%q}]}\n\ndata: [DONE]\n\n", delta, finish)
}

// TestTakeOverThroughTheModel: a process that takes over a run with a model sends it the earlier conversation.
func TestTakeOverThroughTheModel(t *testing.T) {
	p := &provider{waiting: make(chan struct{})}
	listening := httptest.NewServer(p)
	t.Cleanup(listening.Close)
	client := model.New(listening.URL+"/v1", "")
	t.Cleanup(client.Close)
	disk := new(store.Memory)
	a, b, blind := serve(t, helix.Options{Store: disk, Model: client}), serve(t, helix.Options{Store: disk, Model: client}), serve(t, helix.Options{Store: disk})
	started := a.call("POST", "/streams/s/messages", `{"text":"How is it?"}`)
	run := "/control/runs/" + between(started, `"runId":"`, `"`)
	<-p.waiting
	if got := blind.call("POST", run+"/supersede", ""); !strings.HasPrefix(got, "500 ") {
		t.Errorf("a process without a model took it over: %s", got)
	}
	if got := b.call("POST", run+"/supersede", ""); !strings.HasPrefix(got, "202 ") {
		t.Fatalf("taking over: %s, of %s", got, started)
	}
	if got := b.call("GET", run+"?settled", ""); !strings.Contains(got, "completed") {
		t.Error(got)
	}
	if got := emittedText(t, disk); got != "Look. Sunny." {
		t.Errorf("the stream says %q", got)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	const second = `user:How is it? assistant:Look.  tool:{"sunny":true} `
	if diff := cmp.Diff([]string{"user:How is it? ", second, second}, p.requested); diff != "" {
		t.Errorf("the model was asked (-want +got):\n%s", diff)
	}
}
