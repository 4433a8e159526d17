package helix

import (
	"encoding/json"
	"strconv"

	"github.com/streamcert/streamcert/reference/store"
)

// Encoder writes events as blocks of server-sent events.
type Encoder interface {
	// Append appends the block of one event, its blank line included, to dst.
	Append(dst []byte, e store.Event) []byte
}

// Frames is the Encoder of the protocol: a line with the id for an event of the log, and one line of data.
type Frames struct{}

// Append implements Encoder.
func (Frames) Append(dst []byte, e store.Event) []byte {
	// helix.wire.chunk-id: every event of the log has a sequence.
	// helix.status.no-id, helix.truncation.not-numbered: a notice has no sequence, so it gets no id.
	if e.Sequence > 0 {
		dst = append(dst, "id: "...)
		// helix.wire.id-digits: AppendInt writes no leading zero.
		dst = strconv.AppendInt(dst, e.Sequence, 10)
		dst = append(dst, '\n')
	}
	// helix.wire.single-data-line, helix.wire.unnamed: AppendFrame writes one line, and there is no event line.
	dst = append(dst, "data: "...)
	dst = AppendFrame(dst, e)
	// helix.wire.blank-line: terminal frames pass here too.
	return append(dst, "\n\n"...)
}

// AppendFrame appends the JSON of one event's frame, on one line. A chunk is compact JSON, which contains no line feed;
// texts are quoted here.
func AppendFrame(dst []byte, e store.Event) []byte {
	// helix.wire.json, helix.wire.frame-type, helix.wire.exclusive: each case writes one object, which begins with its type
	// and has the members of that type only.
	switch e.Kind {
	case store.ChunkWritten:
		// helix.wire.sequence: id and sequence come from the same field.
		dst = append(dst, `{"type":"chunk","sequence":`...)
		dst = strconv.AppendInt(dst, e.Sequence, 10)
		dst = append(dst, `,"chunk":`...)
		// helix.wire.chunk-frame, helix.chunks.types, helix.chunks.unknown-type: the stored bytes are written unchanged,
		// whatever the type of the chunk.
		dst = append(dst, e.Chunk.JSON...)
	case store.StreamEnded:
		// helix.wire.end-frame: the frame leaves out the optional streamId and timestamp.
		// helix.lifecycle.no-sentinel: the store marks the end by the kind of the event, not by a member.
		dst = append(dst, `{"type":"end"`...)
		if e.FinalOutput != nil {
			dst = append(dst, `,"finalOutput":`...)
			// helix.lifecycle.final-output: the bytes that the stream was ended with.
			dst = append(dst, e.FinalOutput...)
		}
	case store.StreamFailed:
		// helix.wire.fail-frame, helix.lifecycle.fail: the member is always written, as a string.
		dst = append(dst, `{"type":"fail","error":`...)
		dst = appendQuoted(dst, e.Error)
		if e.Code != "" {
			dst = append(dst, `,"code":`...)
			// helix.errors.fail-code: the server doesn't replace the code that the stream was failed with.
			dst = appendQuoted(dst, e.Code)
		}
	case store.StatusChanged:
		dst = append(dst, `{"type":"status","status":`...)
		dst = appendQuoted(dst, string(e.Status))
	case store.Truncated:
		// helix.wire.truncated-frame: both numbers are int64.
		dst = append(dst, `{"type":"truncated","truncatedAtStep":`...)
		dst = strconv.AppendInt(dst, e.AtStep, 10)
		dst = append(dst, `,"atSequence":`...)
		dst = strconv.AppendInt(dst, e.AtSequence, 10)
	}
	return append(dst, '}')
}

// appendQuoted appends a JSON string; every control character in it is escaped.
func appendQuoted(dst []byte, text string) []byte {
	// helix.security.forged-error: Marshal escapes CR, LF and NUL.
	quoted, err := json.Marshal(text)
	if err != nil { // no string fails
		panic(err)
	}
	return append(dst, quoted...)
}
