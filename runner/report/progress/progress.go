package progress

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// every is the interval of progress lines when the output isn't a terminal.
const every = 10 * time.Second

// Bar shows how far a run is: a bar on a terminal, elsewhere a line now and
// then. Make it with New; it isn't safe for concurrent use.
type Bar struct {
	w        io.Writer
	terminal bool
	now      func() time.Time
	last     time.Time
	bar      *progressbar.ProgressBar
	what     string
	broken   int
}

// New shows progress on w. now is the clock, time.Now for a real run; what is the counted noun in the plural.
func New(w io.Writer, terminal bool, now func() time.Time, what string) *Bar {
	return &Bar{w: w, terminal: terminal, now: now, last: now(), what: what}
}

// Step takes in one more scenario and how many findings it made.
func (p *Bar) Step(done, total, findings int) {
	if findings > 0 {
		p.broken++
	}
	if p.terminal {
		p.step(done, total)
		return
	}
	if now := p.now(); now.Sub(p.last) >= every && done < total {
		p.last = now
		fmt.Fprintf(p.w, "%d of %d %s, %d with findings\n", done, total, p.what, p.broken)
	}
}

// Say writes a permanent line, such as the name of a scenario with findings: an interrupted run has no report.
func (p *Bar) Say(line string) {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	fmt.Fprintln(p.w, line)
}

func (p *Bar) step(done, total int) {
	if p.bar == nil {
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(p.w), progressbar.OptionSetWidth(30), progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(60*time.Millisecond),
			progressbar.OptionClearOnFinish())
	}
	p.bar.Describe(fmt.Sprintf("%s, %d with findings", p.what, p.broken))
	_ = p.bar.Set(done) // a bar that can't be drawn is no reason to stop
}

// Finish removes the bar, so that the report begins on a clean line.
func (p *Bar) Finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
		_ = p.bar.Clear()
	}
}
