package sweep

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/frame"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

// swept returns a sweep of a stream of two events as after a read.
func swept(seed int64) *sweep {
	sw := &sweep{w: world.Of(steps.NewWorld(steps.Env{Seed: seed}, nil, "")), stream: &world.Stream{}, prelude: 5}
	world.Put(sw.w, sw)
	for _, raw := range []string{"id: 1\ndata: {\"a\":\"é\"}\n\n", "id: 2\ndata: {}\n\n"} {
		m := &world.Message{Content: frame.Content{Type: "chunk"}, ID: raw[4:5], Frame: &wire.Frame{Raw: []byte(raw), Data: []byte("{}")}}
		m.Chunk = []byte(raw[12:])
		sw.messages, sw.sizes = append(sw.messages, m), append(sw.sizes, int64(len(raw)))
	}
	return sw
}

// TestEverywhere: each byte of each frame has one disconnect, except the beginning of the stream.
func TestEverywhere(t *testing.T) {
	sw := swept(7)
	seen := map[disconnect]int{}
	for _, cuts := range sw.everywhere() {
		for _, c := range cuts {
			seen[c]++
		}
	}
	if want := int(sw.sizes[0]+sw.sizes[1]) - 1; len(seen) != want || seen[disconnect{0, 0}] != 0 {
		t.Errorf("%d places, want %d", len(seen), want)
	}
	for c, n := range seen {
		if n != 1 {
			t.Errorf("%v is cut %d times", c, n)
		}
	}
}

func TestSplitPoints(t *testing.T) {
	sw := swept(7)
	// After the id line, inside é, after the data line.
	if all := sw.atSplitPoints(); len(all) != 3 || len(all[0]) != 2 || len(all[2]) != 1 {
		t.Errorf("got %v", all)
	}
}

// TestDrawn: the seed decides, and some disconnects are repeated at the same byte.
func TestDrawn(t *testing.T) {
	a, b := swept(7), swept(7)
	if x, y := a.drawn(20), b.drawn(20); !slices.EqualFunc(x, y, slices.Equal) {
		t.Error("the same seed draws other cuts")
	}
	b = swept(8)
	if x, y := a.drawn(20), b.drawn(20); slices.EqualFunc(x, y, slices.Equal) {
		t.Error("another seed draws the same cuts")
	}
	twice := 0
	for _, cuts := range a.drawn(20) {
		for i := 1; i < len(cuts); i++ {
			if cuts[i] == cuts[i-1] {
				twice++
			}
			if cuts[i].frame < cuts[i-1].frame {
				t.Errorf("%v goes back", cuts)
			}
		}
	}
	if twice == 0 {
		t.Error("nothing is cut twice")
	}
}

// TestAffordable: a near server gets every list of disconnects, a remote one as many as time allows, and at least one.
func TestAffordable(t *testing.T) {
	sw := swept(7)
	all := len(sw.everywhere())
	for took, want := range map[time.Duration]int{0: all, time.Millisecond: all, time.Hour: 1} {
		sw.took = took
		if got := len(sw.affordable(sw.everywhere())); got != want {
			t.Errorf("at %v a read: %d clients of %d, want %d", took, got, all, want)
		}
	}
	sw.took = time.Second
	if got := len(sw.affordable(sw.everywhere())); got < 2 || got > all/2 {
		t.Errorf("at 1 s a read: %d clients of %d", got, all)
	}
}

func TestDistance(t *testing.T) {
	sw := swept(7)
	for _, c := range []struct {
		have int
		at   disconnect
		want int64
	}{{0, disconnect{0, 3}, 8}, {0, disconnect{1, 3}, 3 + sw.sizes[0] + 5}, {0, disconnect{1, 0}, sw.sizes[0] + 5}, {1, disconnect{1, 3}, 8}, {1, disconnect{1, 0}, 0}, {2, disconnect{1, 3}, 0}} {
		if got := sw.distance(c.have, c.at); got != c.want {
			t.Errorf("from %d to %v: %d, want %d", c.have, c.at, got, c.want)
		}
	}
}

func TestHistory(t *testing.T) {
	for want, cuts := range map[string][]disconnect{
		"without having been cut": nil,
		"cut once, 19 bytes into the frame of a frame of type chunk (id 1), inside the character 'é', and resumed": {{0, 19}},
		"cut twice, each time 6 bytes into": {{0, 6}, {0, 6}},
		"behind its line id: 1,":            {{0, 6}},
		"cut twice, right after a frame of type chunk (id 1) and 2 bytes into the frame of a frame of type chunk (id 2), and resumed each time": {{1, 0}, {1, 2}},
		"cut 4 times, at last 2 bytes into": {{0, 1}, {0, 2}, {1, 1}, {1, 2}},
	} {
		sw := swept(7)
		if got := (&disconnectingClient{sweep: sw, cuts: cuts}).history(); !strings.Contains(got, want) {
			t.Errorf("%v: got %q, want %q", cuts, got, want)
		}
	}
}

// TestExpects: the failure calls an event lost, repeated or changed.
func TestExpects(t *testing.T) {
	sw := swept(7)
	first := sw.messages[0]
	other := &world.Message{Content: frame.Content{Type: first.Type, Chunk: []byte(`{"other":1}`)}, ID: first.ID, Frame: first.Frame}
	for name, c := range map[string]struct {
		have int
		m    *world.Message
		want string // "" passes
	}{
		"right":    {0, sw.messages[0], ""},
		"lost":     {0, sw.messages[1], "(id 2): {}"},
		"again":    {1, sw.messages[0], "(id 1) again: {}"},
		"another":  {0, other, "something else under the same id"},
		"too much": {2, other, "{}"},
	} {
		err := sw.expects(&disconnectingClient{sweep: sw, got: sw.messages[:c.have]}, c.m)
		if (err == nil) != (c.want == "") {
			t.Errorf("%s: %v", name, err)
		} else if err != nil && !strings.Contains(err.(*steps.Failure).Got, c.want) {
			t.Errorf("%s: got %q", name, err.(*steps.Failure).Got)
		}
	}
}
