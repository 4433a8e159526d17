package aep

import (
	"testing"
	"time"
)

func TestTimeoutOfAnAgent(t *testing.T) {
	for agent, timedOut := range map[string]bool{"planner": true, "another": false} {
		c := start(t, Options{Timeouts: map[string]time.Duration{agent: 20 * time.Millisecond}})
		r := c.stream("", body(`[{"await":"x"}]`, ""))
		id := r.next().RequestID
		if !timedOut {
			time.Sleep(40 * time.Millisecond)
			c.control("/control/aep/release", "", `{"requestId":"`+id+`","barrier":"x"}`, 204)
		}
		if e := r.last(); (e.Code == "stream_timeout") != timedOut {
			t.Errorf("with a time-out for %s, planner ends with %+v", agent, e)
		}
	}
}
