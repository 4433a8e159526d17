package lab

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/cmd/altered"
	"github.com/streamcert/streamcert/runner/cmd/catalogues"
	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/cmd/servers"
	"github.com/streamcert/streamcert/runner/report"
)

// hindered is a server that refuses some requests.
type hindered struct {
	servers.Server
	requests atomic.Int64
	hinder   func(n int64, w http.ResponseWriter) bool // reports whether it has answered request n
}

func (h *hindered) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !h.hinder(h.requests.Add(1), w) {
		h.Server.ServeHTTP(w, r)
	}
}

// TestVerifyAcceptsWhatCertifyWrites: every report of this build is borne out by its own transcripts, of servers that are
// right, broken, busy, or dead after some requests. The soak draws twenty of each and plays campaigns, too.
func TestVerifyAcceptsWhatCertifyWrites(t *testing.T) {
	seeds, soak := 1, os.Getenv("STREAMCERT_SOAK") != ""
	if soak {
		seeds = 20
	}
	settings := servers.Settings{Heartbeat: time.Second}
	for _, p := range catalogues.All() {
		mutants := catalogues.All().Mutants(p.Name)
		right := func() servers.Server { return original(p).New(settings) }
		for seed := range seeds {
			draw := rand.New(rand.NewPCG(uint64(seed), 0))
			mutant, dead, busy := mutants[draw.IntN(len(mutants))], 20+draw.Int64N(300), 7+draw.Int64N(40)
			effort := []string{"quick", "standard"}[seed%2]
			for what, make := range map[string]func() servers.Server{
				"right":        right,
				mutant.Of.Name: func() servers.Server { return mutant.New(settings) },
				fmt.Sprint("dead after ", dead): func() servers.Server {
					return &hindered{Server: right(), hinder: func(n int64, _ http.ResponseWriter) bool {
						if n > dead {
							panic(http.ErrAbortHandler)
						}
						return false
					}}
				},
				fmt.Sprint("busy every ", busy): func() servers.Server {
					return &hindered{Server: right(), hinder: func(n int64, w http.ResponseWriter) bool {
						if n%busy == 0 {
							http.Error(w, "busy", http.StatusServiceUnavailable)
						}
						return n%busy == 0
					}}
				},
			} {
				t.Run(fmt.Sprintf("%s/%d/%s", p.Name, seed+1, what), func(t *testing.T) {
					dir := t.TempDir()
					ran := streamcert(t, "", "certify", "--target", cmdtest.Serve(t, make()), "--pack", p.Name,
						"--effort", effort, "--seed", strconv.Itoa(seed+1), "--out", dir)
					if got := streamcert(t, "", "verify", filepath.Join(dir, report.JSONFile)); got.Code != 0 {
						t.Errorf("certify ended with %d, and verify with %d: %s%s", ran.Code, got.Code, got.Out, got.Errs)
					}
				})
			}
		}
	}
}

// original is what a pack's servers are altered from.
func original(p altered.Pack) servers.Pack {
	for _, s := range command.Servers() {
		if s.Name == p.Name {
			return s
		}
	}
	panic("a pack without a reference server: " + p.Name)
}
