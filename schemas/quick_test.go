package schemas

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// strange returns the values by which the test replaces every member of every example in turn.
func strange() []any {
	return []any{
		nil, true, false, "", "x", "chunk", "paused", "add", []any{}, []any{"x"}, map[string]any{}, map[string]any{"op": "add", "path": "/"},
		json.Number("0"), json.Number("-0"), json.Number("-1"), json.Number("1"), json.Number("1.0"), json.Number("1.5"), json.Number("1e3"),
		json.Number("9007199254740991"), json.Number("9007199254740992"), json.Number("9007199254740991.0"),
		json.Number("999999999999999999"), json.Number("9999999999999999999"), json.Number("1e400"), json.Number("-1e400"), json.Number("1e-400"),
	}
}

// variants calls f with the value and with every copy of it in which one member or item, at any depth, is replaced
// or gone.
func variants(v any, f func(any)) {
	f(v)
	for _, s := range strange() {
		f(s)
	}
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			without := maps.Clone(v)
			delete(without, name)
			f(without)
			variants(member, func(changed any) {
				with := maps.Clone(v)
				with[name] = changed
				f(with)
			})
		}
	case []any:
		for i, item := range v {
			variants(item, func(changed any) {
				with := append([]any{}, v...)
				with[i] = changed
				f(with)
			})
		}
	}
}

// TestQuickAgrees compares the quick check with the library: it may be undecided, but never wrong.
func TestQuickAgrees(t *testing.T) {
	s := load(t)
	kit, err := Kit(FS)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[answer]int{}
	for _, set := range []*Set{s, loadAEP(t), kit} {
		for _, name := range set.Names() {
			e := set.entries[name]
			for _, x := range set.Examples(name) {
				variants(decode(x.Value, nil).value, func(v any) {
					for p := range Profile(profiles) {
						left := 10_000
						quick := e.quick[p].check(v, &left)
						counts[quick]++
						if quick == undecided {
							continue
						}
						if err := validateWithLibrary(e.schema[p], v, ""); (err == nil) != (quick == yes) {
							t.Errorf("%s (%s): quick says %d, the library says %v: %v", name, p, quick, err, v)
						}
					}
				})
			}
		}
	}
	if counts[yes] == 0 || counts[no] == 0 || counts[undecided] == 0 {
		t.Errorf("one answer was never given: %v", counts)
	}
}

// TestLongListsAreCheckedAsShortOnes: the findings about a document don't depend on whether its lists are long, and of one
// that is wrong everywhere a few are enough.
func TestLongListsAreCheckedAsShortOnes(t *testing.T) {
	for _, set := range []*Set{load(t), loadAEP(t)} {
		for _, name := range set.Names() {
			e := set.entries[name]
			for _, x := range set.Examples(name) {
				variants(decode(x.Value, nil).value, func(v any) {
					for p := range Profile(profiles) {
						if diff := cmp.Diff(e.validate(p, v, "/at"), e.validateLong(p, v, "/at", 0)); diff != "" {
							t.Fatalf("%s (%s): %v: %s", name, p, v, diff)
						}
					}
				})
			}
		}
	}
	text := `{"type":"state_patch","agentId":"a","agentType":"t","timestamp":1702329600000,"patches":[` + strings.Repeat(`{"op":1},`, 100_000) + `{}]}`
	if n := len(load(t).Chunk(Strict, []byte(text)).Findings); n == 0 || n > 1000 {
		t.Errorf("%d findings about a patch of which each operation is wrong", n)
	}
}

// TestQuickIsUsed sees to it that the common chunks don't need the library.
func TestQuickIsUsed(t *testing.T) {
	for _, s := range []*Set{load(t), loadAEP(t)} {
		for _, name := range s.Names() {
			for i, x := range s.Examples(name) {
				e := s.entries[name]
				switch name {
				case "control/run", "control/run-tool-result", "control/script", "request":
					continue // their keywords are rare, and so are they
				}
				for p := range Profile(profiles) {
					left := 10_000
					if a := e.quick[p].check(decode(x.Value, nil).value, &left); a != yes {
						t.Errorf("%s/%s, example %d (%s): %d", s.Pack(), name, i+1, p, a)
					}
				}
			}
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	s := load(t)
	results := make(chan error)
	for range 8 {
		go func() {
			for _, name := range s.Names() {
				for _, x := range s.Invalid(name) {
					if r := s.check(s.entries[name], Strict, x.Value); r.OK() {
						results <- fmt.Errorf("%s: %s is accepted", name, x.Name)
						return
					}
				}
			}
			results <- nil
		}()
	}
	for range 8 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
}
