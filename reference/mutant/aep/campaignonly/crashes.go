package campaignonly

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/aep/agent"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/aep"
	"github.com/streamcert/streamcert/reference/mutant/aep/edit"
)

// crashes lists the mutants that a crash, a load of what was stored or a queue shows.
func crashes() []edit.Mutant {
	return []edit.Mutant{
		// Mutants that lose something as they load it after a restart: large values, and texts that resemble the end
		// of a line.
		{Name: "restart-skips-lines-of-64k", Requirement: "aep.durable.history",
			Summary: "A restart reads its log line by line, with a buffer of 64 KiB: what is on longer ones isn't loaded.",
			Apply: onFoundHistory(func(found, now []agent.Message) []agent.Message {
				short := slices.DeleteFunc(slices.Clone(found), func(one agent.Message) bool { return len(one.Text) > 64<<10 })
				return append(short, now...)
			})},
		{Name: "restart-splits-at-every-line-break", Requirement: "aep.durable.history",
			Summary: "A restart splits its log wherever Unicode has a line end: of what holds such a character a beginning is loaded.",
			Apply: onFoundHistory(func(found, now []agent.Message) []agent.Message {
				found = slices.Clone(found)
				for i := range found {
					if at := strings.IndexAny(found[i].Text, "\u0085\u2028\u2029"); at >= 0 {
						found[i].Text = found[i].Text[:at]
					}
				}
				return append(found, now...)
			})},

		// Mutants that forget, as they load it, a thread whose first request failed, or a failed attempt.
		{Name: "restart-opens-what-failed-once", Requirement: "aep.durable.resolved",
			Summary: "A restart reads that a run came to nothing and opens its action, whatever stands behind it in the log.",
			Apply: on.OnActions(func(inner aep.Actions, a *on.Actions) {
				var failed, taken alter.PerKey[bool] // by action
				a.OnResolve = func(owner, thread string, ids []string) error {
					if slices.ContainsFunc(ids, taken.Get) {
						return aep.ErrResolvedAction
					}
					if err := inner.Resolve(owner, thread, ids); err != nil {
						return err
					}
					for _, id := range ids {
						if failed.Get(id) {
							taken.Set(id, true)
							inner.Reopen([]string{id})
						}
					}
					return nil
				}
				a.OnReopen = func(ids []string) {
					for _, id := range ids {
						failed.Set(id, true)
						taken.Set(id, false)
					}
					inner.Reopen(ids)
				}
			})},
		{Name: "restart-forgets-threads-that-began-badly", Requirement: "aep.durable.threads",
			Summary: "A thread is stored with its first answer, and one whose first request failed isn't there after a restart.",
			Apply: formerThreads(func(emitted []agent.Message) error {
				if at := slices.IndexFunc(emitted, edit.IsAnswer); at < 0 || slices.ContainsFunc(emitted[:at], func(one agent.Message) bool { return one.Request != emitted[at].Request }) {
					return aep.ErrUnknownThread
				}
				return nil
			})},

		// These are mutants that answer the requests of a thread one after the other, and lose one that waits, or that take a request
		// for one that they have had.
		{Name: "one-may-wait", Requirement: "aep.request.post",
			Summary: "A thread has a place for one request that waits: a later one takes it, and one whose client has gone keeps it.",
			Wrap:    on.Requests((&positions{next: map[string]chan struct{}{}}).serve)},
	}
}

// beforeThis stores, for each history, how many messages were stored before the latest restart.
type beforeThis struct{ found alter.PerKey[*int] }

func (b *beforeThis) of(thread string, before []agent.Message) (n int) {
	b.found.With(thread, func(p **int) {
		if *p == nil {
			found := len(before)
			*p = &found
		}
		n = **p
	})
	return n
}

// onFoundHistory changes the messages that agents get from before the latest restart of the server; now are the later ones.
func onFoundHistory(change func(found, now []agent.Message) []agent.Message) on.Apply {
	return on.OnThreads(func(inner aep.Threads, t *on.Threads) {
		var b beforeThis
		t.OnSay = func(id string, emitted []agent.Message) []agent.Message {
			before := inner.Say(id, emitted)
			n := b.of(id, before)
			return change(before[:n:n], before[n:])
		}
	})
}

// formerThreads refuses threads from before the latest restart, by their messages.
func formerThreads(refuse func(emitted []agent.Message) error) func(aep.Options) aep.Options {
	return on.OnThreads(func(inner aep.Threads, t *on.Threads) {
		var ours alter.PerKey[bool] // by thread
		t.OnBegin = func(owner, id string) error {
			ours.Set(id, true)
			return inner.Begin(owner, id)
		}
		t.OnCheck = func(owner, id string) error {
			if err := inner.Check(owner, id); err != nil || ours.Get(id) {
				return err
			}
			return refuse(inner.Say(id, nil))
		}
	})
}

// positions are the request of each thread that waits for another one, nil for none; a thread that isn't there is idle.
type positions struct {
	mu   sync.Mutex
	next map[string]chan struct{}
}

// serve serves a request once no other one of its thread is served, unless a later one has replaced it.
func (p *positions) serve(next http.Handler, w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	thread := alter.Members(body).Text("threadId")
	if thread == "" || !strings.HasSuffix(r.URL.Path, "/stream") {
		next.ServeHTTP(w, r)
		return
	}
	select {
	case <-p.enter(thread):
		defer p.leave(thread)
		next.ServeHTTP(w, r)
	case <-r.Context().Done():
	}
}

// enter returns a channel that is closed once the request may be served.
func (p *positions) enter(thread string) chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	turn := make(chan struct{})
	if _, taken := p.next[thread]; taken {
		p.next[thread] = turn
		return turn
	}
	p.next[thread] = nil
	close(turn)
	return turn
}

// leave lets the request be served that waits.
func (p *positions) leave(thread string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	later := p.next[thread]
	if later == nil {
		delete(p.next, thread)
		return
	}
	p.next[thread] = nil
	close(later)
}
