package helixui

import (
	"slices"
	"testing"

	model "github.com/streamcert/streamcert/runner/model/helix-ui"
)

// TestRemaining: an id that parts share may have come with the first of them, while the others were on their way.
func TestRemaining(t *testing.T) {
	parts := []model.Part{{ID: "1"}, {ID: "2"}, {ID: "2"}, {ID: ""}, {ID: "3"}}
	for _, test := range []struct {
		r    returned
		want int
	}{
		{returned{id: "1", behind: 1}, 4},
		{returned{id: "2", behind: 2}, 2},
		{returned{id: "2", behind: 3}, 2},
		{returned{id: "3", behind: 5}, 0},
	} {
		if got := len(test.r.remaining(parts)); got != test.want {
			t.Errorf("behind %s, of %d parts: %d parts, want %d", test.r.id, test.r.behind, got, test.want)
		}
	}
}

// TestSkipped: a page that lacks parts between others differs from one that is behind, and from one whose server joins
// parts.
func TestSkipped(t *testing.T) {
	part := func(id, delta string) model.Part { return model.Part{ID: id, Members: map[string]any{"delta": delta}} }
	all := []model.Part{part("1", "a"), part("2", "b"), part("3", "c"), part("4", "d"), part("5", "e")}
	for _, test := range []struct {
		got       []model.Part
		fromStart bool
		want      []string
	}{
		{all[:2], true, nil},
		{all[2:4], false, nil},
		{all[2:4], true, []string{"1", "2"}},
		{[]model.Part{all[0], all[3]}, false, []string{"2", "3"}},
		{[]model.Part{part("3", "abc"), all[4]}, true, nil},
	} {
		if got := (&returned{got: test.got}).skipped(all, test.fromStart); !slices.Equal(got, test.want) {
			t.Errorf("of %v: %v, want %v", test.got, got, test.want)
		}
	}
}

// TestApart: ids that may restart with each turn aren't attributed.
func TestApart(t *testing.T) {
	for _, test := range []struct {
		id   string
		of   []string
		want bool
	}{
		{"12", []string{"13", "14"}, true},
		{"12", []string{"1", "2"}, false},
		{"12", []string{"12", "13"}, false},
		{"p12", []string{"p1", "p2"}, false},
		{"a-12", []string{"b-1", ""}, true},
		{"x", []string{"y", "z"}, true},
		{"x", []string{"y", "x"}, false},
	} {
		var parts []model.Part
		for _, id := range test.of {
			parts = append(parts, model.Part{ID: id})
		}
		if got := apart(test.id, parts); got != test.want {
			t.Errorf("%s is apart from %v: %t", test.id, test.of, got)
		}
	}
}

// TestPositions: a reader resumes after the last part of some types, and after no part whose id another one has.
func TestPositions(t *testing.T) {
	part := func(id, kind string) model.Part { return model.Part{ID: id, Members: map[string]any{"type": kind}} }
	parts := []model.Part{part("1", "start"), part("2", "text"), part("3", "text"), part("4", "output"), part("4", "step"), part("5", "finish")}
	if got := positions(parts, Operation{Count: 1}); !slices.Equal(got, []int{2, 5}) {
		t.Errorf("got %v", got)
	}
}

// TestChatNames: no two chats of a program have one name.
func TestChatNames(t *testing.T) {
	seen := map[string]int{}
	for chat := 1; chat <= chats(); chat++ {
		name := chatName("base", chat)
		if before := seen[name]; before != 0 {
			t.Errorf("chats %d and %d are named %q", before, chat, name)
		}
		seen[name] = chat
	}
}
