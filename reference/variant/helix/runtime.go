package helix

import (
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/runtime"
)

// writing changes what is written to one stream at once.
type writing = func([]runtime.Chunk) []runtime.Chunk

// onWriting changes what runs write. The function is called once for each stream.
func onWriting(begin func() writing) apply {
	return on.OnAppended(func(*on.Producer) func([]runtime.Chunk) []runtime.Chunk { return begin() })
}
