package helix

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	client "github.com/streamcert/streamcert/runner/target/helix"
	"github.com/streamcert/streamcert/runner/wire"
)

const (
	// onceMore is the heading of the read after a scenario.
	onceMore = "the stream is read once more"
	// mostOnceMore and bytesOnceMore limit that read.
	mostOnceMore, bytesOnceMore = 300, 256 << 10
	// graceOnceMore is the time for reading a stream whose last chunk a run may have removed.
	graceOnceMore = 100 * time.Millisecond
)

// afterwards reads the longest stream of a scenario once more, from its start or after a cursor, as the draw states, up to
// the last chunk that any client has received: a later reader must receive the same. The judge checks the response as any
// other, and sideBySide compares it with the others.
func afterwards(s *target.Session, draw uint64) {
	before, latest := longest(s)
	if before == nil {
		return
	}
	ids := idsOf(before)
	if len(ids) == 0 {
		return
	}
	r := target.ReadRequest{Stream: before.Stream, Hidden: true, Heading: onceMore, Origin: before.Origin, Until: latest}
	if n := uint64(len(ids) - 1); n > 0 && s.Target().Claims("resume") {
		cursor := strconv.FormatInt(ids[draw/4%n], 10)
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
	defer reader.Disconnect()
	if s.HasRemoved(before.Stream) { // the last one may be gone
		reader.Silent(graceOnceMore)
		return
	}
	for by := s.Target().By(); ; {
		f, err := reader.Next("the chunks that were read before", by)
		if err != nil || f == nil || f.DataLines > 0 && role(f.Data) == pack.Terminal {
			return
		}
		if id, ok := idOf(f); ok && id >= latest {
			return
		}
	}
}

// longest returns the reader of a scenario that received most, and the latest id that any reader of its stream received.
// The reader is nil if no stream can be compared, or a deletion or a run may have removed chunks of it.
func longest(s *target.Session) (out *record.Exchange, latest int64) {
	readers := map[string]int64{}
	for _, x := range s.Exchanges() {
		if x.Method == http.MethodDelete {
			return nil, 0
		}
		e := x.Record()
		if !compares(e) {
			continue
		}
		for _, id := range idsOf(e) {
			readers[e.Stream] = max(readers[e.Stream], id)
		}
		if out == nil || len(e.Frames) > len(out.Frames) {
			out = e
		}
	}
	if out == nil || out.Origin != record.Produced && s.HasRemoved(out.Stream) || len(out.Frames) > mostOnceMore {
		return nil, 0
	}
	size := 0
	for _, f := range out.Frames {
		size += len(f.Data)
	}
	if size > bytesOnceMore {
		return nil, 0
	}
	return out, readers[out.Stream]
}

// idsOf returns the ids of the chunks that a reader received.
func idsOf(e *record.Exchange) (ids []int64) {
	for _, f := range e.Frames {
		if id, ok := idOf(f); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// idOf returns the id of a chunk; false for another frame, and for an id that the judge has refused.
func idOf(f *wire.Frame) (int64, bool) {
	if !f.HasID || !isChunk(f) {
		return 0, false
	}
	id, err := strconv.ParseInt(f.ID, 10, 64)
	return id, err == nil
}

// missing returns the first chunk that other readers received and a later one should have received: above its cursor, and
// below a chunk that it did receive, or before it ended the read or received the terminal frame. Chunks of a run may be
// removed.
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
	for _, id := range idsOf(e) {
		got[id], last = true, max(last, id)
	}
	if e.End != record.ServerClose || ended(e) {
		last = max(last, e.Until+1)
	}
	for _, id := range ids {
		if id > after && !got[id] && id < last {
			return id, true
		}
	}
	return 0, false
}

// ended reports whether a reader received the terminal frame.
func ended(e *record.Exchange) bool {
	return slices.ContainsFunc(e.Frames, func(f *wire.Frame) bool { return f.DataLines > 0 && role(f.Data) == pack.Terminal })
}
