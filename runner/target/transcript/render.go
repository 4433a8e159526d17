package transcript

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/wire"
)

// Golden returns the exchange in the form of a golden, not yet normalised. It contains the first taken frames of a
// stream: the scenario didn't inspect later frames, whose arrival depends on timing.
func Golden(e *target.Exchange, taken int) golden.Exchange {
	v := e.Now()
	x := golden.Exchange{
		Heading: e.Heading, Method: e.Method, Path: e.Path, Headers: goldenHeaders(e.Header), Body: e.Body,
		Status: v.Status, ResponseHeaders: goldenHeaders(v.Header),
	}
	if e.Kind != record.Read || v.Status != 200 {
		x.Answer = v.Answer
		return x
	}
	frames := v.Frames
	if len(frames) > taken {
		frames = frames[:taken]
	}
	for _, f := range frames {
		x.Frames = append(x.Frames, f.Raw)
	}
	switch {
	case v.End == record.ServerClose && len(frames) == len(v.Frames):
		x.End = golden.ServerCloses
	case v.End == record.Broken:
		x.End = golden.ConnectionReset
	default:
		x.End = golden.ClientCloses
	}
	return x
}

// goldenHeaders returns headers in the form of a golden, in their order.
func goldenHeaders(in []record.Header) []golden.Header {
	var out []golden.Header
	for _, h := range in {
		out = append(out, golden.Header{Name: h.Name, Value: h.Value})
	}
	return out
}

const (
	// around is the number of frames shown before and after the offending one.
	around = 3
	// maxCalls limits the calls of the suite that are shown, the last ones.
	maxCalls = 5
)

// Render returns the text of the exchange around one frame (-1 for none) for debugging, with the last calls that provoked
// it, in the order of time. The caller redacts secrets.
func Render(e *target.Exchange, frame int, calls ...*target.Exchange) string {
	v := e.Now()
	r := &rendering{}
	var hidden int
	r.calls, hidden = leadingTo(e, v, frame, calls)
	if hidden > 0 {
		r.line("  ", "… "+count(hidden, "control call")+" hidden")
	}
	r.until(e.Began())
	if v.Reused { // the same scenario alone may be the first on its connection, and pass
		r.line("  ", "== over the connection of an earlier request")
	}
	r.line("> ", e.Method+" "+e.Path)
	for _, h := range e.Header {
		r.line("> ", h.Name+": "+h.Value)
	}
	if len(e.Body) > 0 {
		r.line("> ", visible(e.Body, mostShown))
	}
	if v.Status == 0 {
		r.line("< ", noHead(v))
		r.renderEnd()
		return r.String()
	}
	r.line("< ", strconv.Itoa(v.Status))
	for _, h := range v.Header {
		r.line("< ", h.Name+": "+h.Value)
	}
	if len(v.Answer) > 0 {
		r.line("< ", visible(v.Answer, mostShown))
	}
	r.frames(v.Frames, frame)
	switch {
	case v.End == record.ServerClose && e.Kind == record.Read:
		r.line("  ", "== server closes")
	case v.End == record.Broken && errors.Is(v.Err, target.ErrScenario):
		r.line("  ", "== client closes: "+target.ErrScenario.Error())
	case v.End == record.Broken && !ours(v.Err):
		r.line("  ", fmt.Sprintf("== connection broke (%v)", v.Err))
	case v.End != record.Open && v.End != record.ServerClose:
		r.line("  ", fmt.Sprintf("== client closes, %v after it attached", v.Took.Round(time.Millisecond)))
	}
	return r.String()
}

// arrival returns the time at which a frame came, zero if there is none with that index.
func arrival(v record.Response, frame int) time.Time {
	i := slices.IndexFunc(v.Frames, func(f *wire.Frame) bool { return f.Index == frame })
	if i < 0 {
		return time.Time{}
	}
	return v.Frames[i].Arrived
}

