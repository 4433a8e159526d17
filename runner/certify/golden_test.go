package certify_test

import (
	"context"
	"os"
	"testing"

	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/target"
)

// TestTranscriptsDoNotVary runs the suite in different orders and with different concurrency; its transcripts must be the
// same to the byte.
func TestTranscriptsDoNotVary(t *testing.T) {
	if testing.Short() {
		t.Skip("several runs of the whole suite")
	}
	concurrencies := []int{32}
	if os.Getenv("STREAMCERT_SOAK") != "" {
		concurrencies = []int{32, 1}
	}
	suite := certifytest.Load(t, "helix")
	ref := reference.New(certifytest.Options())
	defer ref.Close()
	url := certifytest.Serve(t, ref)
	first := completeRun(t, "helix").Transcripts
	for seed, concurrency := range concurrencies {
		tg, err := target.New(certifytest.Config(url), target.Options{})
		if err != nil {
			t.Fatal(err)
		}
		res, err := certify.Run(context.Background(), suite, certify.Options{Target: tg, Seed: int64(seed), Concurrency: concurrency, Transcripts: true})
		tg.Close()
		if err != nil {
			t.Fatal(err)
		}
		certifytest.MustPass(t, res)
		for name, want := range first {
			if d := golden.Diff(want, res.Transcripts[name]); d != "" {
				t.Errorf("%s at concurrency %d (-first +now):\n%s", name, concurrency, d)
			}
		}
	}
}
