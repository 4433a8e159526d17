package run

import (
	"encoding/json"
	"fmt"

	"github.com/streamcert/streamcert/runner/model"
	"github.com/streamcert/streamcert/runner/model/helix/stream"
	"github.com/streamcert/streamcert/runner/patch"
)

// folded applies patches to a state and returns it as encoding/json decodes it.
func folded(patches []*stream.Produced, begin any) (state any, err error) {
	d, err := patch.Parse([]byte(jsonText(begin)), patch.Limits{}) // numbers are kept as they are written
	if err != nil {
		return nil, err
	}
	for _, p := range patches {
		operations, err := p.Operations()
		if err == nil {
			err = d.Apply(operations, int64(len(p.Body)))
		}
		if err != nil {
			return nil, err
		}
	}
	err = json.Unmarshal(d.JSON(), &state)
	return state, err
}

// sums compares the state to which patches add up with the expected one.
func sums(patches []*stream.Produced, begin any, want state, rule string) error {
	sum, err := folded(patches, begin)
	if err != nil {
		return model.Violated(rule, "patches that apply", err.Error(), "a state can't be told")
	}
	got, _ := sum.(map[string]any)
	if key, value, have, same := want.differs(got); !same {
		if want[key].loose {
			rule = "helix.state.parallel-appends"
		}
		return model.Unequal(rule, fmt.Appendf(nil, "%q: %s", key, jsonText(value)), have, "a state has another member")
	}
	return nil
}
