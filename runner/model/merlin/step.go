package merlin

import (
	"fmt"
	"reflect"
	"slices"
)

// state is a step as it was shown last.
type state struct {
	occasions OccasionCounts // of the stream
	tagged    bool           // its manager keeps tags
	// inEvent: it comes in the form of version 1, which has no tags.
	inEvent bool
	name    string         // the latest
	icon    string         // "" where it may be one of several
	values  []any          // in their order; only added
	tags    []any          // in their order; only added
	done    bool           // it ended, and may not be shown again
	last    map[string]any // the last complete state that was sent
}

// managed takes a message about progress.
func (s *Stream) managed(members map[string]any) error {
	progress, _ := members["progress"].(map[string]any)
	shown, is := progress["steps"].(map[string]any)
	if index, ok := members["index"].(float64); ok {
		s.occasions.Saw("merlin.progress.index")
		if int(index) != s.script.EventManagerIndex {
			return violation("merlin.progress.index", fmt.Sprint(s.script.EventManagerIndex), fmt.Sprint(index), "progress has another index than its manager")
		}
	}
	if is {
		return s.step(shown, false)
	}
	s.next(title)
	switch {
	case s.at < len(s.expected) && s.expected[s.at].kind == title:
		s.at++
	case s.renames > 0:
		s.renames--
	case s.script.has(func(a ScriptStep) bool { return a.Progress != nil && a.Progress.Do == "rename" }):
		return s.surplus("merlin.progress.no-heading", "the title "+clipped(progress))
	default:
		return violation("merlin.progress.no-heading", "no title", clipped(progress), "a title comes for a manager that wasn't renamed")
	}
	return nil
}

// step takes the state of a step, from an event or from a message.
func (s *Stream) step(shown map[string]any, event bool) error {
	id, _ := shown["id"].(string)
	name, _ := shown["name"].(string)
	known := s.steps[id]
	if at := slices.IndexFunc(s.expected[s.at:], func(o expectedItem) bool { return o.kind == step }); at < 0 || known.stays(*s.expected[s.at+at].step.Progress, shown) {
		return s.again(known, shown, event) // before next, which skips optional items
	}
	o := s.next(step)
	if o != nil && o.step.Progress.Step != name && known == nil && o.step.Progress.Do == "create" {
		return unequal("merlin.progress.kept", o.step.Progress.Step, name, "a step has another name than it was created with")
	}
	if o == nil || o.step.Progress.Step != name {
		return s.again(known, shown, event)
	}
	p := *o.step.Progress
	rule := o.of
	if p.Do == "latest" && !named(s.steps, name) {
		p.Do, rule = "create", "merlin.progress.latest-new"
	}
	switch {
	case p.Do == "create" && known != nil:
		return violation("merlin.progress.same-step", "a step of its own", clipped(shown), "a new step has the id of another one")
	case p.Do != "create" && (known == nil || known.name != name):
		return violation(rule, "the step "+clipped(name), clipped(shown), "a step that was made comes under another id")
	case p.Do == "create":
		known = &state{occasions: s.occasions, tagged: s.script.Manager == "V2", name: name, icon: p.Icon}
		s.steps[id] = known
		if p.Icon != "" {
			break
		}
		known.icon = "DEFAULT"
		if s.occasions.Saw("merlin.progress.icon"); shown["icon"] != "DEFAULT" {
			return violation("merlin.progress.icon", `"DEFAULT"`, clipped(shown["icon"]), "a step without an icon has another one")
		}
	}
	if s.pass(); s.script.Version == 2 && s.script.Manager == "V2" && p.Do != "latest" && rule != "merlin.progress.latest-new" {
		if s.occasions.Saw("merlin.progress.v2-message"); event {
			return violation("merlin.progress.v2-message", "a message", "the event progress", "a step comes in the form of version 1")
		}
	}
	known.last = shown
	s.occasions.Saw(rule, "merlin.progress.same-step")
	known.inEvent = event
	return known.becomes(p, rule, shown)
}

