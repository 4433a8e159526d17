package run

import (
	"encoding/json"
	"math"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/helix/world"
)

// relations list the ways in which a member of a chunk can follow that of the chunks before it. Each function reports
// whether a value is allowed after earlier ones.
var relations = map[string]func(earlier []any, value any) bool{
	"increases": func(earlier []any, value any) bool {
		return len(earlier) == 0 || number(value) > number(earlier[len(earlier)-1])
	},
	"never decreases": func(earlier []any, value any) bool { // a clock may have fractions, which a later chunk rounds
		return len(earlier) == 0 || math.Floor(number(value)) >= math.Floor(number(earlier[len(earlier)-1]))
	},
	"never repeats": func(earlier []any, value any) bool {
		for _, e := range earlier {
			if steps.Same(e, value) {
				return false
			}
		}
		return true
	},
	"is always an integer of milliseconds": func(_ []any, value any) bool {
		return number(value) == math.Trunc(number(value)) && number(value) >= oldest
	},
}

// oldest is a time of 1973 in milliseconds, and of the year 5138 in seconds.
const oldest = 1e11

func relationSteps(v *steps.Sentences[*world.World]) {
	steps.Step4(v, features.Then,
		`^for `+world.AClient+` the (\w+) of (every|each \w+) chunk (increases|never decreases|never repeats|is always an integer of milliseconds)$`, related)
}

// related compares a member of the chunks of a type, or of all that have it, with that of the chunks before.
func related(w *world.World, who, member, kind, relation string) error {
	allowed := relations[relation]
	return w.Each(who, func(c *world.Client) error {
		if err := Everything(c); err != nil {
			return err
		}
		var values []any
		for _, m := range c.Got {
			value := m.Member(member)
			if name, _ := m.Member("type").(string); value == nil || kind != "every" && kind != "each "+name {
				continue
			}
			if !allowed(values, value) {
				return c.Failure("a "+member+" that "+relation, steps.Clip(m.Chunk), m)
			}
			values = append(values, value)
		}
		if len(values) == 0 {
			return c.Failure("a chunk with "+member, Types(c.Got), nil)
		}
		w.Saw(len(values))
		return nil
	})
}

// number returns a JSON number as a double, NaN for any other value.
func number(value any) float64 {
	if n, ok := value.(json.Number); ok {
		return steps.Float(n)
	}
	return math.NaN()
}
