package run

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

// listSteps registers sentences on the lists in a state.
func listSteps(v *steps.Sentences[*world.World]) {
	steps.Step4(v, features.Then, `^for `+world.AClient+` the list "([^"]+)" of `+speaker+` grows item by item to (\[.*\])$`,
		growsTo)
	steps.Step4(v, features.Then,
		`^for `+world.AClient+` the list "([^"]+)" of `+speaker+` holds all items of (\[.*\]), each list in its order$`,
		coversAll)
}

// growsTo checks that an agent's list begins with its initial items, and that one operation adds each later item at the
// end.
func growsTo(w *world.World, who, key, agent, text string) error {
	want, err := steps.Decode([]byte(text))
	if err != nil {
		return steps.Faultf("%s is not JSON", text)
	}
	path := pointerTo(key)
	return EachEntire(w, who, func(c *world.Client) error {
		ms, err := by(c, agent)
		if err != nil {
			return err
		}
		var list []any
		for _, m := range ms {
			patches, _ := m.Member("patches").([]any)
			for _, o := range patches {
				at, op, value := steps.MemberOf(o, "path"), steps.MemberOf(o, "op"), steps.MemberOf(o, "value")
				items, isList := value.([]any)
				switch {
				case at == path+"/-" && op == "add" && list != nil:
					list = append(list, value)
				case at == path && list == nil && isList && (op == "add" || op == "replace"):
					list = append([]any{}, items...)
				case at == path || strings.HasPrefix(fmt.Sprint(at), path+"/"):
					return c.Failure(fmt.Sprintf("an add of one item at %s/-", path), string(steps.Encode(o)), m)
				}
			}
		}
		if !steps.Same(list, want) {
			return c.Failure(fmt.Sprintf("%q to grow to %s", key, text), string(steps.Encode(list)), nil)
		}
		w.Saw(1)
		return nil
	})
}

// pointerTo returns the JSON Pointer to a member of the state.
func pointerTo(key string) string {
	return "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

// coversAll checks that an agent's list has exactly the items that several tools appended. Items of one tool keep their
// order, items of different tools may come in any. An item in several lists counts once.
func coversAll(w *world.World, who, key, agent, text string) error {
	v, err := steps.Decode([]byte(text))
	lists, ok := v.([]any)
	if err != nil || !ok {
		return steps.Faultf("%s is no list of lists", text)
	}
	return w.Each(who, func(c *world.Client) error {
		state, err := stateOf(c, agent)
		if err != nil {
			return err
		}
		got, _ := steps.MemberOf(state, key).([]any)
		known := map[string]bool{}
		for _, list := range lists {
			items, _ := list.([]any)
			for _, item := range items {
				known[string(steps.Encode(item))] = true
			}
			var stored []any
			for _, item := range got {
				for _, own := range items {
					if steps.Same(item, own) {
						stored = append(stored, item)
					}
				}
			}
			if !steps.Same(stored, list) {
				return c.Failure(fmt.Sprintf("the items %s in %q, in this order", steps.Encode(list), key), string(steps.Encode(got)), nil)
			}
			w.Saw(1)
		}
		if len(got) != len(known) {
			return c.Failure(fmt.Sprintf("%d items in %q", len(known), key), string(steps.Encode(got)), nil)
		}
		return nil
	})
}

// stateOf returns the state of an agent: the sum of its patches.
func stateOf(c *world.Client, agent string) (any, error) {
	if err := Everything(c); err != nil {
		return nil, err
	}
	if _, err := by(c, agent); err != nil {
		return nil, err
	}
	id := Root(c)
	if name := world.ClientName(agent); name != "agent" {
		id, _ = child(c, name)
	}
	state, broken, err := Fold(c.Got, id, []byte(`{}`))
	if err != nil {
		return nil, c.Failure("a patch that applies to "+string(state), fmt.Sprintf("%s (%v)", steps.Clip(broken.Chunk), err), broken)
	}
	return steps.Decode(state)
}
