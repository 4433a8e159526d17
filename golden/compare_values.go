package golden

import (
	"fmt"
	"strings"
)

// comparison walks two JSON values and collects where they differ. Without a matcher it is exact.
type comparison struct {
	matcher *matcher // nil compares exactly
	extras  int      // objects at fewer levels than this may have members that the golden lacks
	chunk   bool     // and likewise the chunk in a frame; deeper values were written by a writer
	frame   string   // type of the frame, for the members that it may lack
	// snapshot: the division of its messages and the spelling of its time are left to the server.
	snapshot bool
	found    []Difference // in the order of the golden
}

// exactly compares without any freedom; the positions are JSON pointers.
func exactly(want, got value) []Difference {
	var c comparison
	c.value(want, got, "", 0)
	return c.found
}

func (c *comparison) add(where, want, got string) {
	c.found = append(c.found, Difference{where, want, got})
}

func (c *comparison) differ(want, got value, where string) {
	if strings.HasSuffix(where, ", ") || where == "" {
		where += "/"
	}
	c.add(where, want.String(), got.String())
}

func (c *comparison) value(want, got value, where string, depth int) {
	switch {
	case want.kind != got.kind:
		c.differ(want, got, where)
	case want.kind == kindObject:
		c.object(want, got, where, depth)
	case want.kind == kindArray:
		for i := range max(len(want.items), len(got.items)) {
			place := fmt.Sprintf("%s/%d", where, i)
			switch {
			case i >= len(got.items):
				c.add(place, want.items[i].String(), "")
			case i >= len(want.items):
				c.add(place, "", got.items[i].String())
			default:
				c.value(want.items[i], got.items[i], place, depth+1)
			}
		}
	case !c.scalar(want, got):
		c.differ(want, got, where)
	}
}

// scalar compares tokens; placeholders for free choices match whatever was bound to them.
func (c *comparison) scalar(want, got value) bool {
	if c.matcher == nil || want.kind != kindStamp && want.kind != kindString {
		return want.text == got.text
	}
	class := c.matcher.freedoms.tokenClass(want.text)
	if class == "" {
		return want.text == got.text
	}
	return class == c.matcher.freedoms.tokenClass(got.text) && c.matcher.choice(want.text, got.text)
}

// tokenClass returns the meaning of a placeholder for a free choice, without its number; {ts2<ts1} and {ts2} are of two
// classes. It is empty for other text.
func (f *Freedoms) tokenClass(text string) string {
	if len(text) > 64 || text == "" || placeholder.FindString(text) != text || !f.isFree(text) {
		return ""
	}
	class, _ := tokenParts(text)
	if strings.Contains(text, "<") {
		class += "<"
	}
	return class
}

func (c *comparison) object(want, got value, where string, depth int) {
	i, j := 0, 0 // both are sorted by name
	for i < len(want.members) || j < len(got.members) {
		switch {
		case j >= len(got.members) || i < len(want.members) && want.members[i].name < got.members[j].name:
			if w := want.members[i]; c.matcher == nil || depth > 0 || !c.matcher.freedoms.mayLack(c.frame, w.name) {
				c.add(where+"/"+pointer(w.name), w.value.String(), "")
			}
			i++
		case i >= len(want.members) || want.members[i].name > got.members[j].name:
			g := got.members[j]
			twice := j > 0 && got.members[j-1].name == g.name
			if twice || depth >= c.extras && !(c.chunk && depth == 1 && strings.HasSuffix(where, ", /"+c.matcher.freedoms.Chunk)) {
				c.add(where+"/"+pointer(g.name), "", g.value.String())
			}
			j++
		default:
			c.member(want.members[i], got.members[j], where, depth)
			i, j = i+1, j+1
		}
	}
}

func (c *comparison) member(want, got member, where string, depth int) {
	place := where + "/" + pointer(want.name)
	w, g := want.value, got.value
	if c.snapshot && depth == 0 {
		switch {
		case want.name == "messages" && g.kind == kindArray:
			return
		case want.name == "timestamp" && strings.HasPrefix(g.text, "{ts"):
			return
		}
	}
	if c.matcher != nil && depth == 0 && c.matcher.freedoms.numbered(want.name) {
		switch {
		case w.kind == kindNumber && g.kind == kindNumber:
			if !c.matcher.sequence(w.text, g.text) {
				c.differ(w, g, place)
			}
			return
		case w.kind == kindArray && g.kind == kindArray && c.sequences(w, g):
			return
		}
	}
	c.value(w, g, place, depth+1)
}

func (c *comparison) sequences(want, got value) bool {
	if len(want.items) != len(got.items) {
		return false
	}
	for i := range want.items {
		w, g := want.items[i], got.items[i]
		if w.kind != kindNumber || g.kind != kindNumber || !c.matcher.sequence(w.text, g.text) {
			return false
		}
	}
	return true
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1") // made once: making it costs more than using it

// pointer escapes a member's name for a JSON pointer.
func pointer(name string) string { return pointerEscapes.Replace(name) }
