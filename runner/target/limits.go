package target

import (
	"cmp"
	"fmt"
	"time"

	"github.com/streamcert/streamcert/runner/target/config"
)

// Limits bounds the memory for a server's responses, in bytes, and the load on the server. A response that exceeds one of
// the first three ends there and counts as broken. The others are limits that the server declares: 0 declares
// nothing, and [Limits.Within] returns the default.
type Limits struct {
	// Frame is by default the largest chunk that must be taken, and its envelope.
	Frame  int64 `key:"frame" min:"1KiB" default:"17MiB" doc:"one frame of a stream"`
	Answer int64 `key:"answer" min:"1KiB" default:"4MiB" doc:"the body of an answer that is not a stream"`
	// Scenario is for all frames and answers of one scenario, 512 more for each frame.
	Scenario int64 `key:"scenario" min:"1KiB" default:"32MiB" doc:"all frames and answers of one scenario"`

	Events  int           `key:"events" min:"1" max:"1000000000" example:"5000" doc:"events that the server keeps of a stream; 10000 by default"`
	String  int64         `key:"string" min:"1KiB" example:"256KiB" doc:"the longest string of a chunk that the server takes, as UTF-8; 8MiB by default"`
	Chunk   int64         `key:"chunk" min:"2KiB" example:"1MiB" doc:"the largest chunk that the server takes, as JSON; 16MiB by default"`
	Readers int           `key:"readers" min:"1" max:"1000000" example:"10" doc:"readers that a stream may have at a time; 32 by default"`
	Streams int           `key:"streams" min:"2" max:"1000000000" example:"100" doc:"streams that the server holds at a time; by default as many as the scenarios need that run side by side"`
	Silence time.Duration `key:"silence" example:"30s" doc:"the longest silence after which a stream is still open; two minutes by default"`

	// Rate limits the requests sent a second; 0: no limit.
	Rate float64 `key:"rate" max:"100000" example:"50" doc:"requests that are sent a second at most, as many as there are by default; the flag --rate overrides it"`
}

// Within returns the server's limits: the declared ones, and defaults for the others. Streams and Silence have no default.
func (l Limits) Within() Limits {
	l.Events = cmp.Or(l.Events, 10_000)
	l.String, l.Chunk = cmp.Or(l.String, 8<<20), cmp.Or(l.Chunk, 16<<20)
	l.String = min(l.String, l.Chunk)
	l.Readers = cmp.Or(l.Readers, 32)
	return l
}

// Declared lists the limits that the config declares, each as its key and value, without defaults.
func (l Limits) Declared() []string {
	out := []string{}
	add := func(key string, declared bool, value any) {
		if declared {
			out = append(out, fmt.Sprintf("%s: %v", key, value))
		}
	}
	add("events", l.Events > 0, l.Events)
	add("string", l.String > 0, config.FormatBytes(l.String))
	add("chunk", l.Chunk > 0, config.FormatBytes(l.Chunk))
	add("readers", l.Readers > 0, l.Readers)
	add("streams", l.Streams > 0, l.Streams)
	add("silence", l.Silence > 0, l.Silence)
	return out
}
