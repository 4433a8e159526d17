package client_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/client"
	"github.com/streamcert/streamcert/runner/wire"
)

// TestSplitPoints: after the lines and inside the characters, for any line end.
func TestSplitPoints(t *testing.T) {
	want := []client.SplitPoint{{3, false}, {4, true}, {6, false}, {7, false}}
	if diff := cmp.Diff(want, client.SplitPoints([]byte("id\né\r\n\n"))); diff != "" {
		t.Error(diff)
	}
}

// TestCursor: an id counts from the blank line of its block on; one without an id changes nothing.
func TestCursor(t *testing.T) {
	var c client.Cursor
	frames := wire.NewReader(strings.NewReader("id: 1\ndata: a\n\ndata: b\n\nid: 3\ndata: c\n"), wire.Options{})
	var taken []bool
	for f, err := frames.Next(); f != nil; f, err = frames.Next() {
		taken = append(taken, c.Take(f))
		if err != nil {
			break
		}
	}
	if !slices.Equal(taken, []bool{true, true, false}) || c.Acknowledged() == nil || *c.Acknowledged() != "1" {
		t.Errorf("taken %v, cursor %+v", taken, c)
	}
	if none := (client.Cursor{}); none.Acknowledged() != nil {
		t.Error("a client that has nothing sends a cursor")
	}
}

func TestDisconnectAfter(t *testing.T) {
	got, err := io.ReadAll(client.DisconnectAfter(strings.NewReader("abcdef"), 4))
	if string(got) != "abcd" || !errors.Is(err, client.ErrDisconnected) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestCuts: a closed connection may bring nothing; others may so often in a row.
func TestCuts(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		cuts  []int64
		came  []client.Progress
		err   error
		calls int
		idle  bool
	}{
		"to the end":     {nil, []client.Progress{client.Some, client.Over}, nil, 2, false},
		"cut":            {[]int64{1, 1, 1}, []client.Progress{client.Nothing, client.Nothing, client.Nothing, client.Over}, nil, 4, false},
		"nothing":        {nil, []client.Progress{client.Nothing}, nil, 2, true},
		"nothing, again": {nil, []client.Progress{client.Nothing, client.Some, client.Nothing}, nil, 4, true},
		"an error":       {nil, []client.Progress{client.Nothing}, broken, 1, false},
	} {
		calls := 0
		idle, err := client.Cuts{
			Next: func(n int) int64 { return slices.Concat(c.cuts, make([]int64, 9))[n] },
			Connect: func(int64) (client.Progress, error) {
				calls++
				return c.came[min(calls, len(c.came))-1], c.err
			},
			Idle: 2,
		}.Read()
		if idle != c.idle || !errors.Is(err, c.err) || calls != c.calls {
			t.Errorf("%s: idle %v, %v after %d connections", name, idle, err, calls)
		}
	}
}

// TestEach: all plans are played, side by side, until enough were.
func TestEach(t *testing.T) {
	var sum atomic.Int64
	play := func(n int) { sum.Add(int64(n)) }
	if begun := client.Each([]int{1, 2, 3, 4}, 3, func() bool { return false }, play); begun != 4 || sum.Load() != 10 {
		t.Errorf("%d plans, sum %d", begun, sum.Load())
	}
	if begun := client.Each([]int{1, 2, 3, 4}, 1, func() bool { return true }, play); begun != 0 || sum.Load() != 10 {
		t.Errorf("%d plans after enough", begun)
	}
}

// TestSimplest: the simpler cuts are tried first, then as few cuts as possible; a failure that doesn't repeat stays
// unchanged.
func TestSimplest(t *testing.T) {
	fails := func(need ...int) func([]int) bool {
		return func(cuts []int) bool {
			return !slices.ContainsFunc(need, func(c int) bool { return !slices.Contains(cuts, c) })
		}
	}
	for name, c := range map[string]struct {
		fails   func([]int) bool
		simpler [][]int
		most    int
		want    []int // nil: it doesn't fail again
		tries   int
	}{
		"at once":             {fails(), [][]int{{}, {4}}, 9, []int{}, 1},
		"by the last":         {fails(4), [][]int{{}, {4}}, 9, []int{4}, 2},
		"by two":              {fails(1, 4), [][]int{{}, {4}}, 9, []int{1, 4}, 11},
		"by two, after a few": {fails(1, 4), nil, 1, []int{1, 2, 3, 4}, 2},
		"never again":         {func([]int) bool { return false }, [][]int{{4}}, 9, nil, 2},
	} {
		tries := 0
		play := func(cuts []int) ([]int, bool) {
			tries++
			if c.fails(cuts) {
				return cuts, true
			}
			return nil, false
		}
		s := client.Simplest[int, []int]{Cuts: []int{1, 2, 3, 4}, Play: play, Most: c.most}
		for _, cuts := range c.simpler {
			s.Simpler = append(s.Simpler, func() ([]int, bool) { return play(cuts) })
		}
		got, again := s.Find()
		if !slices.Equal(got, c.want) || again != (c.want != nil) || tries != c.tries {
			t.Errorf("%s: got %v, %v after %d tries", name, got, again, tries)
		}
	}
}
