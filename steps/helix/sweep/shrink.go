package sweep

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/client"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/steps/helix/world"
)

const (
	mostTried  = 60 // single disconnects of all clients that are tried to explain a failure
	mostShrunk = 20 // plans with fewer disconnects, each on a copy of the stream
)

// shrunk searches for a simpler failure, each on a new copy of the stream: without a disconnect, with the last one,
// with the last one twice, with one of any client, and with as few of the client's disconnects as possible. It returns the
// original failure if none of them fails.
func (sw *sweep) shrunk(cl *disconnectingClient) *disconnectingClient {
	if len(cl.cuts) == 0 {
		return cl
	}
	full := false // the server takes no further stream
	try := func(play func(*sweep) (*disconnectingClient, error)) (*disconnectingClient, bool) {
		if full {
			return nil, false
		}
		copied, err := sw.copy()
		if full = err != nil; full {
			return nil, false
		}
		again, err := play(copied)
		return again, err != nil && again.failure != nil
	}
	on := func(play func(*sweep) (*disconnectingClient, error)) func() (*disconnectingClient, bool) {
		return func() (*disconnectingClient, bool) { return try(play) }
	}
	last := cl.cuts[len(cl.cuts)-1]
	found, again := client.Simplest[disconnect, *disconnectingClient]{
		Cuts: cl.cuts,
		Simpler: []func() (*disconnectingClient, bool){
			on(func(c *sweep) (*disconnectingClient, error) { return c.resume(last.frame) }),
			on(func(c *sweep) (*disconnectingClient, error) { return c.play([]disconnect{last}) }),
			on(func(c *sweep) (*disconnectingClient, error) { return c.play([]disconnect{last, last}) }),
			on(func(c *sweep) (*disconnectingClient, error) { return c.playEach(sw.tried) }),
		},
		Play: func(cuts []disconnect) (*disconnectingClient, bool) {
			return try(func(c *sweep) (*disconnectingClient, error) { return c.play(cuts) })
		},
		Most: mostShrunk,
	}.Find()
	if again {
		return found
	}
	cl.among = true
	cl.failure.Message = cl.history()
	return cl
}

// playEach tries disconnects one by one, each with another client, until one fails.
func (sw *sweep) playEach(cuts []disconnect) (cl *disconnectingClient, err error) {
	tried := map[disconnect]bool{}
	for _, c := range slices.Backward(cuts) {
		if tried[c] || len(tried) == mostTried {
			continue
		}
		tried[c] = true
		if cl, err = sw.play([]disconnect{c}); err != nil {
			break
		}
	}
	return cl, err
}

// resume reads a stream from after a frame without a disconnect.
func (sw *sweep) resume(frame int) (*disconnectingClient, error) {
	cl := &disconnectingClient{sweep: sw, got: append([]*world.Message{}, sw.messages[:frame]...)}
	if frame > 0 {
		cl.cursor.ID = sw.messages[frame-1].Frame.LastEventID
	}
	return cl, cl.read(nil, cl.wants("%d responses that end without it"))
}

// copy repeats the accepted calls of this stream on a new one and reads that.
func (sw *sweep) copy() (*sweep, error) {
	w, old := sw.w, sw.stream
	s := world.StreamOf(w, "", w.Session().NewStream())
	s.Events = old.Events
	from := "/streams/" + target.EscapeSegment(old.ID)
	var ids []string // the paths of each writer: the old one, then the new one
	for _, call := range w.Calls() {
		_, path, ours := strings.Cut(call.Path, from+"/")
		if v := call.Now(); !ours || v.Status/100 != 2 || call.Method == "GET" {
			continue
		}
		path = strings.NewReplacer(ids...).Replace("/streams/" + target.EscapeSegment(s.ID) + "/" + path)
		again, err := w.Session().Call(call.Method, path, call.Body, true)
		if err != nil {
			return nil, err
		}
		var before, now struct{ WriterID string }
		if json.Unmarshal(call.Now().Answer, &before) == nil && json.Unmarshal(again.Now().Answer, &now) == nil && before.WriterID != "" {
			ids = append(ids, "/writers/"+target.EscapeSegment(before.WriterID), "/writers/"+target.EscapeSegment(now.WriterID))
		}
	}
	return uninterrupted(s)
}
