package certify_test

import (
	"context"
	"os"
	"strconv"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/target"
)

// TestSoak certifies one reference server STREAMCERT_SOAK times, each
// time in another order, and accepts no flake.
func TestSoak(t *testing.T) {
	times, err := strconv.Atoi(os.Getenv("STREAMCERT_SOAK"))
	if err != nil {
		t.Skip("set STREAMCERT_SOAK to a number of repetitions; make soak does")
	}
	suite := certifytest.Load(t, "helix")
	ref := reference.New(certifytest.Options())
	defer ref.Close()
	url := certifytest.Serve(t, ref)
	scenarios := 0
	for seed := range times {
		tg, err := target.New(certifytest.Config(url), target.Options{})
		if err != nil {
			t.Fatal(err)
		}
		res, err := certify.Run(context.Background(), suite, certify.Options{Target: tg, Seed: int64(seed), Concurrency: 8})
		tg.Close()
		if err != nil {
			t.Fatal(err)
		}
		if certifytest.MustPass(t, res); t.Failed() {
			t.Fatalf("seed %d, repetition %d", seed, seed+1)
		}
		scenarios += len(res.Report.Scenarios)
	}
	t.Logf("%d repetitions, %d scenarios, no flake", times, scenarios)
}
