package helixui

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
)

// Operation is a line of a program.
type Operation = campaign.Operation

// kind describes a kind of operation.
type kind struct {
	data  bool     // it contains drawn data
	needs []string // the capabilities without which it isn't drawn
	ends  bool     // it is the last of its turn
	waits bool     // the agent waits while it happens
	once  bool     // a turn has it at most once
	equal string   // the kind that it repeats with equal content
	// unvaried: it happens in one way only, so that no choice is drawn for it.
	unvaried bool
}

// The needs of operations that call a tool, and of those that only a model performs.
var tools, alone = []string{"tools"}, []string{"model"}

// kinds lists the kinds of operations of a turn, by the name that programs use.
var kinds = map[string]kind{
	"user texts":      {data: true, once: true},
	"user repeats":    {once: true, unvaried: true},
	"user members":    {data: true, once: true, needs: []string{"body"}},
	"start metadata":  {data: true, once: true, needs: []string{"metadata"}},
	"finish metadata": {data: true, once: true, needs: []string{"metadata"}},
	"texts":           {data: true}, "equal texts": {data: true, equal: "texts"}, "empty texts": {unvaried: true},
	"thoughts": {data: true, needs: []string{"reasoning"}}, "halved thoughts": {data: true, needs: []string{"reasoning"}},
	"calls": {data: true, needs: tools}, "equal calls": {data: true, equal: "calls", needs: tools}, "failing calls": {data: true, needs: tools}, "long outputs": {data: true, needs: tools},
	"spellings":          {needs: alone},
	"thoughts in chunks": {data: true, needs: []string{"mapping", "reasoning"}}, "whole thoughts": {data: true, needs: []string{"mapping", "reasoning"}},
	"texts in chunks": {data: true, needs: []string{"mapping"}}, "calls side by side": {data: true, needs: []string{"mapping"}},
	"calls with long names": {data: true, needs: []string{"mapping"}}, "customs": {data: true, needs: []string{"mapping"}},
	"patches": {data: true, needs: []string{"mapping"}}, "outputs": {data: true, needs: []string{"mapping"}},
	"subagents": {data: true, needs: []string{"mapping"}}, "strangers": {data: true, needs: []string{"mapping"}},
	"passing errors": {data: true, needs: []string{"mapping"}}, "resumptions": {needs: []string{"mapping"}}, "resyncs": {needs: []string{"mapping"}},
	"commits": {needs: []string{"mapping"}}, "checkpoints": {needs: []string{"mapping"}},
	"equal thoughts": {data: true, equal: "thoughts", needs: []string{"reasoning"}}, "equal failing calls": {data: true, equal: "failing calls", needs: tools},
	"equal customs": {data: true, equal: "customs", needs: []string{"mapping"}}, "equal patches": {data: true, equal: "patches", needs: []string{"mapping"}},
	"equal passing errors": {data: true, equal: "passing errors", needs: []string{"mapping"}},
	"own parts":            {data: true, needs: []string{"mapping"}}, "own parts behind thoughts": {data: true, needs: []string{"mapping", "reasoning"}},
	"barriers": {waits: true, unvaried: true}, "refusals": {waits: true, needs: []string{"scripts"}},
	"latecomers": {waits: true, needs: []string{"resume"}}, "stalls": {waits: true, needs: []string{"resume"}, unvaried: true},
	"intrusions": {waits: true, unvaried: true},
	"refreshes":  {waits: true, needs: []string{"resume", "history"}}, "returns": {waits: true, needs: []string{"resume"}},
	"twins": {waits: true, needs: []string{"resume"}}, "departures": {waits: true, needs: []string{"resume"}}, "absences": {waits: true, needs: []string{"resume"}},
	"lengths": {ends: true, unvaried: true}, "filters": {ends: true, unvaried: true}, "failures": {ends: true}, "failing chunks": {ends: true, needs: []string{"mapping"}},
	"interruptions": {ends: true, needs: []string{"mapping"}}, "approvals": {ends: true, needs: []string{"mapping"}, unvaried: true},
	"consents": {needs: []string{"approval"}, unvaried: true}, "errands": {needs: []string{"clientTools"}, unvaried: true},
	"pauses": {ends: true, needs: []string{"mapping"}}, "clean ends": {ends: true, needs: alone, unvaried: true}, "said errors": {ends: true, needs: alone, unvaried: true},
	"sweeps": {once: true, needs: []string{"resume"}}, "quiet ends": {once: true, unvaried: true},
	"compressed answers": {once: true, unvaried: true}, "multiplexed answers": {once: true, unvaried: true}, "slow readers": {once: true, needs: alone, unvaried: true},
}

