package observe

import (
	"testing"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/wire"
)

func TestAnExcerptIsBounded(t *testing.T) {
	chunkFrame := &wire.Frame{Data: []byte(`{"type":"chunk"}`), DataLines: 1, Terminated: true}
	every := &pack.Resume{Role: func([]byte) pack.Role { return pack.Event }}
	var k excerpt
	for range mostCompared + 7 {
		k.add(every, chunkFrame)
		k.add(every, &wire.Frame{Terminated: true})
	}
	if len(k.frames) != mostCompared+mostOthers || k.left != 7 {
		t.Errorf("%d frames are kept, %d were left", len(k.frames), k.left)
	}
}
