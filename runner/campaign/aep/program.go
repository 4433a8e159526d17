package aep

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
)

// Program is a sequence of operations on some threads, which a campaign plays against a server.
type Program struct {
	threads    int         // at least 1
	two        bool        // every other thread belongs to the other user
	timed      bool        // its requests go to the agent whose streams time out
	operations []Operation // each on a thread from 0 to threads-1
}

// String returns the program in the form that Parse reads, a line for each operation.
func (p Program) String() string {
	head := fmt.Sprintf("%d %s", p.threads, campaign.Plural(p.threads, "thread"))
	if p.two {
		head += " of two users"
	}
	if p.timed {
		head += " whose streams time out"
	}
	lines := []string{head}
	for _, o := range p.operations {
		lines = append(lines, o.String())
	}
	return strings.Join(lines, "\n")
}

var heading = regexp.MustCompile(`^(\d+) threads?( of two users)?( whose streams time out)?$`)

// Parse reads a program. Empty lines don't count.
func Parse(text string) (Program, error) {
	var p Program
	for line := range campaign.Lines(text) {
		if p.threads == 0 {
			m := heading.FindStringSubmatch(line)
			if m == nil {
				return p, fmt.Errorf("%q doesn't say of how many threads the history is", line)
			}
			p.threads, p.two, p.timed = campaign.Number(m[1]), m[2] != "", m[3] != ""
			if p.threads < 1 || p.threads > mostThreads {
				return p, fmt.Errorf("%q: expected 1 to %d threads", line, mostThreads)
			}
			continue
		}
		o, err := parseOperation(line)
		if err != nil {
			return p, err
		}
		if o.thread >= p.threads {
			return p, fmt.Errorf("%q: the history has %d threads", line, p.threads)
		}
		p.operations = append(p.operations, o)
	}
	if p.threads == 0 {
		return p, fmt.Errorf("the history is empty")
	}
	return p, nil
}

// Spellings implements campaign.Upstream.
func (p Program) Spellings() []string {
	var out []string
	for _, o := range p.operations {
		if o.upstream != "" && !slices.Contains(out, o.upstream) {
			out = append(out, o.upstream)
		}
	}
	return out
}

// SpelledIn implements campaign.Upstream.
func (p Program) SpelledIn(ways ...string) Program {
	p.operations = slices.Clone(p.operations)
	for i, o := range p.operations {
		if !slices.Contains(ways, o.upstream) {
			p.operations[i].upstream = ""
		}
	}
	return p
}

// RuleOf implements campaign.Upstream: no requirement is about the model's events.
func (Program) RuleOf(string) string { return "" }
