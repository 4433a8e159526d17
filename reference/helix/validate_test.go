package helix_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference/helix"
)

func TestValidator(t *testing.T) {
	validate, err := helix.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	const common = `"agentId":"a","agentType":"t","timestamp":1702329600000`
	for _, c := range []struct{ chunk, member string }{
		{`{"type":"text_delta","delta":"x",` + common + `}`, "ok"},
		{`{"type":"text_delta","delta":"x","future":[null],"runId":"r",` + common + `}`, "ok"},
		{`{"type":"future","whatever":{"a":null},` + common + `}`, "ok"},
		{`"x"`, ""},
		{`[]`, ""},
		{`null`, ""},
		{`7`, ""},
		{`{` + common + `}`, "/type"},
		{`{"type":7,` + common + `}`, "/type"},
		{`{"type":"future","agentId":"","agentType":"t","timestamp":1}`, "/agentId"},
		{`{"type":"future","agentId":"a","timestamp":1}`, "/agentType"},
		{`{"type":"future","agentId":"a","agentType":"t"}`, "/timestamp"},
		{`{"type":"future","agentId":"a","agentType":"t","timestamp":null}`, "/timestamp"},
		{`{"type":"text_delta","agentId":"a","agentType":"t","timestamp":"1","delta":"x"}`, "/timestamp"},
		{`{"type":"text_delta","delta":7,` + common + `}`, "/delta"},
		{`{"type":"text_delta",` + common + `}`, "delta"},
		{`{"type":"text_delta","delta":"x","step":-1,` + common + `}`, "/step"},
		{`{"type":"text_delta","delta":"x","step":1.5,` + common + `}`, "/step"},
		{`{"type":"text_delta","delta":"x","step":"1",` + common + `}`, "/step"},
		{`{"type":"text_delta","delta":"x","step":9007199254740992,` + common + `}`, "/step"},
		{`{"type":"future","step":-1,` + common + `}`, "/step"},
		{`{"type":"subagent_end","subAgentType":"r","subSessionId":"s","callId":"c","result":null,` + common + `}`, "step"},
		{`{"type":"subagent_end","subAgentType":"r","subSessionId":"s","callId":"c","result":null,"step":1,` + common + `}`, "ok"},
		{`{"type":"text_delta","delta":"x","delta":"y",` + common + `}`, "delta"},
	} {
		err := validate([]byte(c.chunk))
		var invalid *helix.InvalidChunk
		switch {
		case c.member == "ok":
			if err != nil {
				t.Errorf("%s: refused: %v", c.chunk, err)
			}
		case !errors.As(err, &invalid):
			t.Errorf("%s: accepted", c.chunk)
		case !strings.Contains(err.Error(), c.member):
			t.Errorf("%s: %q doesn't name %s", c.chunk, err, c.member)
		}
	}
}
