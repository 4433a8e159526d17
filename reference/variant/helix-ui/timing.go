package helixui

import (
	"time"

	"github.com/streamcert/streamcert/reference/alter"
)

// timings are other moments for the same.
func timings() []Variant {
	return []Variant{
		{Name: "latency-20ms", Freedom: "helix-ui.text.live", Summary: "There and back takes 20 ms, as to another town.", Wrap: alter.Latency(20 * time.Millisecond)},
		{Name: "latency-200ms", Freedom: "helix-ui.text.live", Slow: true, Summary: "There and back takes 200 ms, as to the other side of the world.",
			Wrap: alter.Latency(200 * time.Millisecond)},
	}
}
