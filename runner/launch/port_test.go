//go:build unix

package launch

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestAWrongPortIsNamed: a server that listens at another port than that of the config is distinguished from one that isn't
// up.
func TestAWrongPortIsNamed(t *testing.T) {
	cfg := config(t, "server", "FAREWELL="+t.TempDir()+"/farewell")
	right := portOf(cfg.URL)
	cfg.URL = "http://" + freeAddress(t)
	cfg.Launch.Timeout = 1500 * time.Millisecond
	_, err := Start(context.Background(), cfg)
	want := "it listens on port " + right + ", and target.url or launch.ready " + portOf(cfg.URL)
	if runtime.GOOS == "linux" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("expected %q in: %v", want, err)
	}
	if _, err := http.Get("http://127.0.0.1:" + right); err == nil {
		t.Error("it runs still")
	}
	for output, want := range map[string]string{
		"ready - started server on 0.0.0.0:3000, url: http://localhost:3000": "; its output names port 3000, and target.url or launch.ready 8080",
		"Listening on port 4111\n": "; its output names port 4111, and target.url or launch.ready 8080",
		"http://localhost:8080":    "", "nothing at 99999 of port 70000": "", "": "",
	} {
		s := &Server{output: &tail{}, mark: "STREAMCERT_NOBODY"}
		fmt.Fprint(s.output, output)
		if got := s.elsewhere("http://127.0.0.1:8080/x"); got != want {
			t.Errorf("%q: %q, expected %q", output, got, want)
		}
	}
}
