package model

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// answering returns a client of a provider that answers everything so.
func answering(t *testing.T, status int, body string) *Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return New(server.URL+"/v1", "k")
}

// receive reads an answer to its end.
func receive(t *testing.T, body string) (pieces []Piece, a *Answer, err error) {
	t.Helper()
	a, err = answering(t, http.StatusOK, body).Complete(t.Context(), []Message{{Role: "user", Content: "hi"}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for {
		p, err := a.Next()
		if err != nil {
			return pieces, a, err
		}
		pieces = append(pieces, p)
	}
}

func TestAnswers(t *testing.T) {
	long := strings.Repeat("x", 100<<10)
	pieces, a, err := receive(t, `data: {"choices":[{"delta":{"role":"assistant","content":""}}]}`+"\r\n\r\n: comment\n\n"+
		`data: {"choices":[{"delta":{"reasoning_content":"hm"}}]}`+"\n\n"+`data: {"choices":[{"delta":{"content":"`+long+`"}}]}`+"\n\n"+
		`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{"}}]}}]}`+"\n\n"+
		`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]},"finish_reason":"tool_calls"}]}`+"\n\ndata: [DONE]\n\n")
	if diff := cmp.Diff([]Piece{{Thinking: "hm"}, {Text: long}}, pieces); diff != "" || err != io.EOF {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if diff := cmp.Diff([]Call{{"c", "f", "{}"}}, a.Calls); diff != "" || a.Finish != "tool_calls" {
		t.Errorf("%s (-want +got):\n%s", a.Finish, diff)
	}
}

func TestAnswersThatBreakOff(t *testing.T) {
	for body, cut := range map[string]bool{
		"": true, "data: {\"cho": true, "data: [DONE]\n\n": true, "data: {\n\n": true,
		`data: {"choices":[{"delta":{"content":"a"}}]}` + "\n\n": true, `data: {"error":{"message":"no more"}}` + "\n\n": false,
	} {
		_, _, err := receive(t, body)
		var fault *Error
		if errors.Is(err, ErrInterrupted) != cut || errors.As(err, &fault) == cut || errors.Is(err, io.EOF) {
			t.Errorf("%q: %v", body, err)
		}
	}
}

// TestSpellings: all spellings of an event that the standard allows are the same event, with any line ends.
func TestSpellings(t *testing.T) {
	const body = "data: {\ndata: \"choices\":[{\"delta\":{\"content\":\"a\"}}]}\nid: 7\n\n:\n\ndata:{\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	for _, end := range []string{"\n", "\r", "\r\n"} {
		pieces, a, err := receive(t, "\ufeff"+strings.ReplaceAll(body, "\n", end))
		if diff := cmp.Diff([]Piece{{Text: "a"}, {Text: "b"}}, pieces); diff != "" || err != io.EOF || a.Finish != "stop" {
			t.Errorf("lines that end in %q: %v (-want +got):\n%s", end, err, diff)
		}
	}
}

func TestFaults(t *testing.T) {
	for body, want := range map[string]string{`{"error":{"message":"slow down"}}`: "slow down", `oops`: "the model answered 429 Too Many Requests"} {
		_, err := answering(t, http.StatusTooManyRequests, body).Complete(t.Context(), nil)
		var fault *Error
		if !errors.As(err, &fault) || fault.Status != http.StatusTooManyRequests || fault.Message != want {
			t.Errorf("%s: %v", body, err)
		}
	}
	if _, err := answering(t, http.StatusOK, `oops`).Tool(t.Context(), Call{ID: "c"}); err == nil {
		t.Error("what a tool returns was no JSON, and was read")
	}
}

// TestAHostileModel: a redirect is a fault, so that the key goes nowhere else, and an answer without an end is interrupted.
func TestAHostileModel(t *testing.T) {
	followed := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed = true }))
	t.Cleanup(other.Close)
	away := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	t.Cleanup(away.Close)
	var fault *Error
	if _, err := New(away.URL+"/v1", "k").Complete(t.Context(), nil); !errors.As(err, &fault) || followed {
		t.Errorf("%v, followed: %v", err, followed)
	}
	sent := 0
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		piece := strings.Repeat("data", 64<<10)
		for sent < 4*mostAnswer {
			n, err := io.WriteString(w, piece)
			if sent += n; err != nil {
				return
			}
		}
	}))
	a, err := New(endless.URL+"/v1", "k").Complete(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = a.Next(); !errors.Is(err, ErrInterrupted) {
		t.Errorf("an endless line: %v", err)
	}
	a.Close()
	endless.Close()
	if sent >= 2*mostAnswer {
		t.Errorf("%d bytes were read", sent)
	}
}
