package program

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
)

// Program lists the operations that a campaign plays, on streams or on runs.
//
// Invariant: each operation is on a stream from 0 to Streams-1.
type Program struct {
	Runs       bool   // its streams are written by runs
	Names      string // the kind of similar ids of its streams, "" for none
	Streams    int
	Operations []Operation
}

// Step returns the step that plays the program.
func (p Program) Step() string {
	if p.Runs {
		return "this history of runs is played"
	}
	return "this history is played"
}

// String returns the program as Parse reads it, a line for each operation.
func (p Program) String() string {
	lines := []string{p.Head()}
	for _, o := range p.Operations {
		lines = append(lines, o.String())
	}
	return strings.Join(lines, "\n")
}

func (p Program) Head() string {
	text := fmt.Sprintf("%d %s", p.Streams, plural(p.Streams, "stream"))
	if p.Runs {
		text += " of runs"
	}
	if p.Names != "" {
		text += " with " + p.Names + " ids"
	}
	return text
}

var heading = regexp.MustCompile(`^(\d+) streams?( of runs)?(?: with (\S+) ids)?$`)

// Parse reads a program and ignores empty lines.
func Parse(text string) (Program, error) {
	var p Program
	for line := range campaign.Lines(text) {
		if p.Streams == 0 {
			m := heading.FindStringSubmatch(line)
			if m == nil {
				return p, fmt.Errorf("%q doesn't say of how many streams the history is", line)
			}
			p.Streams, p.Runs, p.Names = number(m[1]), m[2] != "", m[3]
			if p.Streams < 1 || p.Streams > mostStreams || p.Names != "" && AlikeIDs[p.Names] == nil {
				return p, fmt.Errorf("%q: expected at most %d streams, and a known kind of ids", line, mostStreams)
			}
			continue
		}
		o, err := parseOperation(line)
		if err != nil {
			return p, err
		}
		if o.Stream >= p.Streams {
			return p, fmt.Errorf("%q: the history has %d streams", line, p.Streams)
		}
		p.Operations = append(p.Operations, o)
	}
	if p.Streams == 0 {
		return p, fmt.Errorf("the history is empty")
	}
	return p, nil
}

// Kills reports whether the program kills the server.
func (p Program) Kills() bool {
	return slices.ContainsFunc(p.Operations, func(o Operation) bool { return o.Kind == Kill || o.Kind == KillAmid || o.Killed > 0 })
}

// Failure is a program and the violation with which a play of it ended.
type Failure = campaign.Failure[Program]
