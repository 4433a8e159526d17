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

// Frames is the Encoder of the protocol: a line with the id, for what has a place in the log, and one line of data.
type Frames struct{}

// Append implements Encoder.
func (Frames) Append(dst []byte, e store.Event) []byte {
	if e.Sequence > 0 {
		dst = append(dst, "id: "...)
		dst = strconv.AppendInt(dst, e.Sequence, 10)
		dst = append(dst, '\n')
	}
	dst = append(dst, "data: "...)
	dst = AppendFrame(dst, e)
	return append(dst, "\n\n"...)
}

// AppendFrame appends the JSON of one event's frame, on one line. A chunk is compact JSON already, so it holds no line
// feed; texts are quoted here.
func AppendFrame(dst []byte, e store.Event) []byte {
	switch e.Kind {
	case store.ChunkWritten:
		dst = append(dst, `{"type":"chunk","sequence":`...)
		dst = strconv.AppendInt(dst, e.Sequence, 10)
		dst = append(dst, `,"chunk":`...)
		dst = append(dst, e.Chunk.JSON...)
	case store.StreamEnded:
		dst = append(dst, `{"type":"end"`...)
		if e.FinalOutput != nil {
			dst = append(dst, `,"finalOutput":`...)
			dst = append(dst, e.FinalOutput...)
		}
	case store.StreamFailed:
		dst = append(dst, `{"type":"fail","error":`...)
		dst = appendQuoted(dst, e.Error)
		if e.Code != "" {
			dst = append(dst, `,"code":`...)
			dst = appendQuoted(dst, e.Code)
		}
	case store.StatusChanged:
		dst = append(dst, `{"type":"status","status":`...)
		dst = appendQuoted(dst, string(e.Status))
	case store.Truncated:
		dst = append(dst, `{"type":"truncated","truncatedAtStep":`...)
		dst = strconv.AppendInt(dst, e.AtStep, 10)
		dst = append(dst, `,"atSequence":`...)
		dst = strconv.AppendInt(dst, e.AtSequence, 10)
	}
	return append(dst, '}')
}

// appendQuoted appends a JSON string; every control character in it is escaped.
func appendQuoted(dst []byte, text string) []byte {
	quoted, err := json.Marshal(text)
	if err != nil { // no string fails
		panic(err)
	}
	return append(dst, quoted...)
}
