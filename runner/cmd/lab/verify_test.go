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

// hindered is a server that refuses requests.
type hindered struct {
	servers.Server
	requests atomic.Int64
	last     int64 // number of the last request that is answered; 0: no limit
	every    int64 // each request that is a multiple of it is answered 503; 0: none
}

func (h *hindered) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch n := h.requests.Add(1); {
	case h.last > 0 && n > h.last:
		panic(http.ErrAbortHandler)
	case h.every > 0 && n%h.every == 0:
		http.Error(w, "busy", http.StatusServiceUnavailable)
	default:
		h.Server.ServeHTTP(w, r)
	}
}

// TestVerifyAcceptsWhatCertifyWrites: every report of this build is borne out by its transcripts, of servers that are
// right, broken, busy, or dead after some requests. Each pack meets one of them; the soak draws twenty of each, for all.
func TestVerifyAcceptsWhatCertifyWrites(t *testing.T) {
	seeds, soak := 1, os.Getenv("STREAMCERT_SOAK") != ""
	if soak {
		seeds = 20
	}
	for i, p := range catalogues.All() {
		mutants := catalogues.All().Mutants(p.Name)
		for seed := range seeds {
			draw := rand.New(rand.NewPCG(uint64(seed), 0))
			mutant, dead, busy := mutants[draw.IntN(len(mutants))], 20+draw.Int64N(300), 7+draw.Int64N(40)
			fresh := func() servers.Server { return original(p).New(servers.Settings{Heartbeat: time.Second}) }
			effort := []string{"quick", "standard"}[seed%2]
			for n, c := range []struct {
				what   string
				server func() servers.Server
				effort string
			}{
				// Campaigns of a server that is gone take no time, and fail for several requirements.
				{fmt.Sprint("dead after ", dead), func() servers.Server { return &hindered{Server: fresh(), last: dead} }, "standard"},
				{fmt.Sprint("busy every ", busy), func() servers.Server { return &hindered{Server: fresh(), every: busy} }, effort},
				{mutant.Of.Name, func() servers.Server { return mutant.New(servers.Settings{Heartbeat: time.Second}) }, effort},
				{"right", fresh, effort},
			} {
				if !soak && n != i%4 {
					continue
				}
				t.Run(fmt.Sprintf("%s/%d/%s", p.Name, seed+1, c.what), func(t *testing.T) {
					dir := t.TempDir()
					ran := streamcert(t, "", "certify", "--target", cmdtest.Serve(t, c.server()), "--pack", p.Name,
						"--effort", c.effort, "--seed", strconv.Itoa(seed+1), "--out", dir)
					if got := streamcert(t, "", "verify", filepath.Join(dir, report.JSONFile)); got.Code != 0 {
						t.Errorf("certify ended with %d, and verify with %d: %s%s", ran.Code, got.Code, got.Out, got.Errs)
					}
				})
			}
		}
	}
}

// original returns the reference server from which a pack's servers are altered.
func original(p altered.Pack) servers.Pack {
	for _, s := range command.Servers() {
		if s.Name == p.Name {
			return s
		}
	}
	panic("a pack without a reference server: " + p.Name)
}
