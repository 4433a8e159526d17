package stream

import "testing"

func TestSequential(t *testing.T) {
	write := func(client int, isStarted, returned int64, chunks ...string) Answered {
		return Answered{Client: client, Started: isStarted, Returned: returned, Accepted: true, Chunks: chunks}
	}
	refused := func(a Answered) Answered { a.Accepted = false; return a }
	end := func(client int, isStarted, returned int64) Answered {
		return Answered{Client: client, Started: isStarted, Returned: returned, Accepted: true}
	}
	for name, c := range map[string]struct {
		log   []string
		calls []Answered
		right bool
	}{
		"nothing":                           {nil, nil, true},
		"one after the other":               {[]string{"a", "b"}, []Answered{write(1, 0, 1, "a"), write(2, 2, 3, "b")}, true},
		"the later one first":               {[]string{"b", "a"}, []Answered{write(1, 0, 1, "a"), write(2, 2, 3, "b")}, false},
		"at the same time":                  {[]string{"b", "a"}, []Answered{write(1, 0, 3, "a"), write(2, 2, 3, "b")}, true},
		"what was there before":             {[]string{"x", "a"}, []Answered{write(1, 0, 1, "a")}, true},
		"an array in one piece":             {[]string{"a", "b", "c"}, []Answered{write(1, 0, 3, "a", "b"), write(2, 0, 3, "c")}, true},
		"an array in two":                   {[]string{"a", "c", "b"}, []Answered{write(1, 0, 3, "a", "b"), write(2, 0, 3, "c")}, false},
		"a write that is lost":              {[]string{"b"}, []Answered{write(1, 0, 1, "a"), write(2, 0, 1, "b")}, false},
		"a write that came twice":           {[]string{"a", "a"}, []Answered{write(1, 0, 1, "a")}, false},
		"a write before the end":            {[]string{"a"}, []Answered{write(1, 0, 1, "a"), end(2, 2, 3)}, true},
		"a write after the end":             {[]string{"a"}, []Answered{end(2, 0, 1), write(1, 2, 3, "a")}, false},
		"a write refused after the end":     {nil, []Answered{end(2, 0, 1), refused(write(1, 2, 3, "a"))}, true},
		"a write refused before the end":    {nil, []Answered{refused(write(1, 0, 1, "a")), end(2, 2, 3)}, false},
		"a write that was refused, and is":  {[]string{"a"}, []Answered{end(2, 0, 1), refused(write(1, 0, 3, "a"))}, false},
		"a second end that changes nothing": {nil, []Answered{end(1, 0, 1), end(2, 2, 3)}, true},
	} {
		if got := Sequential(c.log, c.calls); got != c.right {
			t.Errorf("%s: %v, want %v", name, got, c.right)
		}
	}
}