// leadingTo chooses the calls to show: the last ones on the stream of the exchange
// that were made before a frame came or, where it is about none, before the end. It
// returns how many more there were, with those on other streams.
func leadingTo(e *target.Exchange, v record.Response, frame int, calls []*target.Exchange) ([]*target.Exchange, int) {
	by := arrival(v, frame)
	foreign := otherStream(e, calls)
	var out []*target.Exchange
	hidden := 0
	for _, c := range calls {
		switch {
		case c == e || c.Kind != record.Control || c.Hidden || !by.IsZero() && !c.Began().Before(by):
		case foreign(c):
			hidden++
		default:
			out = append(out, c)
		}
	}
	more := max(0, len(out)-maxCalls)
	return out[more:], hidden + more
}

// LedBy returns the requests that led to the exchange's content up to one frame (-1 for none), in the order in which they
// were sent, and the index of the exchange among them; -1 if requests alone don't reproduce it, because a model's output or
// a kill of the server contributed.
func LedBy(e *target.Exchange, frame int, all []*target.Exchange) ([]*target.Exchange, int) {
	v := e.Now()
	by := arrival(v, frame)
	if by.IsZero() {
		by = e.Began().Add(v.Took)
	}
	foreign := otherStream(e, all)
	var out []*target.Exchange
	for _, c := range all {
		if c == e || !c.Hidden && !foreign(c) && (c.Began().Before(by) || by.Equal(e.Began())) && (c.Kind == record.Control || !c.Began().After(e.Began())) {
			if c.AfterKill() || provider.HasMarker(c.Body) {
				return nil, -1
			}
			out = append(out, c)
		}
	}
	return out, slices.Index(out, e)
}

// OpenAt reports whether the body was open as another exchange began.
func OpenAt(e, next *target.Exchange) bool {
	took := e.Now().Took
	return took == 0 || e.Began().Add(took).After(next.Began())
}

// otherStream returns a function that reports whether a call concerns another stream than the exchange: it names one, or a run
// that was started on one.
func otherStream(e *target.Exchange, calls []*target.Exchange) func(*target.Exchange) bool {
	others, runs := map[string]bool{}, map[string]bool{}
	for _, c := range calls {
		if c.Stream != "" && c.Stream != e.Stream {
			others[c.Stream] = true
		}
	}
	return func(c *target.Exchange) bool {
		if e.Stream == "" {
			return false
		}
		parts := strings.Split(c.Path, "/")
		for i, part := range parts[:len(parts)-1] {
			of, _, _ := strings.Cut(parts[i+1], "?")
			switch {
			case part == "streams":
				return of != target.EscapeSegment(e.Stream)
			case part == "runs" && runs[of]:
				return true
			}
		}
		var body, answer struct{ StreamID, RunID string }
		if json.Unmarshal(c.Body, &body) != nil || !others[body.StreamID] {
			return false
		}
		if json.Unmarshal(c.Now().Answer, &answer) == nil && answer.RunID != "" {
			runs[answer.RunID] = true
		}
		return true
	}
}

// ours reports whether an error comes from this side closing the connection.
func ours(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, net.ErrClosed) || errors.Is(err, target.ErrDisconnected)
}

// noHead returns a line for a response without a head.
func noHead(v record.Response) string {
	waited := v.Took.Round(100 * time.Millisecond)
	switch {
	case v.End == record.Open:
		return "no head yet; the connection is open"
	case v.End == record.ClientClose, v.Err == nil, ours(v.Err), errors.Is(v.Err, target.ErrScenario):
		return fmt.Sprintf("no head within %v; the connection was open", waited)
	}
	return fmt.Sprintf("no answer (%v)", v.Err)
}

