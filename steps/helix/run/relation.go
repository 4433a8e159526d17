package run

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

func relationSteps(v *steps.Sentences[*world.World]) {
	steps.Step4(v, features.Then,
		`^for `+world.AClient+` the (\w+) of (every|each \w+) chunk (increases|never decreases|never repeats|is always an integer of milliseconds)$`, related)
}

// related compares a member of the chunks of a type, or of all that have it, with that of the chunks before.
func related(w *world.World, who, member, kind, relation string) error {
	return EachEntire(w, who, func(c *world.Client) error {
		earlier, last := []any{}, math.Inf(-1)
		for _, m := range c.Got {
			value := m.Member(member)
			if name, _ := m.Member("type").(string); value == nil || kind != "every" && kind != "each "+name {
				continue
			}
			number, _ := value.(json.Number)
			n := steps.Float(number)
			related := n == math.Trunc(n) && n >= 1e11 // in milliseconds; in seconds that is the year 5138
			switch relation {
			case "increases":
				related = n > last
			case "never decreases": // a clock may have fractions, which a later chunk rounds
				related = math.Floor(n) >= math.Floor(last)
			case "never repeats":
				related = !slices.ContainsFunc(earlier, func(e any) bool { return steps.Same(e, value) })
			}
			if !related {
				return c.Failure("a "+member+" that "+relation, steps.Clip(m.Chunk), m)
			}
			earlier, last = append(earlier, value), n
		}
		w.Saw(len(earlier))
		return nil
	})
}
