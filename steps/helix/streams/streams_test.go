package streams

import (
	"errors"
	"testing"

	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

func TestPlus(t *testing.T) {
	for _, c := range []struct {
		id   string
		n    int
		want string
	}{
		{"9", 1, "10"}, {"0", 5, "5"}, {"99", 1, "100"}, {"9007199254740992", 1, "9007199254740993"},
		{"", 1, ""}, {"ev-3", 1, "ev-3"}, {"1.5", 1, "1.5"}, {"99999999999999999999", 1, "99999999999999999999"},
	} {
		if got := plus(c.id, c.n); got != c.want {
			t.Errorf("%q plus %d: got %q, want %q", c.id, c.n, got, c.want)
		}
	}
}

func TestAttempt(t *testing.T) {
	if err := mustRefuse(&world.World{}); !errors.As(err, new(*steps.Fault)) {
		t.Errorf("got %v", err)
	}
}

func TestMembers(t *testing.T) {
	for _, text := range []string{``, `{`, `[]`, `7`} {
		var suite *steps.Fault
		if m, err := members(text); !errors.As(err, &suite) {
			t.Errorf("%q: got %v, %v", text, m, err)
		}
	}
}

// TestLengthened: the letters replace the ellipsis.
func TestLengthened(t *testing.T) {
	for n, want := range map[int]string{0: `{"a":"b "}`, 1: `{"a":"b x"}`, 7: `{"a":"b xxxxxxx"}`} {
		if got := lengthened([]byte(`{"a":"b …"}`), n); string(got) != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
