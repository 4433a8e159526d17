package helixui_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/check"
	"github.com/streamcert/streamcert/runner/recording"
)

// TestPublicShapesAreSilent: the output of versions 6 and 7 of the AI SDK has no finding, for any provider and any
// application code of the documentation.
func TestPublicShapesAreSilent(t *testing.T) {
	suite := certifytest.Load(t, "helix-ui")
	for _, version := range []string{"v6", "v7"} {
		t.Run(version, func(t *testing.T) {
			program := exec.CommandContext(t.Context(), "node", "shapes.mjs")
			program.Dir = installed(t, version)
			out, err := program.Output()
			if err != nil {
				t.Fatalf("streaming by the AI SDK: %v", err)
			}
			bodies := map[string]string{}
			if err := json.Unmarshal(out, &bodies); err != nil || len(bodies) < 50 {
				t.Fatalf("%d responses, expected 50 or more: %v", len(bodies), err)
			}
			for name, body := range bodies {
				_, err := check.Run(context.Background(), suite, strings.NewReader(body), recording.Options{Found: func(f recording.Finding) error {
					return fmt.Errorf("line %d: %s: %s, got %s", f.Line, f.Requirement, f.Message, f.Got)
				}})
				if err != nil {
					t.Errorf("%s: %v in\n%s", name, err, body)
				}
			}
		})
	}
}
