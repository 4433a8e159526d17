package letter

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"

	"github.com/streamcert/streamcert/reference/merlin"
)

// eventManager reports progress. 004:552-618
type eventManager struct {
	s          *stream
	v2         bool
	index      int
	name, icon string
	events     []*progressEvent
}

// progressEvent is a step. 004:632-713
type progressEvent struct {
	m      *eventManager
	id     string
	name   string
	icon   string
	status string
	tags   []string
	values []any
	of     int // its index among the steps
}

// progress does something with the manager, which is made when the first of it comes.
func (s *stream) progress(a merlin.StepInstruction) {
	if s.manager == nil {
		s.manager = &eventManager{s: s, v2: s.start.Manager == "V2", index: s.start.EventManagerIndex} // 004:560-563
		if !s.manager.v2 {                                                                             // 004:571-577
			s.append("progress", object{"payload": object{}, "metadata": object{"type": "HEADING"}})
		}
	}
	m := s.manager
	switch a.Do {
	case "create":
		m.create(a.Step, a.Icon)
		return
	case "latest":
		m.latest(a.Step, a.Icon)
		return
	case "rename": // 004:611-617: in the form of version 2, whatever the version
		m.name, m.icon = a.Name, a.Icon
		title := object{"name": m.name}
		if m.icon != "" {
			title["icon"] = m.icon
		}
		s.append("message", object{"index": m.index, "type": "progress", "content": "", "progress": title})
		return
	}
	e := m.find(a.Step)
	if e == nil {
		return
	}
	switch a.Do {
	case "send":
		var values []any
		for _, raw := range a.Values {
			var v any
			_ = json.Unmarshal(raw, &v) // of a request that was read
			values = append(values, v)
		}
		e.send(values)
	case "tags": // 004:671-675
		e.tags = append(e.tags, a.Tags...)
		var values []any
		for _, tag := range a.Tags {
			values = append(values, object{"type": "TEXT", "value": tag})
		}
		e.send(values)
	case "end": // 004:691-701
		e.status = "DONE"
		e.send(nil)
	}
}

// create makes a step. 004:585-595, 645-669: its first event has its position, and later ones don't.
func (m *eventManager) create(name, icon string) {
	e := &progressEvent{m: m, id: uuid(), name: name, icon: cmp.Or(icon, "DEFAULT"), status: "IN_PROGRESS", tags: []string{}, values: []any{}, of: len(m.events)}
	m.events = append(m.events, e)
	step := e.serialize()
	if !m.v2 {
		delete(step, "tags")
		m.s.append("progress", object{"payload": step})
		return
	}
	step["index"] = e.of
	m.s.append("message", object{"index": m.index, "type": "progress", "content": "", "progress": object{"steps": step}})
}

// find returns the first step of a name, nil for none.
func (m *eventManager) find(name string) (found *progressEvent) {
	for _, e := range m.events {
		if e.name == name && (found == nil || m.s.ways.Other) { // the other way it is the last one
			found = e
		}
	}
	return found
}

// latest goes on with the first step of a name, in the form of version 1 whatever the version. 004:597-609
func (m *eventManager) latest(name, icon string) {
	e := m.find(name)
	if e == nil {
		m.create(name, icon)
		return
	}
	e.status = "IN_PROGRESS"
	if icon != "" && m.s.ways.Other {
		e.icon = icon
	}
	m.s.append("progress", object{"payload": object{"id": e.id, "name": e.name, "status": e.status, "values": e.values, "icon": e.icon}})
}

// send sends the step with more values. 004:677-689
func (e *progressEvent) send(values []any) {
	e.values = append(e.values, values...)
	step := e.serialize()
	if !e.m.v2 {
		delete(step, "tags")
		e.m.s.append("progress", object{"payload": step})
		return
	}
	e.m.s.append("message", object{"index": e.m.index, "type": "progress", "content": "", "progress": object{"steps": step}})
}

// serialize is 004:703-712.
func (e *progressEvent) serialize() object {
	return object{"tags": e.tags, "id": e.id, "name": e.name, "status": e.status, "values": e.values, "icon": e.icon}
}

// uuid is one of version 4.
func uuid() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
