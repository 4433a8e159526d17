package target

import (
	"io"
	"sync/atomic"

	"github.com/streamcert/streamcert/runner/wire"
)

// budget limits how many bytes of the server's responses a scenario stores.
type budget struct {
	limits Limits       // of the config
	spent  atomic.Int64 // bytes
}

// keep charges n bytes that are about to be stored to the scenario. The error is a
// *LimitError.
func (b *budget) keep(n int) error {
	if b.spent.Add(int64(n)) > b.limits.Scenario {
		return &LimitError{"what the server sent in one scenario", b.limits.Scenario}
	}
	return nil
}

// stored returns the number of bytes that the scenario stores.
func (b *budget) stored() int64 { return b.spent.Load() }

// Full reports whether the server has sent more than the scenario stores, so that the last data is incomplete.
func (b *budget) Full() bool { return b.spent.Load() > b.limits.Scenario }

// credit subtracts the cost of frames that are dropped.
func (b *budget) credit(frames []*wire.Frame) {
	for _, f := range frames {
		b.spent.Add(-int64(cost(f)))
	}
}

// answer reads the body of a unary answer. It returns what fits the limit, with
// a *LimitError if there was more.
func (b *budget) answer(body io.Reader) ([]byte, error) {
	limit := b.limits.Answer
	read, err := io.ReadAll(io.LimitReader(body, limit+1))
	if int64(len(read)) > limit {
		read, err = read[:limit], &LimitError{"the answer", limit}
	}
	if spent := b.keep(len(read)); spent != nil {
		return nil, spent
	}
	return read, err
}

// frameOverhead is the approximate memory for a frame in addition to its bytes.
const frameOverhead = 512

// cost returns the approximate memory that storing a frame takes, in bytes.
func cost(f *wire.Frame) int {
	n := frameOverhead + len(f.Raw) + 32*(len(f.Comments)+len(f.Unknown))
	if f.DataLines > 1 {
		n += len(f.Data) // otherwise Data is part of Raw
	}
	return n
}
