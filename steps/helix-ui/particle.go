package helixui

import (
	"slices"
	"strings"

	"github.com/streamcert/streamcert/features"
	model "github.com/streamcert/streamcert/runner/model/helix-ui"
	client "github.com/streamcert/streamcert/runner/target/helix-ui"
	"github.com/streamcert/streamcert/steps"
)

func partSteps(v *steps.Sentences[*world]) {
	steps.Doc1(v, features.Then, `^the response has these parts in order:$`, onTurn1(hasParts))
	steps.Step1(v, features.Then, `^each part ([a-z-]+) of the response has the members that its list requires$`, func(w *world, _ string) error { return w.Judged() })
	steps.Step1(v, features.Then, `^the response has nothing of `+steps.JSONString+`$`, onTurn1(hasNothing))
}

// hasParts searches for parts one after the other, with others in between. A member that a wanted part doesn't have is free.
func hasParts(t *turn, list string) error {
	v, err := steps.Decode([]byte(list))
	want, isList := v.([]any)
	if err != nil || !isList {
		return steps.Faultf("the parts are no JSON array: %s", list)
	}
	if v, err := t.reader.Head(); err == nil && strings.Contains(list, `"error"`) && v.Status >= 400 && v.Status != 501 {
		t.w.NoteAlternative() // a run that fails before any output may be refused
		return nil
	}
	if err := t.readToEnd(); err != nil {
		return err
	}
	if strings.Contains(list, `"reasoning-start"`) && t.find("reasoning-start") == nil {
		t.w.NoteAlternative() // a server needn't show thoughts
		return nil
	}
	if !t.named(want) {
		return nil // there is nothing to judge
	}
	got := folded(besides(t.parts, want))
	rest := got
	for _, item := range want {
		wanted, _ := item.(map[string]any)
		for len(rest) > 0 && !fits(wanted, rest[0]) {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return t.failure("the part "+string(steps.Encode(wanted)), "none among "+shown(got), nil)
		}
		rest = rest[1:]
	}
	t.w.Saw(1)
	return nil
}

// named replaces types of the specification in the expected parts by types of the target. It reports whether the target sends
// all of them.
func (t *turn) named(want []any) bool {
	names := client.NamesOf(t.w.Session().Target())
	for _, item := range want {
		wanted, _ := item.(map[string]any)
		kind, _ := wanted["type"].(string)
		switch name, known := names[kind]; {
		case known && name == model.NoPart:
			return false
		case known:
			wanted["type"] = name
		}
	}
	return true
}

// besides removes parts of the application of other types than the expected ones: they may come between the pieces of a
// text.
func besides(parts []*part, want []any) []*part {
	own := func(p *part) bool {
		return strings.HasPrefix(p.kind, "data-") || strings.HasPrefix(p.kind, "source-") || p.kind == "file" || p.kind == "message-metadata"
	}
	return slices.DeleteFunc(slices.Clone(parts), func(p *part) bool {
		return own(p) && !slices.ContainsFunc(want, func(item any) bool {
			wanted, _ := item.(map[string]any)
			return wanted["type"] == p.kind
		})
	})
}

// folded returns the members of parts, with the deltas of a part that follow each other in one: how they are split is free.
func folded(parts []*part) []map[string]any { return model.Folded(modelled(parts)) }

// fits reports whether a part has every member that is wanted.
func fits(wanted, got map[string]any) bool {
	for name, value := range wanted {
		if had, there := got[name]; !there || !steps.Same(value, had) {
			return false
		}
	}
	return true
}

// shown is parts without the id of their message, for people.
func shown(parts []map[string]any) string {
	var all []string
	for _, p := range parts {
		delete(p, "messageId")
		all = append(all, string(steps.Encode(p)))
	}
	return strings.Join(all, " ")
}

// hasNothing searches for a word in every part.
func hasNothing(t *turn, quoted string) error {
	word, err := unquoted(quoted)
	if err != nil {
		return err
	}
	if err := t.readToEnd(); err != nil {
		return err
	}
	for _, p := range t.parts {
		if strings.Contains(string(p.frame.Data), word) {
			return t.failure("nothing of "+quoted, steps.Clip(p.frame.Data), p)
		}
	}
	t.w.Saw(1)
	return nil
}
