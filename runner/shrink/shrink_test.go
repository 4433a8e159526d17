package shrink_test

import (
	"slices"
	"testing"

	"github.com/streamcert/streamcert/runner/shrink"
)

// TestList: the result is as short and as simple as possible.
func TestList(t *testing.T) {
	program := []int{1, 9, 4, 7, 2, 8, 30, 5, 6, 3}
	calls := 0
	got := shrink.List(program, shrink.Made(func(n int) []int {
		if n == 30 {
			return []int{10, 20}
		}
		return nil
	}), 1000, func(p []int) bool {
		calls++
		return slices.Contains(p, 7) && slices.ContainsFunc(p, func(n int) bool { return n >= 20 })
	})
	if !slices.Equal(got, []int{7, 20}) {
		t.Errorf("got %v", got)
	}
	most := calls / 2
	calls = 0
	shrink.List(program, nil, most, func(p []int) bool { calls++; return true })
	if calls > most {
		t.Errorf("%d calls, expected at most %d", calls, most)
	}
}

// TestAlone: each thing has its operations, and is the first there.
func TestAlone(t *testing.T) {
	type step struct{ on, does int }
	on := func(s *step) *int { return &s.on }
	got := shrink.Alone([]step{{1, 7}, {3, 8}, {1, 9}}, on)
	if len(got) != 2 || !slices.Equal(got[0], []step{{0, 7}, {0, 9}}) || !slices.Equal(got[1], []step{{0, 8}}) {
		t.Errorf("got %v", got)
	}
	if got := shrink.Alone([]step{{1, 7}, {1, 9}}, on); got != nil {
		t.Errorf("of one thing: got %v", got)
	}
}
