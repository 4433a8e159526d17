package helixui_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	reference "github.com/streamcert/streamcert/reference/model"
	"github.com/streamcert/streamcert/runner/campaign/campaigntest"
	campaign "github.com/streamcert/streamcert/runner/campaign/helix-ui"
	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/target"
)

// chat is a hand-written chat route. It streams its model's output.
type chat struct {
	provider *reference.Client
	unknown  string // the reason that it sends without a stop reason of the model; "" for an error
	most     int    // bytes of an answer; 0 for any
}

func (c chat) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var q struct {
		Messages []struct {
			Role  string
			Parts []struct{ Text string }
		}
	}
	if json.Unmarshal(body, &q) != nil || len(q.Messages) == 0 || len(q.Messages[0].Parts) == 0 {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var user strings.Builder
	for _, part := range q.Messages[len(q.Messages)-1].Parts {
		user.WriteString(part.Text)
	}
	answer, err := c.provider.Complete(r.Context(), []reference.Message{{Role: "user", Content: user.String()}})
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer answer.Close()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Vercel-Ai-Ui-Message-Stream", "v1")
	c.stream(w, answer)
}

// stream writes the parts of an answer.
func (c chat) stream(w http.ResponseWriter, from *reference.Answer) {
	sent, open := 0, false
	send := func(part any) {
		text, _ := json.Marshal(part)
		if sent += len(text); c.most == 0 || sent < c.most {
			fmt.Fprintf(w, "data: %s\n\n", text)
			_ = http.NewResponseController(w).Flush()
		}
	}
	send(map[string]string{"type": "start"})
	send(map[string]string{"type": "start-step"})
	for {
		piece, err := from.Next()
		switch {
		case piece.Text != "":
			if !open {
				send(map[string]string{"type": "text-start", "id": "t"})
			}
			open = true
			send(map[string]string{"type": "text-delta", "id": "t", "delta": piece.Text})
		case err == nil:
		case errors.Is(err, io.EOF), errors.Is(err, reference.ErrInterrupted) && c.unknown != "" && !strings.Contains(err.Error(), "unexpected"):
			if open {
				send(map[string]string{"type": "text-end", "id": "t"})
			}
			send(map[string]string{"type": "finish-step"})
			send(map[string]string{"type": "finish", "finishReason": cmp.Or(strings.ReplaceAll(from.Finish, "_", "-"), c.unknown)})
			fmt.Fprint(w, "data: [DONE]\n\n")
			return
		default:
			send(map[string]string{"type": "error", "errorText": "the model failed"})
			fmt.Fprint(w, "data: [DONE]\n\n")
			return
		}
	}
}

// TestModelAlone: the model's scripts find the fault of a broken server, and none in the references.
func TestModelAlone(t *testing.T) {
	p, err := provider.Start(provider.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	from := reference.New(p.URL(), "")
	defer from.Close()
	for about, c := range map[string]struct {
		server  chat
		program string
		want    string
	}{
		"unfinished answers as other ones": {chat{unknown: "other"}, "3 texts of astral data of 9 bytes\n1 clean ends", ""},
		"unfinished answers as whole ones": {chat{unknown: "stop"}, "3 texts of astral data of 9 bytes\n1 clean ends", "helix-ui.errors.told"},
		"errors":                           {chat{unknown: "stop"}, "3 texts of astral data of 9 bytes\n1 said errors", ""},
		"long texts":                       {chat{}, "1 slow readers\n1 texts of accents data of 200000 bytes", ""},
		"long texts cut":                   {chat{most: 16_550}, "1 slow readers\n1 texts of accents data of 200000 bytes", "helix-ui.flow.finish"},
	} {
		c.server.provider = from
		cfg := target.Config{Without: []string{"resume", "history", "replay", "reasoning", "metadata", "mapping"}, Timing: target.Timing{Deadline: 20 * time.Second}}
		cfg.Model = target.Model{Player: p, Only: true}
		tg, stop := campaigntest.Serve(t, c.server, cfg)
		program, err := campaign.Parse("a turn of chat 1\n" + c.program)
		if err != nil {
			t.Fatal(err)
		}
		result, err := campaign.Play(t.Context(), tg, program, options(t))
		if got := broken(result.Failure); err != nil || got != c.want {
			t.Errorf("%s: %v, breaks %q, not %q: %v", about, err, got, c.want, result.Failure)
		}
		if c.want != "" {
			play := func() (found bool) {
				for _, subject := range campaign.Subjects() {
					for n := range campaign.Programs(subject) {
						result, err := campaign.Play(t.Context(), tg, campaign.Draw(1, n, subject, campaign.Offers(tg)), options(t))
						found = found || err == nil && broken(result.Failure) == c.want
					}
				}
				return found
			}
			if !play() {
				t.Errorf("%s: no history that is drawn finds %s", about, c.want)
			}
		}
		stop()
	}
}

// broken returns the requirement that a failure breaks, "" for none.
func broken(f *campaign.Failure) string {
	if f == nil {
		return ""
	}
	return f.Requirement
}

// TestModelAloneDrawsWhatItPlays: a model performs every operation that is drawn for it.
func TestModelAloneDrawsWhatItPlays(t *testing.T) {
	tg, stop := campaigntest.Serve(t, http.NotFoundHandler(), target.Config{Model: target.Model{Only: true, Tools: true}})
	defer stop()
	drawn := ""
	for _, about := range campaign.Subjects() {
		for n := range 10 {
			drawn += campaign.Draw(3, n, about, campaign.Offers(tg)).String() + "\n"
		}
	}
	for _, kind := range []string{"clean ends", "said errors", "spellings", "slow readers", "texts of accents data of 200000 bytes"} {
		if !strings.Contains(drawn, kind) {
			t.Errorf("no history has %s", kind)
		}
	}
	for _, kind := range []string{"metadata", "chunks", "own parts", "strangers", "pauses"} {
		if strings.Contains(drawn, kind) {
			t.Errorf("a history has %s", kind)
		}
	}
}
