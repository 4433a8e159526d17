package merlin

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// AddsUp compares the aggregate of a finished stream, as JSON. The aggregate of a stopped request contains the sent part.
func (s *Stream) AddsUp(aggregate []byte) error {
	var total map[string]any
	if json.Unmarshal(aggregate, &total) != nil {
		return nil // the judge says so
	}
	total["content"] = Joined(aggregate)
	return (&sum{script: s.script, occasions: s.occasions, advise: s.advise, cited: s.cited, shown: s.shown.String(), unsent: s.unsent}).matches(total)
}

// Joined returns the text of an aggregate. The pieces are joined as they are written: one may end inside a character, whose
// halves are escapes.
func Joined(aggregate []byte) string {
	var total struct{ Content []json.RawMessage }
	if json.Unmarshal(aggregate, &total) != nil {
		return ""
	}
	whole := []byte{'"'}
	for _, piece := range total.Content {
		if piece = bytes.TrimSpace(piece); len(piece) > 1 && piece[0] == '"' {
			whole = append(whole, piece[1:len(piece)-1]...)
		}
	}
	var text string
	_ = json.Unmarshal(append(whole, '"'), &text) // of strings
	return text
}

// sum is the expected aggregate of a stream.
type sum struct {
	script        Script           // of the stream
	occasions     OccasionCounts   // of the stream
	advise        func(*Violation) // reports a deviation from a recommendation
	cited         []Citation       // in the order of their marks
	shown, unsent string           // all text that readers received; unsent: marks that needn't come and didn't
}

func (s *sum) matches(total map[string]any) error {
	if err := s.text(total); err != nil {
		return err
	}
	if s.script.stops() {
		if s.script.Version == 1 || s.script.Suppress { // no thought was sent
			return nil
		}
		return s.reasoning(total)
	}
	for _, part := range []func(map[string]any) error{s.reasoning, s.citations, s.calls, s.usage} {
		if err := part(total); err != nil {
			return err
		}
	}
	cut := s.script.has(func(a ScriptStep) bool { return a.Split != nil && *a.Split > 0 })
	if cut && s.script.has(func(a ScriptStep) bool { return a.Usage != nil || a.delta() != nil && len(a.delta().Calls) > 0 }) {
		s.occasions.Saw("merlin.upstream.calls-cut")
	}
	return nil
}

func (s *sum) text(total map[string]any) error {
	if s.script.Suppress { // nothing was sent that it could be compared with
		return nil
	}
	rule, want := "merlin.aggregate.text", s.shown
	switch {
	case s.script.aborts():
		rule = "merlin.failure.partial"
	case s.script.stops():
		rule = "merlin.failure.stopped-partial"
	case s.script.Version == 1 && len(s.cited) > 0:
		rule = "merlin.citations.aggregate"
	}
	text, _ := total["content"].(string)
	came := s.script.complete(text)
	if s.occasions.Saw(rule, "merlin.aggregate.text"); came != want && came != want+s.unsent {
		return unequal(rule, want, came, "the aggregate has another text than was sent")
	}
	return nil
}

// about is the model's reasoning under one index, up to the next index.
type about struct {
	index               int    // unique among those of a response
	text, id, signature string // concatenated pieces
}

// with appends reasoning, or merges it into the one with the same index, as a server may.
func with(all []about, one about) []about {
	if at := slices.IndexFunc(all, func(a about) bool { return a.index == one.index }); at >= 0 {
		all[at].text += one.text
		if !strings.Contains(all[at].id, one.id) {
			all[at].id += one.id
		}
		if !strings.Contains(all[at].signature, one.signature) {
			all[at].signature += one.signature
		}
		return all
	}
	if one.text == "" {
		return all
	}
	return append(all, one)
}

