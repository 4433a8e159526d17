package launch

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestADeadSuiteLeavesNoSession: a child with a session of its ends though the suite was killed and stops nothing itself.
func TestADeadSuiteLeavesNoSession(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleEnv+"=suite", "END=kill", "ESCAPE=yes", "ADDRESS="+freeAddress(t))
	out, err := cmd.Output()
	if err == nil {
		t.Error("the suite ended well")
	}
	gone(t, string(out))
}

// TestAGrandchildThatLeavesItsGroup: a child of the server in a separate session also ends.
func TestAGrandchildThatLeavesItsGroup(t *testing.T) {
	for name, deaf := range map[string]string{"one that hears": "", "one that is deaf": "yes"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := config(t, "server", "ESCAPE=yes", "DEAF="+deaf, "FAREWELL="+os.DevNull)
			s, err := Start(context.Background(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			s.grace = 50 * time.Millisecond
			pids := get(cfg.URL + "/pids")
			if !runs(strings.Fields(pids)[1]) {
				t.Error("the child doesn't run: nothing is proven by its absence")
			}
			if err := s.Stop(t.Context()); err != nil {
				t.Error(err)
			}
			gone(t, pids)
		})
	}
}
