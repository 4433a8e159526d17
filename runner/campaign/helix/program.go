package helix

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
)

// Program is what a campaign plays.
type Program struct {
	runs       bool   // are what it plays
	names      string // how the ids of its streams are alike, "" for not at all
	streams    int
	operations []Operation
}

// Step is the step that plays the program.
func (p Program) Step() string {
	if p.runs {
		return "this history of runs is played"
	}
	return "this history is played"
}

// String is the program as Parse reads it, a line for each operation.
func (p Program) String() string {
	lines := []string{p.head()}
	for _, o := range p.operations {
		lines = append(lines, o.String())
	}
	return strings.Join(lines, "\n")
}

func (p Program) head() string {
	text := fmt.Sprintf("%d %s", p.streams, plural(p.streams, "stream"))
	if p.runs {
		text += " of runs"
	}
	if p.names != "" {
		text += " with " + p.names + " ids"
	}
	return text
}

var heading = regexp.MustCompile(`^(\d+) streams?( of runs)?(?: with (\S+) ids)?$`)

// Parse reads a program. Empty lines don't count.
func Parse(text string) (Program, error) {
	var p Program
	for line := range campaign.Lines(text) {
		if p.streams == 0 {
			m := heading.FindStringSubmatch(line)
			if m == nil {
				return p, fmt.Errorf("%q doesn't say of how many streams the history is", line)
			}
			p.streams, p.runs, p.names = number(m[1]), m[2] != "", m[3]
			if p.streams < 1 || p.streams > mostStreams || p.names != "" && alike[p.names] == nil {
				return p, fmt.Errorf("%q: expected at most %d streams, and a known kind of ids", line, mostStreams)
			}
			continue
		}
		o, err := parseOperation(line)
		if err != nil {
			return p, err
		}
		if o.stream >= p.streams {
			return p, fmt.Errorf("%q: the history has %d streams", line, p.streams)
		}
		p.operations = append(p.operations, o)
	}
	if p.streams == 0 {
		return p, fmt.Errorf("the history is empty")
	}
	return p, nil
}
