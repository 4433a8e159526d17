package target

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestExpects: a scenario expects refusals of its requests until it declares the end of that. A server that refuses a later
// request for a moment is not at fault, and gets it again.
func TestExpects(t *testing.T) {
	asked := 0
	s := bounded(t, func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked%2 == 1 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}, Timing{}, Limits{})
	document := func() *Exchange {
		e, err := s.Document(DocumentRequest{Route: Route{Name: "info", Template: "/streams/{stream}"}, Stream: "a"})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	over := s.Expects(http.StatusTooManyRequests)
	within := document()
	over()
	if status := within.Now().Status; status != http.StatusTooManyRequests || s.Refused(within) {
		t.Errorf("what the scenario expects: %d, refused for another reason: %t", status, s.Refused(within))
	}
	asked = 0
	if status := document().Now().Status; status != http.StatusOK || asked != 2 {
		t.Errorf("afterwards: %d at request %d, want 200 at the second", status, asked)
	}
}

// TestAFrameBehindARefusal: the delay that the server requested before the head is added to the waits for frames.
func TestAFrameBehindARefusal(t *testing.T) {
	asked := 0
	s := sessionWithin(t, 800*time.Millisecond, func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		eventStream(w, "")
		time.Sleep(100 * time.Millisecond)
		eventStream(w, "data: {}\n\n")
	})
	if f, err := next(attach(t, s, ReadRequest{})); err != nil || f == nil {
		t.Errorf("a frame that comes after its head: %v, %v", f, err)
	}
}

// TestAFrameOfARefusedWriter: a reader's wait is extended while a write of the same scenario is delayed by a refusal.
func TestAFrameOfARefusedWriter(t *testing.T) {
	wrote, refused := make(chan struct{}), make(chan struct{})
	s := sessionWithin(t, 800*time.Millisecond, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodGet:
			eventStream(w, "")
			<-wrote
			eventStream(w, "data: {}\n\n")
		case r.ContentLength > 0:
			select {
			case <-refused:
				close(wrote)
			default:
				close(refused)
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(http.StatusTooManyRequests)
			}
		}
	})
	rd := attach(t, s, ReadRequest{})
	if _, err := rd.Head(); err != nil {
		t.Fatal(err)
	}
	writer := s.Target().Session(s.Context())
	done := make(chan error)
	go func() {
		_, err := writer.Submit(http.MethodPost, "/write", nil, []byte("{}"))
		done <- err
	}()
	if f, err := next(rd); err != nil || f == nil {
		t.Errorf("what a writer writes at its second try: %v, %v", f, err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestOpenRequests: the error of a wait for a server that answers few requests concurrently contains the number of open ones.
func TestOpenRequests(t *testing.T) {
	const room = fewOpen + 4
	pathValues := make(chan struct{}, room)
	s := impatient(t, func(w http.ResponseWriter, r *http.Request) {
		select {
		case pathValues <- struct{}{}:
		case <-r.Context().Done():
			return
		}
		eventStream(w, ": open\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		<-pathValues
	})
	for n := range room {
		if n == 2 { // with so few, that isn't the reason
			if _, err := attach(t, s, ReadRequest{}).Next("an event", time.Now()); strings.Contains(fmt.Sprint(err), "were open") {
				t.Errorf("got %v", err)
			}
			continue
		}
		if _, err := attach(t, s, ReadRequest{}).Head(); err != nil {
			t.Fatal(err)
		}
	}
	want := fmt.Sprintf("did not come within 200ms, while %d other requests were open", room)
	if _, err := s.Document(DocumentRequest{Route: telling(), Stream: "s"}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a document: got %v, want %s", err, want)
	}
	if _, err := attach(t, s, ReadRequest{}).Head(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a stream: got %v, want %s", err, want)
	}
}
