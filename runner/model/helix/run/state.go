package run

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/streamcert/streamcert/runner/model/helix/document"
)

// state is the state of an agent, by key.
type state map[string]entry

// entry is a value. Items that concurrent branches append may come in any order: helix.state.parallel-appends.
type entry struct {
	value any  // a JSON value
	by    int  // the branch that appended last
	loose bool // several did
}

func (s state) clone() state {
	c := maps.Clone(s)
	for key, e := range c { // a new step is no branch of the last one
		e.by = 0
		c[key] = e
	}
	return c
}

func (s state) set(key string, value any) { s[key] = entry{value: value} }

func (s state) remove(key string) { delete(s, key) }

func (s state) append(key string, items []any, branch int) {
	e := s[key]
	list, _ := e.value.([]any)
	e.loose = e.loose || e.by != branch && e.by > 0 && branch > 0
	e.value, e.by = append(append([]any{}, list...), items...), branch // of nothing it is an empty list
	s[key] = e
}

// differs returns the first member that differs in another document, and its two values; same reports that none does.
func (s state) differs(got map[string]any) (key string, want, have any, same bool) {
	for _, key := range slices.Sorted(maps.Keys(s)) {
		e := s[key]
		have, there := got[key]
		if !there || !document.Equal(e.value, have) && !(e.loose && shuffled(e.value, have)) {
			return key, e.value, have, false
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got)) {
		if _, there := s[key]; !there {
			return key, nil, got[key], false
		}
	}
	return "", nil, nil, true
}

// shuffled reports whether two lists hold the same items.
func shuffled(a, b any) bool {
	one, ok := a.([]any)
	other, also := b.([]any)
	return ok && also && slices.Equal(sorted(one), sorted(other))
}

func sorted(items []any) []string {
	out := make([]string, 0, len(items))
	for _, item := range items {
		out = append(out, jsonText(item))
	}
	slices.Sort(out)
	return out
}

func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // it was decoded from JSON
	}
	return string(text)
}
