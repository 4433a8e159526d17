package merlin

import (
	"strconv"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/wire"
)

// step is the last state of a progress step that was sent.
type step struct {
	key    uint64       // hash of its id
	name   string       // as it was shown first
	number judge.Number // its index in its manager; missing if it wasn't an integer
}

// v1Progress judges an event progress.
func (m *machine) v1Progress(f *wire.Frame, v judge.Verdict) {
	at := judge.At(f)
	first := !m.progressed
	m.progressed = true
	if m.version == 1 {
		m.Saw(progressV1Event)
	}
	isTitle := titles(v.Object)
	if first && m.version == 1 {
		m.Saw(progressHeading)
		if !isTitle {
			m.Violation(progressHeading, at, "progress begins without a title", `metadata with the type "HEADING"`, judge.Show(v.Object))
		}
	}
	if isTitle {
		m.Saw(progressHeading)
		m.document(at, "v1/heading", f.Data)
		return
	}
	m.document(at, "v1/step", f.Data)
	m.step(at, judge.Number{OK: true}, v.Object["payload"])
}

// titles reports whether a progress event shows a title: its metadata has one, or it has metadata and isn't of a step,
// which has an id. A step may have metadata as well.
func titles(object map[string]any) bool {
	metadata, there := object["metadata"]
	if of, is := metadata.(map[string]any); is && of["type"] == "HEADING" {
		return true
	}
	payload, _ := object["payload"].(map[string]any)
	_, step := payload["id"]
	return there && !step
}

// step judges one state of a step; manager is the index under which its manager shows it.
func (m *machine) step(at judge.Position, manager judge.Number, shown any) {
	object, is := shown.(map[string]any)
	if !is {
		return // a title
	}
	m.Saw(progressMembers)
	m.Saw(progressUUID)
	m.Saw(progressStatus)
	id, _ := object["id"].(string)
	name, _ := object["name"].(string)
	if id == "" {
		return
	}
	key := judge.Hash(id)
	st, there := m.steps.Get(key)
	if !there {
		st = &step{key: key, name: name, number: judge.Integer(object["index"])}
		m.steps.Put(key, st)
		m.numbered(at, manager.N, st)
	} else {
		m.SameText(progressSameStep, at, "the id was that of another step", st.name, name)
		m.SameNumber(progressNumbered, at, "a step has another number than before", st.number, judge.Integer(object["index"]))
	}
	if object["status"] == "DONE" {
		delete(m.open, key)
	} else {
		m.open[key] = true
	}
}

// numbered judges the number of a step that is new, where it has one.
func (m *machine) numbered(at judge.Position, manager int64, st *step) {
	want := m.numbers[manager]
	m.numbers[manager]++
	if !st.number.OK {
		return
	}
	m.Saw(progressNumbered)
	if st.number.N != want {
		m.Violation(progressNumbered, at, "the number isn't that of the step among those of its manager", strconv.FormatInt(want, 10), strconv.FormatInt(st.number.N, 10))
	}
}
