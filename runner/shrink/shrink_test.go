package shrink_test

import (
	"slices"
	"testing"

	"github.com/streamcert/streamcert/runner/shrink"
)

// TestList: what is left is as short and as simple as can fail.
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
