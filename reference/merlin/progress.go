package merlin

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
)

// manager reports progress to the client: steps with a status. Version 1 has a separate event for that, version 2 messages.
type manager struct {
	s     *stream // to which it writes
	v2    bool    // steps come in messages
	name  string  // of its heading; "" for none
	icon  string  // of its heading; "" for none
	steps []*step // in the order of their creation; never removed
}

// step is one thing that is being done.
type step struct {
	id     string // made by the server, unique
	number int    // by its creation, from 0. merlin.progress.numbered
	name   string // unique in the manager
	icon   string // never empty
	done   bool   // its status is done
	values []any  // as JSON values; only appended
	tags   []any  // texts; only appended
}

// progress returns the manager of the stream, which is made on first use. Without a version in the script it has that of
// the stream. merlin.progress.default-version, merlin.chunks.no-v1-events
func (s *stream) progress() *manager {
	if s.manager == nil {
		s.manager = &manager{s: s, v2: s.c.Start.Manager == "V2" || s.c.Start.Manager == "" && s.c.Version == 2}
		s.manager.heading()
	}
	return s.manager
}

// heading sends the first event of a manager of version 1. merlin.progress.heading, merlin.progress.no-heading
func (m *manager) heading() {
	if !m.v2 {
		_ = m.s.send(Progress, map[string]any{"payload": m.title(), "metadata": map[string]any{"type": "HEADING"}}) // the next event shows an error
	}
}

// title returns the name and the icon of the manager, as far as it has them.
func (m *manager) title() map[string]any {
	title := map[string]any{}
	if m.name != "" {
		title["name"] = m.name
	}
	if m.icon != "" {
		title["icon"] = m.icon
	}
	return title
}

func (m *manager) do(a StepInstruction) error {
	switch a.Do {
	case "create":
		return m.create(a.Step, a.Icon)
	case "rename":
		return m.rename(a.Name, a.Icon)
	case "latest":
		return m.latest(a.Step, a.Icon)
	}
	st := m.find(a.Step)
	if st == nil {
		return nil // no such step was created
	}
	switch a.Do {
	case "send":
		for _, raw := range a.Values {
			var v any
			if json.Unmarshal(raw, &v) == nil {
				st.values = append(st.values, v) // merlin.progress.values
			}
		}
	case "tags": // merlin.progress.tags, merlin.progress.tags-kept
		for _, tag := range a.Tags {
			st.tags = append(st.tags, tag)
			st.values = append(st.values, map[string]any{"type": "TEXT", "value": tag})
		}
	case "end":
		st.done = true // merlin.progress.done
	}
	return m.send(st)
}

func (m *manager) find(name string) *step {
	i := slices.IndexFunc(m.steps, func(s *step) bool { return s.name == name })
	if i < 0 {
		return nil
	}
	return m.steps[i]
}

// create makes a step and sends it at once. merlin.progress.created, merlin.progress.icon
func (m *manager) create(name, icon string) error {
	st := &step{id: newID(), number: len(m.steps), name: name, icon: cmp.Or(icon, "DEFAULT"), values: []any{}, tags: []any{}}
	m.steps = append(m.steps, st)
	return m.send(st)
}

// latest goes on with a step of that name, or makes one. merlin.progress.latest, merlin.progress.latest-new,
// merlin.progress.reopened
func (m *manager) latest(name, icon string) error {
	st := m.find(name)
	if st == nil {
		return m.create(name, icon)
	}
	st.done = false
	return m.send(st)
}

// rename sends the new title. merlin.progress.rename
func (m *manager) rename(name, icon string) error {
	m.name, m.icon = name, icon
	if !m.v2 {
		return m.s.send(Progress, map[string]any{"payload": m.title(), "metadata": map[string]any{"type": "HEADING"}})
	}
	return m.message(m.title())
}

// send sends a step as it is. merlin.progress.v1-event, merlin.progress.v2-message, merlin.progress.members,
// merlin.progress.kept, merlin.progress.status, merlin.progress.same-step, merlin.progress.uuid
func (m *manager) send(st *step) error {
	status := "IN_PROGRESS"
	if st.done {
		status = "DONE"
	}
	shown := map[string]any{"id": st.id, "name": st.name, "status": status, "values": slices.Clone(st.values), "icon": st.icon}
	if !m.v2 {
		return m.s.send(Progress, map[string]any{"payload": shown})
	}
	shown["tags"], shown["index"] = slices.Clone(st.tags), st.number
	return m.message(map[string]any{"steps": shown})
}

// message is the form of version 2, under the index of the manager. merlin.progress.index
func (m *manager) message(progress map[string]any) error {
	return m.s.send(Message, map[string]any{
		"content": "", "type": "progress", "index": m.s.c.Start.EventManagerIndex, "progress": progress,
	})
}

// newID returns a UUID of version 4.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
