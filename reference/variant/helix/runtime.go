package helix

import (
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// writing changes the chunks of one append to a stream.
type writing = func([]runtime.Chunk) []runtime.Chunk

// onWriting changes the chunks of runs. The function is called once for each stream.
func onWriting(begin func() writing) apply {
	return on.OnAppended(func(*on.Producer) func([]runtime.Chunk) []runtime.Chunk { return begin() })
}
