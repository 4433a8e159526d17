package merlin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
	model "github.com/streamcert/streamcert/runner/model/merlin"
)

// Operation is a line of a program.
type Operation = campaign.Operation

// kind describes a kind of operation.
type kind struct {
	data    bool   // it contains drawn data
	version int    // the only one that has it; 0 for both
	needs   string // the capability without which it isn't drawn
	model   bool   // the language model performs it without the control binding
	last    bool   // it has a fixed position and isn't drawn for others
	// unvaried: it happens in one way only, so that no choice is drawn for it.
	unvaried bool
}

// kinds lists the kinds of operations of a program, by the name that programs use.
var kinds = map[string]kind{
	"texts": {model: true, data: true}, "hurried texts": {data: true, version: 1, last: true}, "equal texts": {model: true, data: true}, "empty texts": {model: true}, "thoughts": {model: true, data: true}, "bare thoughts": {model: true},
	"signed thoughts": {model: true, data: true}, "sentences": {model: true, data: true}, "citations of nothing": {data: true, needs: "citations"}, "citations": {data: true, needs: "citations"}, "equal citations": {data: true, needs: "citations"}, "citations ahead": {data: true, needs: "citations"},
	"halves": {model: true, unvaried: true}, "lone halves": {model: true, last: true, unvaried: true}, "last words": {model: true, last: true}, "spellings": {model: true}, "thoughts with a text": {model: true, data: true}, "calls": {data: true}, "calls in one event": {data: true}, "pieces of a call": {data: true}, "begun calls": {data: true}, "bare calls": {}, "stray calls": {model: true, unvaried: true}, "usages": {model: true}, "noises": {model: true},
	"bytes a piece": {model: true, unvaried: true}, "barriers": {model: true}, "departures": {model: true, last: true, unvaried: true},
	"steps": {data: true, needs: "progress"}, "twin steps": {data: true, needs: "progress"}, "values": {data: true, needs: "progress"},
	"tags": {data: true, needs: "progress"}, "late tags": {data: true, needs: "progress"}, "latest steps": {needs: "progress"},
	"renamings": {needs: "progress", unvaried: true}, "ended steps": {needs: "progress", unvaried: true},
	"results": {data: true, version: 2}, "equal results": {data: true, version: 2}, "pieces of a result": {data: true, version: 2}, "hidden results": {data: true, version: 2}, "results side by side": {data: true, version: 2},
	"handoffs": {version: 2}, "stops": {last: true, unvaried: true}, "aborts": {model: true, last: true, unvaried: true}, "clean ends": {model: true, last: true, unvaried: true}, "said errors": {model: true, last: true, unvaried: true}, "slow readers": {model: true, last: true, unvaried: true},
}

// breaks are the ways in which a model breaks off.
var breaks = []string{"aborts", "clean ends", "said errors"}

// Program is a sequence of operations on one stream of a version, or the same on several concurrent streams.
type Program struct {
	streams    int         // at once; 0 is one
	version    int         // 1 or 2
	choice     int         // of the ways in which its first stream is requested; each further one takes the next
	start      model.Start // state with which the stream begins
	operations []Operation // in the order of the script
	usual      []string    // spellings of the model's events that are replaced by the usual one
}

// String returns the program as Parse reads it, a line for each operation.
func (p Program) String() string {
	lines := []string{fmt.Sprintf("a stream of version %d", p.version)}
	if p.streams > 1 {
		lines[0] = fmt.Sprintf("%d streams at once of version %d", p.streams, p.version)
	}
	lines[0] += campaign.ByChoice(p.choice)
	if start, err := json.Marshal(p.start); err == nil && string(start) != "{}" {
		lines[0] += " that begins with " + string(start)
	}
	for _, o := range p.operations {
		lines = append(lines, o.String())
	}
	return strings.Join(lines, "\n")
}

var heading = regexp.MustCompile(`^(?:a stream|([2-9]) streams at once) of version ([12])(?: by choice (\d{1,7}))?(?: that begins? with (\{.*\}))?$`)

// Parse reads a program. Empty lines don't count.
func Parse(text string) (Program, error) {
	var p Program
	for one := range campaign.Lines(text) {
		if p.version == 0 {
			m := heading.FindStringSubmatch(one)
			if m == nil {
				return p, fmt.Errorf("%q doesn't say of which version the stream is", one)
			}
			p.streams, _ = strconv.Atoi(m[1]) // "" is one
			p.version = int(m[2][0] - '0')
			p.choice, _ = strconv.Atoi(m[3]) // "" is 0
			d := json.NewDecoder(bytes.NewReader([]byte(m[4])))
			d.DisallowUnknownFields()
			if err := d.Decode(&p.start); m[4] != "" && err != nil {
				return p, fmt.Errorf("%q: what the stream begins with: %w", one, err)
			}
			continue
		}
		o, err := parseOperation(one)
		if err != nil {
			return p, err
		}
		p.operations = append(p.operations, o)
	}
	return p, p.valid()
}

func parseOperation(text string) (Operation, error) {
	o, err := campaign.ParseOperation(text, func(name string) (data, known bool) {
		k, known := kinds[name]
		return k.data, known
	})
	if err == nil && o.Count == 0 && o.Kind != "bytes a piece" {
		err = fmt.Errorf("%q: it never happens", text)
	}
	return o, err
}

// valid returns a mistake in the combination of a program's operations, nil for none.
func (p Program) valid() error {
	if p.version == 0 {
		return fmt.Errorf("the history is empty")
	}
	manager := "V2"
	if p.version == 1 {
		manager = "V1"
	}
	if p.start.Manager != manager && (p.version == 2 || p.start.Manager != "") {
		return fmt.Errorf("the manager of a stream of version %d is of that version", p.version)
	}
	ended := ""
	for _, o := range p.operations {
		switch only := kinds[o.Kind].version; {
		case only != 0 && only != p.version:
			return fmt.Errorf("%q: version %d has none", o, p.version)
		case slices.Contains(breaks, ended), ended == "stops" && !slices.Contains([]string{"texts", "thoughts"}, o.Kind):
			return fmt.Errorf("%q: after an end only a stopped model may add text or thoughts", o)
		case o.Kind == "stops" || slices.Contains(breaks, o.Kind):
			ended = o.Kind
		}
	}
	return nil
}

// Failure is a program after which the server does something that the model rules out.
type Failure = campaign.Failure[Program]