// brief returns a call and its answer on one line.
func brief(e *target.Exchange) string {
	const most = 160
	v := e.Now()
	line := e.Method + " " + e.Path
	if len(e.Body) > 0 {
		line += " " + visible(e.Body, most)
	}
	if v.Status == 0 {
		return line + " → " + noHead(v)
	}
	line += " → " + strconv.Itoa(v.Status)
	if len(v.Answer) > 0 {
		line += " " + visible(bytes.TrimSpace(v.Answer), most/2)
	}
	return line
}

// rendering is an exchange as text, with the calls that are still to be shown.
type rendering struct {
	strings.Builder
	calls []*target.Exchange // in the order in which they began
}

// line adds a line. Its sign marks a request, a response, a call or a remark.
func (r *rendering) line(sign, text string) { r.WriteString(sign + text + "\n") }

// until shows the calls that were made before some time.
func (r *rendering) until(t time.Time) {
	for len(r.calls) > 0 && r.calls[0].Began().Before(t) {
		r.line("· ", brief(r.calls[0]))
		r.calls = r.calls[1:]
	}
}

// renderEnd shows the calls that are left: they were made after the last frame.
func (r *rendering) renderEnd() {
	for _, c := range r.calls {
		r.line("· ", brief(c))
	}
	r.calls = nil
}

// frames writes the frames around one, with consecutive comments combined, because hundreds of heartbeats would displace
// the frames.
func (r *rendering) frames(all []*wire.Frame, at int) {
	blocks := folded(all, at)
	from, to := max(0, len(blocks)-2*around), len(blocks)
	if i := slices.IndexFunc(blocks, func(b block) bool { return b.Frame != nil && b.Index == at }); i >= 0 {
		from, to = max(0, i-around), min(len(blocks), i+around+1)
	}
	if from > 0 {
		r.line("  ", "… "+count(from, "earlier frame"))
	}
	for _, b := range blocks[from:to] {
		r.comments(b.before)
		if b.Frame == nil {
			continue
		}
		r.until(b.Arrived)
		mark := "  "
		if b.Index == at {
			mark = "✗ "
		}
		for line := range bytes.SplitSeq(bytes.TrimRight(b.Raw, "\r\n"), []byte("\n")) {
			r.line(mark, visible(line, mostShown))
		}
		r.WriteString("\n")
	}
	if to < len(blocks) {
		r.line("  ", "… "+count(len(blocks)-to, "later frame"))
	}
	r.renderEnd()
}

// comments counts combined comments, if there are any.
func (r *rendering) comments(n int) {
	if n > 0 {
		r.line("  ", "… "+count(n, "comment"))
	}
}

// count returns a number of things, in words.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// block is a frame and how many came before it that hold comments only. The last
// has no frame where only comments came.
type block struct {
	*wire.Frame
	before int
}

// folded combines consecutive frames that contain only comments, but not the frame with index at.
func folded(all []*wire.Frame, at int) []block {
	var out []block
	comments := 0
	for _, f := range all {
		if f.Index != at && f.Terminated && len(f.Comments) > 0 && !f.HasID && !f.HasEvent && !f.HasRetry && f.DataLines == 0 && len(f.Unknown) == 0 {
			comments++
			continue
		}
		out = append(out, block{f, comments})
		comments = 0
	}
	if comments > 0 {
		out = append(out, block{nil, comments})
	}
	return out
}

// mostShown limits the bytes of a line that are shown.
const mostShown = 400

// visible returns bytes on one line, with control characters escaped.
func visible(p []byte, most int) string {
	cut := ""
	if len(p) > most {
		cut = fmt.Sprintf("… (%d bytes)", len(p))
		p = p[:most]
		for len(p) > 0 && !utf8.Valid(p[max(0, len(p)-utf8.UTFMax):]) {
			p = p[:len(p)-1]
		}
	}
	var b strings.Builder
	for len(p) > 0 {
		r, n := utf8.DecodeRune(p)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, p[0])
		case !strconv.IsGraphic(r):
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteRune(r)
		}
		p = p[n:]
	}
	return b.String() + cut
}
