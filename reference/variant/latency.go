package variant

import (
	"time"

	"github.com/streamcert/streamcert/reference/alter"
)

// Latencies are servers that are far away, which the freedom of a name allows.
func Latencies[O any](freedom string) []Variant[O] {
	return []Variant[O]{
		{Name: "latency-20ms", Freedom: freedom, Summary: "There and back takes 20 ms, as to another town.", Wrap: alter.Latency(20 * time.Millisecond)},
		{Name: "latency-200ms", Freedom: freedom, Slow: true, Summary: "There and back takes 200 ms, as to the other side of the world.",
			Wrap: alter.Latency(200 * time.Millisecond)},
	}
}