// reasoning compares the model's reasoning. The server may keep it in pieces.
func (s *sum) reasoning(total map[string]any) error {
	var want, got []about
	rule := "merlin.aggregate.collected"
	for _, a := range s.script.Steps {
		if a.Stop {
			rule = "merlin.failure.stopped-partial"
			break
		}
		// A signature alone is no thought. It belongs to the thought of its index, and isn't sent after a stop.
		if d := a.delta(); d != nil && d.Reasoning != nil && (d.Reasoning.Text != "" || !s.script.stops()) {
			want = with(want, about{d.Reasoning.Index, d.Reasoning.Text, d.Reasoning.ID, d.Reasoning.Signature})
		}
	}
	list, _ := total["reasoningContent"].([]any)
	for _, item := range list {
		one, _ := item.(map[string]any)
		word := func(member string) string { said, _ := one[member].(string); return said }
		index, _ := one["index"].(float64)
		got = with(got, about{int(index), word("text"), word("id"), word("signature")})
	}
	if len(want) > 0 {
		s.occasions.Saw(rule)
	}
	byIndex := func(a, b about) int { return cmp.Compare(a.index, b.index) } // a signature alone may have made a thought's place
	slices.SortFunc(want, byIndex)
	slices.SortFunc(got, byIndex)
	if !slices.EqualFunc(want, got, func(w, g about) bool { return w.index == g.index && w.text == g.text }) {
		return unequal(rule, fmt.Sprint(want), fmt.Sprint(got), "the aggregate has other thoughts than the model")
	}
	for i, w := range want {
		if !strings.Contains(got[i].id, w.id) || !strings.Contains(got[i].signature, w.signature) {
			s.advise(unequal("merlin.aggregate.signature", fmt.Sprint(w), fmt.Sprint(got[i]), "a thought lacks its id or its signature"))
		}
	}
	return nil
}

// citations compares the citations, in the order of the model's output or of the marks. A text that is cited twice may
// occur once.
func (s *sum) citations(total map[string]any) error {
	if s.script.Version != 1 {
		return nil
	}
	var want, got []Citation
	add := func(all []Citation, c Citation) []Citation {
		if slices.Contains(all, c) || c.Document >= len(s.script.web()) { // of a document that there isn't nothing need be kept
			return all
		}
		return append(all, c)
	}
	for _, a := range s.script.Steps {
		if d := a.delta(); d != nil && d.Citation != nil {
			want = add(want, *d.Citation)
		}
	}
	list, _ := total["citations"].([]any)
	for _, item := range list {
		one, _ := item.(map[string]any)
		document, _ := one["document_index"].(float64)
		text, _ := one["cited_text"].(string)
		got = add(got, Citation{int(document), text})
	}
	if len(want) > 0 {
		s.occasions.Saw("merlin.aggregate.citations")
	}
	var sent []Citation
	for _, c := range s.cited {
		sent = add(sent, c)
	}
	if !slices.Equal(want, got) && !slices.Equal(sent, got) {
		return unequal("merlin.aggregate.citations", want, got, "the aggregate has other citations than the model")
	}
	return nil
}

// call is a call whose fragments are being joined.
type call struct{ ID, Name, Arguments string }

// entries lists ways to select the entries of an event that a server takes in.
var entries = []func(all []CallPart, known map[int]*call) []CallPart{
	func(all []CallPart, _ map[int]*call) []CallPart { return all },
	func(all []CallPart, _ map[int]*call) []CallPart { return all[:min(1, len(all))] },
	func(all []CallPart, known map[int]*call) []CallPart { // up to one that goes on with nothing
		begun := map[int]bool{}
		for i, part := range all {
			begun[part.Index] = begun[part.Index] || part.Type != "" || known[part.Index] != nil
			if !begun[part.Index] {
				return all[:i]
			}
		}
		return all
	},
}

