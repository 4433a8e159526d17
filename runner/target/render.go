package target

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/wire"
)

// Transcript is the exchange in the form of a golden, not yet normalised. Of the
// frames of a stream the first taken are kept: what may or may not have arrived
// after them is no part of what a scenario looked at.
func (e *Exchange) Transcript(taken int) golden.Exchange {
	v := e.Now()
	x := golden.Exchange{
		Heading: e.Heading, Method: e.Method, Path: e.Path, Headers: goldenHeaders(e.Request), Body: e.Body,
		Status: v.Status, ResponseHeaders: goldenHeaders(v.Response),
	}
	if e.Kind == Document || v.Status != 200 {
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
	case v.End == ServerClose && len(frames) == len(v.Frames):
		x.End = golden.ServerCloses
	case v.End == Broken:
		x.End = golden.ConnectionReset
	default:
		x.End = golden.ClientCloses
	}
	return x
}

func goldenHeaders(in []Header) []golden.Header {
	var out []golden.Header
	for _, h := range in {
		out = append(out, golden.Header{Name: h.Name, Value: h.Value})
	}
	return out
}

// around is how many frames before and after the offending one are shown.
const around = 3

// Render shows the exchange around one frame (-1 for none), for a person who has
// to find the fault. The caller redacts secrets.
func (e *Exchange) Render(frame int) string {
	v := e.Now()
	var b strings.Builder
	fmt.Fprintf(&b, "> %s %s\n", e.Method, e.Path)
	for _, h := range e.Request {
		fmt.Fprintf(&b, "> %s: %s\n", h.Name, h.Value)
	}
	if len(e.Body) > 0 {
		fmt.Fprintf(&b, "> %s\n", visible(e.Body))
	}
	if v.Status == 0 {
		fmt.Fprintf(&b, "< no answer (%v)\n", v.Err)
		return b.String()
	}
	fmt.Fprintf(&b, "< %d\n", v.Status)
	for _, h := range v.Response {
		fmt.Fprintf(&b, "< %s: %s\n", h.Name, h.Value)
	}
	if len(v.Answer) > 0 {
		fmt.Fprintf(&b, "< %s\n", visible(v.Answer))
	}
	renderFrames(&b, v.Frames, frame)
	switch v.End {
	case ServerClose:
		if e.Kind == Read {
			b.WriteString("  == server closes\n")
		}
	case Broken:
		fmt.Fprintf(&b, "  == connection broke (%v)\n", v.Err)
	case ClientClose:
		b.WriteString("  == client closes\n")
	}
	return b.String()
}

func renderFrames(b *strings.Builder, frames []*wire.Frame, at int) {
	from, to := 0, len(frames)
	if at < 0 {
		from = max(0, to-2*around)
	}
	for i, f := range frames {
		if at >= 0 && f.Index == at {
			from, to = max(0, i-around), min(len(frames), i+around+1)
		}
	}
	if from > 0 {
		fmt.Fprintf(b, "  … %d earlier frames\n", from)
	}
	for _, f := range frames[from:to] {
		mark := "  "
		if f.Index == at {
			mark = "✗ "
		}
		for line := range bytes.SplitSeq(bytes.TrimRight(f.Raw, "\r\n"), []byte("\n")) {
			fmt.Fprintf(b, "%s%s\n", mark, visible(line))
		}
		b.WriteString("\n")
	}
	if to < len(frames) {
		fmt.Fprintf(b, "  … %d later frames\n", len(frames)-to)
	}
}

// visible shows bytes on one line: what a terminal would hide or obey is escaped.
func visible(p []byte) string {
	const most = 400
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
