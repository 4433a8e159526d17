package report

import (
	"cmp"
	"slices"
	"sync"

	"github.com/streamcert/streamcert/runner/record"
)

// RunBytes limits the request and response bytes that the report of one run stores. It fits every scenario of a conforming
// server and bounds the memory for one that pads its responses.
const RunBytes = 64 << 20

// shortHead limits the bytes of header lines in an exchange without bodies.
const shortHead = 1 << 10

// Budget bounds the memory for the exchanges of all scenarios of a run. It shortens the exchanges of passed scenarios
// first, larger ones before others, and those of failed scenarios last. It is safe for concurrent use.
type Budget struct {
	mu       sync.Mutex        // guards all below
	most     int               // bytes of exchanges
	used     int               // bytes of stored, as sizeOf counts them
	findings int               // bytes that findings may still take
	stored   []*storedScenario // those that can still be shortened
}

// storedScenario is a scenario whose exchanges can still be shortened.
type storedScenario struct {
	scenario *Scenario // of the report, which shortening changes
	faulty   bool      // it failed, so that it is shortened last
	size     int       // bytes of its exchanges when it was added
}

// NewBudget makes a budget of a number of bytes for exchanges, and a quarter of that for the transcripts in findings.
func NewBudget(bytes int) *Budget { return &Budget{most: bytes, findings: bytes / 4} }

// Keep takes in the exchanges of a scenario, which may be shortened from then on:
// the list is replaced, never written to. faulty reports that something was found in
// it.
func (b *Budget) Keep(s *Scenario, faulty bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	k := &storedScenario{s, faulty, sizeOf(s.Exchanges)}
	b.stored = append(b.stored, k)
	if b.used += k.size; b.used <= b.most {
		return
	}
	slices.SortStableFunc(b.stored, func(x, y *storedScenario) int {
		if x.faulty != y.faulty {
			if x.faulty {
				return 1
			}
			return -1
		}
		return cmp.Compare(y.size, x.size)
	})
	n := 0
	// Further than needed, so that not every scenario has to sort them again.
	for ; n < len(b.stored) && b.used > b.most/4*3; n++ {
		b.used -= b.stored[n].shorten()
	}
	b.stored = slices.Delete(b.stored, 0, n)
}

// shorten returns how many bytes that frees.
func (k *storedScenario) shorten() int {
	short := make([]Exchange, len(k.scenario.Exchanges))
	for i, e := range k.scenario.Exchanges {
		short[i] = e.shortened()
	}
	k.scenario.Exchanges = short
	return k.size - sizeOf(short)
}

// shortened returns an exchange without its bodies.
func (e Exchange) shortened() Exchange {
	for _, body := range []*Body{&e.Body, &e.State, &e.Answer, &e.Frames} {
		if !body.IsZero() {
			*body = Body{size: max(body.size, 1)}
		}
	}
	for _, lines := range []*[]string{&e.Request, &e.Response} {
		if n := 0; slices.ContainsFunc(*lines, func(line string) bool { n += len(line); return n > shortHead }) {
			*lines = nil
		}
	}
	e.Path, e.Error = clipped(e.Path, shortHead), clipped(e.Error, shortHead)
	e.Shortened = true
	return e
}

// sizeOf is about how many bytes exchanges take.
func sizeOf(all []Exchange) int {
	const each = 256 // fixed cost of an exchange
	n := 0
	for _, e := range all {
		n += each + len(e.Heading) + len(e.Path) + len(e.Error)
		for _, body := range []Body{e.Body, e.State, e.Answer, e.Frames} {
			n += len(body.decoded) + len(body.packed)*4/3
		}
		for _, lines := range [][]string{e.Request, e.Response} {
			for _, line := range lines {
				n += len(line) + 24
			}
		}
	}
	return n
}

// Finding returns a finding for the report: without its transcript if the budget is exhausted. The file of findings
// contains the transcript.
func (b *Budget) Finding(f record.Finding) record.Finding {
	const value = 4 << 10 // of Message and Got when the budget is exhausted
	b.mu.Lock()
	defer b.mu.Unlock()
	size := len(f.Message) + len(f.Want) + len(f.Got) + len(f.Exchange) + len(f.Curl) + len(f.Script)
	if size > b.findings {
		f.Exchange, f.Curl, f.Script = "", "", ""
		f.Message, f.Got = clipped(f.Message, value), clipped(f.Got, value)
		size = len(f.Message) + len(f.Want) + len(f.Got)
	}
	b.findings = max(0, b.findings-size)
	return f
}
