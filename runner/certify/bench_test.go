package certify_test

import (
	"context"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/target"
)

// BenchmarkCertify measures a complete run of the helix pack against the reference over loopback sockets, without campaigns
// and with those of standard effort.
func BenchmarkCertify(b *testing.B) {
	for _, effort := range []campaign.Effort{campaign.Quick, campaign.Standard} {
		b.Run(string(effort), func(b *testing.B) { benchmarkCertify(b, effort) })
	}
}

func benchmarkCertify(b *testing.B, effort campaign.Effort) {
	suite := certifytest.Load(b, "helix")
	ref := reference.New(certifytest.Options())
	defer ref.Close()
	url := certifytest.Serve(b, ref)
	scenarios := 0
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(120 << 20)) // as the command does
	b.ReportAllocs()
	for b.Loop() {
		tg, err := target.New(certifytest.Config(url), target.Options{})
		if err != nil {
			b.Fatal(err)
		}
		res, err := certify.Run(context.Background(), suite, certify.Options{Target: tg, Seed: 1, Transcripts: true, Effort: effort})
		tg.Close()
		if err != nil {
			b.Fatal(err)
		}
		scenarios += len(res.Report.Scenarios)
	}
	b.ReportMetric(float64(scenarios)/b.Elapsed().Seconds(), "scenarios/s")
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	b.ReportMetric(float64(memory.Sys)/(1<<20), "MB-from-system") // server included
}