// called returns the calls of a script, by their index, of the entries that a server takes in. orphan: some continue a call
// that wasn't started.
func (s *sum) called(taken func([]CallPart, map[int]*call) []CallPart) (all map[int]*call, stray bool) {
	all = map[int]*call{}
	for _, a := range s.script.Steps {
		d := a.delta()
		if d == nil {
			continue
		}
		for _, part := range taken(d.Calls, all) {
			known := all[part.Index]
			switch {
			case part.Type != "":
				all[part.Index] = &call{part.ID, part.Function.Name, part.Function.Arguments}
			case known != nil:
				known.Arguments += part.Function.Arguments
			default:
				stray = true
			}
		}
	}
	return all, stray
}

// listed returns the calls that are shown of those that there are.
func (s *sum) listed(all map[int]*call) (out []call) {
	for _, index := range slices.Sorted(maps.Keys(all)) {
		if all[index].Arguments != "" && !s.script.aborts() {
			out = append(out, *all[index])
		}
	}
	return out
}

// calls compares the model's calls. Accepting every entry of an event is only recommended.
func (s *sum) calls(total map[string]any) error {
	all, stray := s.called(entries[0])
	want := s.listed(all)
	var got []call
	list, _ := total["toolCalls"].([]any)
	for _, item := range list {
		one, _ := item.(map[string]any)
		function, _ := one["function"].(map[string]any)
		id, _ := one["id"].(string)
		name, _ := function["name"].(string)
		arguments, _ := function["arguments"].(string)
		got = append(got, call{id, name, arguments})
	}
	several := s.script.has(func(a ScriptStep) bool { d := a.delta(); return d != nil && len(d.Calls) > 1 })
	empty := len(want) < len(all) && !s.script.aborts()
	for hit, rule := range map[string]bool{
		"merlin.tools.every": several, "merlin.tools.unknown": stray, "merlin.tools.empty": empty, "merlin.tools.order": len(all) > 1,
		"merlin.tools.assembled": len(all) > 0, "merlin.failure.no-calls": len(all) > 0 && s.script.aborts(),
	} {
		if rule {
			s.occasions.Saw(hit)
		}
	}
	if slices.Equal(want, got) {
		return nil
	}
	for _, taken := range entries[1:] {
		if some, _ := s.called(taken); slices.Equal(s.listed(some), got) {
			s.advise(unequal("merlin.tools.every", want, got, "the aggregate lacks entries that came with others in one event"))
			return nil
		}
	}
	return unequal(s.miscalled(want, got), want, got, "the aggregate has other calls than the model")
}

// miscalled returns the requirement that calls break which are others.
func (s *sum) miscalled(want, got []call) string {
	ids := func(calls []call) (out []string) {
		for _, c := range calls {
			out = append(out, c.ID)
		}
		return out
	}
	wanted, came := ids(want), ids(got)
	switch {
	case s.script.aborts():
		return "merlin.failure.no-calls"
	case len(got) > len(want) && slices.ContainsFunc(got, func(c call) bool { return c.Arguments == "" }):
		return "merlin.tools.empty"
	case len(got) > len(want):
		return "merlin.tools.unknown"
	case !slices.Equal(wanted, came) && slices.Equal(slices.Sorted(slices.Values(wanted)), slices.Sorted(slices.Values(came))):
		return "merlin.tools.order"
	}
	return "merlin.tools.assembled"
}

// uncounted matches usage members that no server counts itself: only scripts contain them.
var uncounted = regexp.MustCompile(`^(tokens_\d|(even|odd|left|last)_tokens)$`)

func (s *sum) usage(total map[string]any) error {
	want := map[string]any{}
	for _, a := range s.script.Steps {
		maps.Copy(want, a.Usage)
		maps.Copy(want, a.Uses)
	}
	got, _ := total["usage"].(map[string]any)
	for name := range got {
		if _, said := want[name]; !said && uncounted.MatchString(name) {
			return unequal("merlin.aggregate.usage", want, got, "the aggregate has the usage of another stream")
		}
	}
	if len(want) == 0 {
		return nil
	}
	if s.occasions.Saw("merlin.aggregate.usage"); !includes([]any{want}, []any{got}) {
		return unequal("merlin.aggregate.usage", want, got, "the aggregate has another usage than the model")
	}
	return nil
}
