package provider

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// FuzzRequest: no request panics the model, and its echo is JSON.
func FuzzRequest(f *testing.F) {
	for _, seed := range []string{
		`{"messages":[{"role":"user","content":"⟦sc:echo⟧ hi"}],"stream":true}`,
		`{"messages":[{"role":"user","content":[{"type":"text","text":"⟦sc:⟦sc:text⟧⟧"},{}]},{"role":"assistant","content":null},{"role":"tool","content":"x"}]}`,
		`{"messages":null,"tools":[{"function":{"name":"weather","parameters":{"$ref":"#","anyOf":[{"minItems":3},false]}}}]}`,
		`{"messages":[{"role":"user","content":"⟦sc:tool⟧"}],"tools":[{"function":{"name":"weather","parameters":{"required":["a"],"properties":{"a":{"pattern":"(?=x)"}}}}}]}`,
	} {
		f.Add([]byte(seed))
	}
	p := serve(f, Options{})
	f.Fuzz(func(t *testing.T, body []byte) {
		var q request
		if json.Unmarshal(body, &q) != nil {
			return
		}
		a, fault := p.choose(q)
		if fault != nil {
			return
		}
		p.fit(a, Step{Actions: []Action{Call{Name: "weather", Arguments: `{"city":"Rome"}`, Fit: true}}})
		for _, what := range []string{"messages", "history"} {
			if echo := a.echo(what); !json.Valid([]byte(echo)) || !utf8.ValidString(echo) {
				t.Errorf("%s is echoed as %q", what, echo)
			}
		}
	})
}
