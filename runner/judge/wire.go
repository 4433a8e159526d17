package judge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"strconv"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
)

// Wire contains the ids of the common requirements of packs on a body and its head, "" for a missing one, and the pack's
// words for the parts of a body.
type Wire struct {
	ContentType, CacheControl              string // of the head
	UTF8, NoBOM, BlankLine, SingleDataLine string // of the bytes of a block
	Heartbeat, BodyCloses                  string // of silence, and of the end
	Unit, AUnit                            string // "frame", "a frame"
}

// StreamHead checks the head of a stream.
func (b *Base) StreamHead(h Head) {
	b.Saw(b.wire.ContentType)
	if h.Status != 200 {
		b.Violation(b.wire.ContentType, Position{}, "a stream is answered with another status", "200", strconv.Itoa(h.Status))
	} else if got := strings.Join(h.Header["content-type"], ", "); !isEventStream(got) {
		b.Violation(b.wire.ContentType, Position{}, "a stream is answered with another content type", "text/event-stream", Show(got))
	}
	b.Saw(b.wire.CacheControl)
	if got := strings.Join(h.Header["cache-control"], ", "); !Lists(got, "no-cache", "no-store") {
		b.Violation(b.wire.CacheControl, Position{}, "caches may keep the stream", "Cache-Control: no-cache or no-store", Show(got))
	}
}

func isEventStream(contentType string) bool {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		return false
	}
	return media == "text/event-stream"
}

// Lists reports whether the value of a header lists one of the words.
func Lists(value string, words ...string) bool {
	for item := range strings.SplitSeq(strings.ToLower(value), ",") {
		name, _, _ := strings.Cut(item, "=")
		for _, word := range words {
			if strings.TrimSpace(name) == word {
				return true
			}
		}
	}
	return false
}

// Bytes checks the rules for every block of the body, with data or not. In a recording that contains only the data it
// checks only that the data is text.
func (b *Base) Bytes(f *wire.Frame) {
	b.Saw(b.wire.UTF8)
	b.several = !b.Options.Bare && f.DataLines > 1 && allEvents(f.Data)
	switch {
	case b.several:
		b.Saw(b.wire.BlankLine)
		b.Violation(b.wire.BlankLine, At(f), fmt.Sprintf("%d data lines and no blank line: each is "+b.wire.AUnit+" by itself, and readers join them", f.DataLines),
			"a blank line after each", "line ends alone")
	case !f.Dispatched() && f.DataLines > 0:
		b.open = At(f)
	}
	if b.Options.Bare {
		return
	}
	if !b.first {
		b.first = true
		b.Saw(b.wire.NoBOM)
	}
	for _, v := range f.Violations {
		at := Position{f.Index, v.Offset, v.Line, true}
		switch v.Kind {
		case wire.InvalidUTF8:
			b.Violation(b.wire.UTF8, at, "the body isn't valid UTF-8", "UTF-8", v.Detail)
		case wire.BOM:
			b.Violation(b.wire.NoBOM, at, "the body begins with a byte order mark", "the first line", "EF BB BF")
		}
	}
	b.silence(f)
}

// allEvents reports whether each line of some data is the data of an event, which no data of several lines is.
func allEvents(data []byte) bool {
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		if line = bytes.TrimSpace(line); !isDone(line) && (!bytes.HasPrefix(line, []byte("{")) || !json.Valid(line)) {
			return false
		}
	}
	return true
}

// Several reports whether the block is of several events that no blank line parts. That was found, and its data is not judged.
func (b *Base) Several() bool { return b.several }

// silence compares the longest wait with the heartbeat. A comment that comes a
// little early still shows that the server sends them, hence the tenth.
func (b *Base) silence(f *wire.Frame) {
	h := b.Options.Heartbeat
	if b.wire.Heartbeat == "" || h <= 0 || f.Silence < h-h/10 {
		return
	}
	b.Saw(b.wire.Heartbeat)
	if f.Silence > h+h/2 {
		b.Violation(b.wire.Heartbeat, At(f), "nothing was sent for longer than the heartbeat interval",
			fmt.Sprintf("a comment at least every %v", h), fmt.Sprintf("%v of silence", f.Silence.Round(time.Millisecond)))
	}
}

// Lines checks the lines of a block with data.
func (b *Base) Lines(f *wire.Frame) {
	b.Saw(b.wire.BlankLine)
	b.Saw(b.wire.SingleDataLine)
	if f.DataLines > 1 {
		b.Violation(b.wire.SingleDataLine, At(f), "the "+b.wire.Unit+"'s data stands on more than one line",
			"1 data line", fmt.Sprintf("%d data lines", f.DataLines))
	}
}

// Truncated reports whether the body ended in the middle of a block.
func (b *Base) Truncated() bool { return b.open.set }

// Ends checks how the body ends. terminal reports that the response was complete.
func (b *Base) Ends(end record.End, terminal bool) {
	if b.open.set && end == record.ServerClose {
		b.Saw(b.wire.BlankLine)
		b.Violation(b.wire.BlankLine, b.open, "the body ends in the middle of "+b.wire.AUnit+", before its blank line",
			"a blank line", "the end of the body")
	}
	if terminal && (end == record.ServerClose || end == record.Open) {
		b.Saw(b.wire.BodyCloses)
		if end == record.Open {
			b.Violation(b.wire.BodyCloses, Position{}, "the body stays open after the terminal "+b.wire.Unit,
				"the end of the body", "an open connection")
		}
	}
}
