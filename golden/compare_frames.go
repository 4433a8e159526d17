package golden

import (
	"fmt"
	"slices"
	"strconv"
)

// event is a frame as its reader understands it, whatever its spelling.
type event struct {
	id, name    string // empty names and those that say nothing new are ""
	hasID, data bool   // data: it has a payload at all
	closed      bool   // its blank line came
	json        bool   // the payload is one JSON value
	payload     value  // zero unless json
	text        string // the payload as it came
	kind        string // the payload's type
}

func (f *Freedoms) readEvent(frame []byte) event {
	var e event
	lines := splitLines(string(frame))
	data, single := parts(lines)
	begun := false
	for _, l := range lines {
		switch name, val := l.field(); name {
		case "id":
			e.id, e.hasID = val, true
		case "event":
			e.name = val
		}
		begun = begun || l.text != ""
		e.closed = e.closed || begun && l.text == "" && l.end != ""
	}
	e.text = joinData(lines, data)
	e.data = len(data) > 0
	e.payload, e.json = decode([]byte(e.text))
	e.json = e.json && single
	if !e.json {
		e.payload = value{}
	}
	if kind := e.payload.get(f.Type); f.Type != "" && kind != nil && kind.kind == kindString {
		e.kind = kind.text
	}
	if e.name == "message" || e.name == e.kind {
		e.name = "" // the name that an event without one has, and the one that says nothing new
	}
	return e
}

// String describes a frame in a difference.
func (e event) String() string {
	const most = 120
	text := e.text
	if len(text) > most {
		text = text[:most] + "…"
	}
	if e.hasID {
		return "frame " + e.id + " " + text
	}
	return "frame " + text
}

// searchWindow is the number of frames in which one that doesn't match is searched.
const searchWindow = 32

// frames finds each frame of the golden in order, and skips frames that a server may add.
func (m *matcher) frames(want, got [][]byte, where string) []Difference {
	f := m.freedoms
	w, known := f.readEvents(want)
	g, _ := f.readEvents(got)
	may := func(e event) bool { // come besides
		return !e.data || e.json && (f.notice(e) || e.kind != "" && !known[e.kind])
	}
	var out []Difference
	i, j := 0, 0
	for i < len(w) || j < len(g) {
		place := fmt.Sprintf("%s, frame %d", where, i+1)
		switch {
		case i < len(w) && j < len(g) && m.try(w[i], g[j]):
			i, j = i+1, j+1
		case j < len(g) && may(g[j]) && (i >= len(w) || w[i].kind != g[j].kind || f.distance(w[i], g[j+1:]) > 0):
			j++
		case i < len(w) && f.notice(w[i]) && f.untold(w[i:], g[j:]):
			i++
		case i >= len(w):
			out = append(out, Difference{place, "", g[j].String()})
			j++
		case j >= len(g):
			out = append(out, Difference{place, w[i].String(), ""})
			i++
		default:
			skipped, missing := f.distance(w[i], g[j+1:]), f.distance(g[j], w[i+1:])
			switch {
			case skipped > 0 && (missing == 0 || skipped <= missing):
				out = append(out, Difference{place, "", g[j].String()})
				j++
			case missing > 0:
				out = append(out, Difference{place, w[i].String(), ""})
				i++
			default:
				out = append(out, m.event(w[i], g[j], place)...)
				i, j = i+1, j+1
			}
		}
	}
	return out
}

// notice reports whether a frame may come besides or not at all.
func (f *Freedoms) notice(e event) bool { return e.kind != "" && e.kind == f.Notice }

// untold reports whether the status frame that the golden goes on with is one that the server left out. Whether readers
// get them in time is for scenarios to find out.
func (f *Freedoms) untold(want, got []event) bool {
	if len(got) == 0 {
		return true
	}
	return f.distance(want[0], got) == 0 && (!f.notice(got[0]) || f.distance(got[0], want[1:]) > 0)
}

// readEvents reads frames, and collects the types that a server may not send besides the golden's frames.
func (f *Freedoms) readEvents(frames [][]byte) (events []event, known map[string]bool) {
	known = map[string]bool{}
	for _, kind := range f.Types {
		known[kind] = true
	}
	for _, frame := range frames {
		e := f.readEvent(frame)
		events = append(events, e)
		known[e.kind] = true
	}
	return events, known
}

// try binds the free choices of two frames, if they match.
func (m *matcher) try(want, got event) bool {
	c := m.clone()
	if len(c.event(want, got, "")) > 0 {
		return false
	}
	*m = *c
	return true
}

// distance returns the distance, from 1, of a frame among others; 0 if it isn't there.
func (f *Freedoms) distance(one event, others []event) int {
	for k := range min(len(others), searchWindow) {
		if f.same(one, others[k]) {
			return k + 1
		}
	}
	return 0
}

// same reports whether two frames say the same when their numbers are left out.
func (f *Freedoms) same(a, b event) bool {
	if a.kind != b.kind || a.json != b.json || !a.json {
		return a.text == b.text
	}
	return f.unnumbered(a.payload) == f.unnumbered(b.payload)
}

func (f *Freedoms) unnumbered(v value) string {
	v.members = slices.DeleteFunc(slices.Clone(v.members), func(m member) bool {
		return f.numbered(m.name) || m.name == "timestamp"
	})
	return v.String()
}

func (m *matcher) event(want, got event, where string) []Difference {
	c := comparison{matcher: m, frame: want.kind}
	if want.hasID && !(got.hasID && m.sequence(want.id, got.id)) {
		c.add(where+", id", strconv.Quote(want.id), got.idText())
	}
	if want.name != got.name {
		c.add(where+", event", strconv.Quote(want.name), strconv.Quote(got.name))
	}
	if want.closed && !got.closed {
		c.add(where, "a blank line at its end", "")
	}
	switch {
	case want.json && got.json:
		if want.kind != "" {
			c.extras = 1
			c.chunk = want.kind == m.freedoms.Chunk
		}
		c.value(want.payload, got.payload, where+", ", 0)
	case want.json != got.json || want.text != got.text || want.data != got.data:
		c.add(where, strconv.Quote(want.text), strconv.Quote(got.text))
	}
	return c.found
}

func (e event) idText() string {
	if !e.hasID {
		return ""
	}
	return strconv.Quote(e.id)
}
