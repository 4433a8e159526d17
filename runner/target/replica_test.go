package target

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// dying is a program of which only the last moments are observed.
type dying struct{ seen []string }

func (d *dying) Kill() error { d.seen = append(d.seen, "killed"); return nil }

func (d *dying) Start(context.Context) error { d.seen = append(d.seen, "started"); return nil }

// TestTurnTo: requests go to the session's current replica, and killed replicas are back when it ends.
func TestTurnTo(t *testing.T) {
	answering := func(name string) *httptest.Server {
		return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, name) }))
	}
	first, second := answering("first"), answering("second")
	defer first.Close()
	defer second.Close()
	programs := []*dying{{}, {}}
	tg, err := New(Config{URL: first.URL, Targets: []string{first.URL, second.URL}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Close()
	session := tg.Session(t.Context())
	asked := func(replica int) string {
		e, err := session.CallAt(replica, http.MethodPost, "/x", nil, false)
		if err != nil {
			t.Fatal(err)
		}
		return string(e.Now().Answer) + " " + e.Base
	}
	if got := asked(0) + asked(2); got != "first second "+second.URL {
		t.Errorf("asked %s", got)
	}
	if err := session.KillReplica(2); !errors.Is(err, ErrNoProgram) {
		t.Errorf("killed what may not be: %v", err)
	}
	tg.RunsAs(programs[0], programs[1])
	for _, replica := range []int{0, 3, -1} {
		if session.TurnTo(replica) == nil || session.KillReplica(replica) == nil {
			t.Errorf("there is a replica %d", replica)
		}
	}
	if err := session.TurnTo(2); err != nil {
		t.Fatal(err)
	}
	if got := asked(0) + ", " + asked(1); got != "second "+second.URL+", first "+first.URL {
		t.Errorf("asked %s", got)
	}
	if err := session.KillReplica(2); err != nil {
		t.Fatal(err)
	}
	session.Close()
	if got := fmt.Sprint(programs[0].seen, programs[1].seen); got != "[] [killed started]" {
		t.Errorf("%s", got)
	}
}

// TestOneAddress: a target with one address has no replicas.
func TestOneAddress(t *testing.T) {
	tg, err := New(Config{URL: "http://127.0.0.1:1"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	session := tg.Session(t.Context())
	defer session.Close()
	for _, err := range []error{tg.IsReplicated(), session.TurnTo(1), session.KillReplica(1)} {
		if !errors.Is(err, ErrOneAddress) {
			t.Errorf("%v", err)
		}
	}
}