// alone reports whether a model alone does it: such operations replace others.
func (k kind) alone() bool { return slices.Contains(k.needs, "model") }

// asks reports whether the client has to answer calls of the turn.
func (k kind) asks() bool {
	return slices.Contains(k.needs, "approval") || slices.Contains(k.needs, "clientTools")
}

// turn is one turn of a program.
type turn struct {
	chat       int         // from 1
	concurrent bool        // it runs while the one before does
	choice     int         // of the ways in which it is requested, and its readers attach
	operations []Operation // in the order of the script
}

// Program is a sequence of chat turns, which a campaign plays against a server.
type Program struct {
	turns []turn   // in their order; of one chat never two at a time
	usual []string // spellings of the model's events that are replaced by the usual one
}

// String returns the program as Parse reads it, a line for each operation.
func (p Program) String() string {
	var lines []string
	for _, t := range p.turns {
		head := fmt.Sprintf("a turn of chat %d", t.chat)
		if t.concurrent {
			head = "beside it " + head
		}
		lines = append(lines, head+campaign.ByChoice(t.choice))
		for _, o := range t.operations {
			lines = append(lines, o.String())
		}
	}
	return strings.Join(lines, "\n")
}

var heading = regexp.MustCompile(`^(beside it )?a turn of chat ([1-9]\d?)(?: by choice (\d{1,7}))?$`)

// Parse reads a program. Empty lines don't count.
func Parse(text string) (Program, error) {
	var p Program
	for one := range campaign.Lines(text) {
		if m := heading.FindStringSubmatch(one); m != nil {
			chat, err := strconv.Atoi(m[2])
			if err != nil || chat > chats() {
				return p, fmt.Errorf("%q: there are %d chats", one, chats())
			}
			choice, _ := strconv.Atoi(m[3]) // "" is 0
			p.turns = append(p.turns, turn{chat: chat, concurrent: m[1] != "", choice: choice})
			continue
		}
		if len(p.turns) == 0 {
			return p, fmt.Errorf("%q stands before the first turn", one)
		}
		o, err := campaign.ParseOperation(one, func(name string) (data, known bool) {
			k, known := kinds[name]
			return k.data, known
		})
		if err != nil {
			return p, err
		}
		last := &p.turns[len(p.turns)-1]
		last.operations = append(last.operations, o)
	}
	return p, p.valid()
}

// valid returns a mistake in the combination of a program's operations, nil for none.
func (p Program) valid() error {
	if len(p.turns) == 0 {
		return fmt.Errorf("the history is empty")
	}
	var live []int // chats with a turn that runs
	for _, t := range p.turns {
		if !t.concurrent {
			live = nil
		}
		if slices.Contains(live, t.chat) {
			return fmt.Errorf("chat %d would have two turns at a time", t.chat)
		}
		live = append(live, t.chat)
		if err := t.valid(); err != nil {
			return err
		}
	}
	if p.turns[0].concurrent {
		return fmt.Errorf("there is nothing beside which the first turn could run")
	}
	return nil
}

func (t turn) valid() error {
	ended, said := false, map[string]bool{}
	for _, o := range t.operations {
		switch k := kinds[o.Kind]; {
		case o.Count == 0:
			return fmt.Errorf("%q: it never happens", o)
		case k.once && said[o.Kind]:
			return fmt.Errorf("%q: it is said of a turn once", o)
		case ended && o.Kind != "sweeps":
			return fmt.Errorf("%q: nothing happens behind the end of a turn", o)
		default:
			ended, said[o.Kind] = ended || k.ends, true
		}
	}
	return nil
}

// Failure is a program after which the server does something that the model rules out.
type Failure = campaign.Failure[Program]
