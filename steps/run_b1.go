package steps

import (
	"context"
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/features"
)

// listSteps are what is said of the lists in a state.
func listSteps(v *Vocabulary) {
	step4(v, features.Then, `^for `+client+` the list "([^"]+)" of `+speaker+` grows item by item to (\[.*\])$`,
		func(w *World, who, key, agent, want string) error { return w.growsTo(who, key, agent, want) })
	step4(v, features.Then,
		`^for `+client+` the list "([^"]+)" of `+speaker+` holds all items of (\[.*\]), each list in its order$`,
		func(w *World, who, key, agent, lists string) error { return w.holdsAll(who, key, agent, lists) })
}

// growsTo checks that an agent's list begins with what it was set to, and that each item after that is added at its end by
// an operation of its own.
func (w *World) growsTo(who, key, agent, text string) error {
	want, err := decode([]byte(text))
	if err != nil {
		return fault("%s is not JSON", text)
	}
	path := pointerTo(key)
	return w.each(who, func(c *clientState) error {
		if err := c.everything(); err != nil {
			return err
		}
		ms, err := c.by(agent)
		if err != nil {
			return err
		}
		var list []any
		for _, m := range ms {
			patches, _ := m.member("patches").([]any)
			for _, o := range patches {
				at, op, value := memberOf(o, "path"), memberOf(o, "op"), memberOf(o, "value")
				items, isList := value.([]any)
				switch {
				case at == path+"/-" && op == "add" && list != nil:
					list = append(list, value)
				case at == path && list == nil && isList && (op == "add" || op == "replace"):
					list = append([]any{}, items...)
				case at == path || strings.HasPrefix(fmt.Sprint(at), path+"/"):
					return c.failure(fmt.Sprintf("an add of one item at %s/-", path), string(encode(o)), m)
				}
			}
		}
		if !same(list, want) {
			return c.failure(fmt.Sprintf("%q to grow to %s", key, text), string(encode(list)), nil)
		}
		w.saw(1)
		return nil
	})
}

// pointerTo is the JSON Pointer to a member of the state.
func pointerTo(key string) string {
	return "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

// holdsAll checks that an agent's list holds what several tools appended, and nothing else. Whose item comes first is free;
// those of one tool keep their order. An item that stands in several lists is one item.
func (w *World) holdsAll(who, key, agent, text string) error {
	v, err := decode([]byte(text))
	lists, ok := v.([]any)
	if err != nil || !ok {
		return fault("%s is no list of lists", text)
	}
	return w.each(who, func(c *clientState) error {
		state, err := c.stateOf(agent)
		if err != nil {
			return err
		}
		got, _ := memberOf(state, key).([]any)
		known := map[string]bool{}
		for _, list := range lists {
			items, _ := list.([]any)
			for _, item := range items {
				known[string(encode(item))] = true
			}
			var kept []any
			for _, item := range got {
				for _, own := range items {
					if same(item, own) {
						kept = append(kept, item)
					}
				}
			}
			if !same(kept, list) {
				return c.failure(fmt.Sprintf("the items %s in %q, in this order", encode(list), key), string(encode(got)), nil)
			}
			w.saw(1)
		}
		if len(got) != len(known) {
			return c.failure(fmt.Sprintf("%d items in %q", len(known), key), string(encode(got)), nil)
		}
		return nil
	})
}

// stateOf is what an agent's patches add up to.
func (c *clientState) stateOf(agent string) (any, error) {
	if err := c.everything(); err != nil {
		return nil, err
	}
	if _, err := c.by(agent); err != nil {
		return nil, err
	}
	id := c.root()
	if name := clientName(agent); name != "agent" {
		id, _ = c.child(name)
	}
	state, broken, err := fold(c.got, id, []byte(`{}`))
	if err != nil {
		return nil, c.failure("a patch that applies to "+string(state), fmt.Sprintf("%s (%v)", clip(broken.Chunk), err), broken)
	}
	return decode(state)
}

func step4[A, B, C, D any](v *Vocabulary, k features.Keyword, pattern string, f func(*World, A, B, C, D) error) {
	v.add(k, pattern, 4, func(ctx context.Context, a A, b B, c C, d D) error {
		return run(ctx, func(w *World) error { return f(w, a, b, c, d) })
	})
}
