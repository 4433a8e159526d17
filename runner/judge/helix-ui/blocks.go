package helixui

import (
	"fmt"

	"github.com/streamcert/streamcert/runner/judge"
)

// blockRules are the requirements on texts, or on reasoning.
type blockRules struct{ name, opened, closed, unique, step string }

// blocks are the texts, or the reasoning, of a response.
type blocks struct {
	rules blockRules           // of texts or of reasoning, set by New
	open  judge.Opened[string] // ids, by hash
	ended judge.Seen           // hashes of ids
}

// take takes a start, a delta or an end.
func (b *blocks) take(m *machine, at judge.Position, stage string, object map[string]any) {
	id, named := object["id"].(string)
	if !named {
		return // the schema has reported it
	}
	key := judge.Hash(id)
	_, open := b.open.Get(key)
	switch stage {
	case "start":
		m.Saw(b.rules.unique)
		if open {
			m.Violation(b.rules.unique, at, "a "+b.rules.name+" part begins under the id of one that is open", "an id of its own", judge.Show(id))
		}
		b.open.Put(key, id)
		return
	case "delta", "end":
		m.Saw(b.rules.opened)
		if !open && !m.resumed && !b.open.Lost() {
			got := "never begun"
			if b.ended.Ever(key) {
				got = "ended before"
			}
			m.Violation(b.rules.opened, at, "a "+b.rules.name+"-"+stage+" belongs to no open part", b.rules.name+"-start for "+judge.Show(id), got)
		}
	}
	if stage == "end" {
		m.Saw(b.rules.closed)
		b.open.Drop(key)
		b.ended.Add(key)
	}
}

// over checks that none is open where a step or the message ends. rule is "" for the message.
func (b *blocks) over(m *machine, at judge.Position, rule, end string) {
	n := b.open.Len()
	if b.ended.Any() || n > 0 {
		m.Saw(rule)
	}
	if n == 0 {
		return
	}
	got := fmt.Sprintf("%d open at %s", n, end)
	if rule != "" {
		m.Violation(rule, at, "a "+b.rules.name+" part is open where its step ends", b.rules.name+"-end", got)
		return
	}
	m.Saw(b.rules.closed)
	m.Violation(b.rules.closed, at, "a "+b.rules.name+" part never ends", b.rules.name+"-end", got)
}

// unfinished describes an open block, "" if none is open.
func (b *blocks) unfinished() string {
	if b.open.Len() == 0 {
		return ""
	}
	return "in an open " + b.rules.name + " part"
}

// forget drops the open blocks: their step is void.
func (b *blocks) forget() { b.open = judge.Opened[string]{} }
