package helix

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix"
)

// preflight creates a stream, writes to it, ends it, reads it and asks about it; where the kit plays the server's model, it
// starts a run instead.
func preflight(ctx context.Context, t *target.Target) (pack.Offer, error) {
	if t.Model() != nil {
		return pack.Offer{}, tryModel(ctx, t)
	}
	return pack.Offer{}, tryStream(ctx, t)
}

func tryStream(ctx context.Context, t *target.Target) error {
	session := t.Session(ctx)
	defer session.Close()
	id := session.NewStream()
	base := "/streams/" + target.EscapeSegment(id)
	writer, err := openWriter(session, base)
	if err != nil {
		return err
	}
	chunk := []byte(`{"type":"text_delta","agentId":"agent-1","agentType":"assistant","timestamp":1702329600000,"delta":"preflight"}`)
	call, err := session.Call("POST", base+"/writers/"+target.EscapeSegment(writer)+"/chunks", chunk, false)
	if err := accepted(t, call, err, "writing a chunk"); err != nil {
		return err
	}
	// The following calls are a preflight only if the routes exist: missing ones are reported requirement by requirement.
	call, err = session.Call("POST", base+"/end", []byte("{}"), false)
	if _, missing := target.IsUnavailable(err); !missing {
		if err := accepted(t, call, err, "ending the stream"); err != nil {
			return err
		}
	}
	reader, err := client.Attach(session, target.ReadRequest{Stream: id, Hidden: true})
	if err != nil {
		return err
	}
	view, err := reader.Wait("the first frame of a stream with one chunk", func(v record.Response) bool { return len(v.Frames) > 0 || v.Status >= 300 })
	switch {
	case err != nil:
		return fmt.Errorf("preflight: GET %s%s: %w", t.URL(), reader.Path, err)
	default:
		if no := pack.NoStream(t, "preflight: GET "+t.URL()+reader.Path, view, "read", ""); no != nil {
			return no
		}
	}
	if t.Claims("info") {
		if _, err := client.GetInfo(session, target.DocumentRequest{Stream: id, Hidden: true}); err != nil {
			return fmt.Errorf("preflight: asking for StreamInfo: %w", err)
		}
	}
	return nil
}

func openWriter(session *target.Session, base string) (string, error) {
	t := session.Target()
	call, err := session.Call("POST", base+"/writers", []byte(`{"agentId":"agent-1","agentType":"assistant"}`), false)
	if err := accepted(t, call, err, "opening a writer"); err != nil {
		return "", err
	}
	var answer struct {
		WriterID string `json:"writerId"`
	}
	view := call.Now()
	if err := json.Unmarshal(view.Answer, &answer); err != nil || answer.WriterID == "" {
		what := "something that is not JSON with a writerId"
		if pack.IsPage(view.Get("content-type"), view.Answer) {
			what = "an HTML page"
		}
		return "", fmt.Errorf(`preflight: %s %s%s answered %d with %s, expected {"writerId": "…"}; is target.url right?`, call.Method, t.URL(), call.Path, view.Status, what)
	}
	return answer.WriterID, nil
}

// accepted makes one line of why a control call of the preflight did not work.
func accepted(t *target.Target, call *target.Exchange, err error, what string) error {
	var missing *target.UnavailableError
	switch {
	case errors.As(err, &missing):
		page := ""
		if v := call.Now(); pack.IsPage(v.Get("content-type"), v.Answer) {
			page = " with an HTML page"
		}
		return fmt.Errorf("preflight: %s: %s at %s answered %d%s; the control binding is needed to certify (see spec/helix/control.md), `streamcert probe` lists what the target offers",
			what, missing.Call, t.URL(), missing.Status, page)
	case err != nil:
		return fmt.Errorf("preflight: %s at %s: %w", what, t.URL(), err)
	}
	if v := call.Now(); v.Status/100 != 2 {
		return fmt.Errorf("preflight: %s: %s %s%s answered %d, expected 2xx: %s", what, call.Method, t.URL(), call.Path, v.Status, pack.FirstLine(v.Answer))
	}
	return nil
}
