package helix

import (
	"net/http"
	"strconv"
	"time"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix"
)

const (
	// onceMore is the heading of what is read after a scenario.
	onceMore = "the stream is read once more"
	// mostOnceMore and bytesOnceMore bound what is read again.
	mostOnceMore, bytesOnceMore = 300, 256 << 10
	// graceOnceMore is how long a stream is read from which a run may have taken the last chunk away.
	graceOnceMore = 100 * time.Millisecond
)

// afterwards reads the longest stream of a scenario once more, from its start or after a cursor as the draw says, up to
// the last chunk that anybody has received: whatever a scenario did, a reader that comes later receives the same. The judge looks at what came
// as at any response, and sideBySide compares it with the others.
func afterwards(s *target.Session, draw uint64) {
	before := longest(s)
	if before == nil {
		return
	}
	var ids []string
	for _, f := range before.Frames {
		if f.HasID && isChunk(f) {
			ids = append(ids, f.ID)
		}
	}
	if len(ids) == 0 {
		return
	}
	r := target.ReadRequest{Stream: before.Stream, Hidden: true, Heading: onceMore, Origin: before.Origin}
	if n := uint64(len(ids) - 1); n > 0 && s.Target().Claims("resume") {
		cursor := ids[draw/4%n]
		switch draw % 4 {
		case 0:
			r.Query = map[string]string{"fromSequence": cursor}
		case 1, 2:
			r.Cursor = &cursor
		}
	}
	reader, err := client.Attach(s, r)
	if err != nil {
		return
	}
	defer reader.Cut()
	if s.HasRemoved(before.Stream) { // the last one may be gone
		reader.Silent(graceOnceMore)
		return
	}
	for by := s.Target().By(); ; {
		f, err := reader.Next("the chunks that were read before", by)
		if err != nil || f == nil || f.HasID && (f.ID == ids[len(ids)-1] || !isChunk(f)) {
			return
		}
	}
}

// longest is the reader of a scenario that received most; nil if there is none that is worth reading again, or something
// was removed of what it received. Of a run nobody knows what is.
func longest(s *target.Session) *record.Exchange {
	var out *record.Exchange
	for _, x := range s.Exchanges() {
		e := x.Record()
		switch {
		case e.Method == "DELETE":
			return nil
		case compares(e) && (out == nil || len(e.Frames) > len(out.Frames)):
			out = e
		}
	}
	if out == nil || out.Origin != record.Produced && s.HasRemoved(out.Stream) || len(out.Frames) > mostOnceMore {
		return nil
	}
	size := 0
	for _, f := range out.Frames {
		size += len(f.Data)
	}
	if size > bytesOnceMore {
		return nil
	}
	return out
}

// missing finds the first chunk that other readers had and one that came afterwards should have received: above its cursor,
// and below something that it did receive, or due before it gave up. What a run says may go again.
func missing(e *record.Exchange, ids []int64) (id int64, found bool) {
	if e.Origin == record.Produced || e.Removed || e.Status != http.StatusOK {
		return 0, false
	}
	var after int64
	if cursor, given := e.Cursor(); given {
		after, _ = strconv.ParseInt(cursor, 10, 64)
	}
	got := map[int64]bool{}
	var last int64
	for _, f := range e.Frames {
		if n, err := strconv.ParseInt(f.ID, 10, 64); err == nil && isChunk(f) {
			got[n], last = true, max(last, n)
		}
	}
	for _, id := range ids {
		if id > after && !got[id] && (id < last || e.End != record.ServerClose) {
			return id, true
		}
	}
	return 0, false
}