// stays reports whether a step is sent unchanged, although the next operation would change it: a server may repeat a state,
// and the operation is then still to come.
func (k *state) stays(p Progress, shown map[string]any) bool {
	if k == nil {
		return false
	}
	for _, of := range []string{"name", "status", "values", "icon", "tags"} {
		if !reflect.DeepEqual(k.last[of], shown[of]) {
			return false
		}
	}
	switch {
	case p.Step != k.name:
		return true
	case p.Do == "send":
		return len(p.Values) > 0
	case p.Do == "tags":
		return len(p.Tags) > 0
	case p.Do == "end":
		return !k.done
	case p.Do == "latest":
		return k.done
	}
	return true
}

// becomes compares a step with its expected state after an operation.
func (k *state) becomes(p Progress, rule string, shown map[string]any) error {
	switch p.Do {
	case "send":
		k.values = append(k.values, p.Values...)
	case "tags":
		for _, tag := range p.Tags {
			k.tags = append(k.tags, tag)
			k.values = append(k.values, map[string]any{"type": "TEXT", "value": tag})
		}
	case "end":
		k.done = true
	case "latest":
		if k.done = false; p.Icon != "" && p.Icon != k.icon { // which it may take or not
			k.icon = ""
		}
	}
	if k.done && p.Do != "end" {
		rule = "merlin.progress.reopened"
		k.occasions.Saw(rule)
	}
	want := map[bool]string{true: "DONE", false: "IN_PROGRESS"}[k.done]
	if shown["status"] != want {
		return violation(rule, want, clipped(shown["status"]), "a step has another status")
	}
	return k.same(shown)
}

// same compares the icon, the values and the tags of a step.
func (k *state) same(shown map[string]any) error {
	if k.icon != "" {
		if k.occasions.Saw("merlin.progress.kept"); shown["icon"] != k.icon {
			return violation("merlin.progress.kept", clipped(k.icon), clipped(shown["icon"]), "a step has another icon than it was created with")
		}
	}
	values, _ := shown["values"].([]any)
	if k.occasions.Saw("merlin.progress.values"); !includes(k.values, values) {
		return unequal("merlin.progress.values", k.values, values, "a step has other values than it was given")
	}
	if !k.tagged || k.inEvent || len(k.tags) == 0 {
		return nil
	}
	tags, _ := shown["tags"].([]any)
	if k.occasions.Saw("merlin.progress.tags-kept"); !includes(k.tags, tags) {
		return unequal("merlin.progress.tags-kept", k.tags, tags, "a step has other tags than it was given")
	}
	return nil
}

// again takes a step that nothing was done with: it may be shown as it is, or as done.
func (s *Stream) again(known *state, shown map[string]any, event bool) error {
	switch {
	case known == nil:
		return s.surplus("merlin.progress.created", clipped(shown))
	case known.name != shown["name"]:
		return unequal("merlin.progress.same-step", known.name, shown["name"], "the id of a step is used for another one")
	case known.done && shown["status"] != "DONE":
		return violation("merlin.progress.reopened", "DONE", clipped(shown["status"]), "a step that is done is in progress again")
	}
	known.inEvent = event
	if err := known.same(shown); err == nil || s.at >= len(s.expected) {
		return err
	}
	return s.missed(s.expected[s.at], clipped(shown)) // something was done with it that isn't its turn yet
}

func named(steps map[string]*state, name string) bool {
	for _, st := range steps {
		if st.name == name {
			return true
		}
	}
	return false
}

// includes reports whether a list has the expected items; objects may have further members.
func includes(want, got []any) bool {
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		w, isObject := want[i].(map[string]any)
		g, is := got[i].(map[string]any)
		if !isObject {
			if !reflect.DeepEqual(want[i], got[i]) {
				return false
			}
			continue
		}
		for name, v := range w {
			if !is || !reflect.DeepEqual(v, g[name]) {
				return false
			}
		}
	}
	return true
}
