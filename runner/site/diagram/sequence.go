package diagram

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Measures of a picture, in pixels at its natural size.
const (
	letter       = 6.3 // the mean width of a letter of a text
	lineHeight   = 15
	headHeight   = 30
	maxTextWidth = 40 // letters of a line of text between two participants
	margin       = 8
)

// Link gives the address of a requirement, "" for none.
type Link func(id string) string

// SVG draws the diagram. Links of arrows are those of their first id. The picture is hidden from screen readers, because a
// list of the arrows has the same content.
func (d Diagram) SVG(link Link) string {
	if d.Sequence {
		return d.sequence(link)
	}
	return d.graph(link)
}

// picture is an SVG that is being drawn.
type picture struct {
	strings.Builder
	link Link
}

func (p *picture) add(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// linked draws something that leads to the first of some requirements.
func (p *picture) linked(a Arrow, draw func()) {
	to := ""
	if len(a.IDs) > 0 {
		to = p.link(a.IDs[0])
	}
	if to == "" {
		draw()
		return
	}
	p.add(`<a href="%s" tabindex="-1"><title>%s</title>`, escape(to), escape(strings.Join(a.IDs, ", ")))
	draw()
	p.add(`</a>`)
}

func escape(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(s)
}

// draw returns a picture of a size with its arrowheads.
func (p *picture) draw(kind string, width, height float64) string {
	return fmt.Sprintf(`<svg class="diagram %s" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" aria-hidden="true" focusable="false">
<defs><marker id="%s-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="head" d="M0 0.8 L7 4 L0 7.2 z"/></marker></defs>
`, kind, width, height, width, height, kind) + p.String() + "</svg>\n"
}

// sequence draws participants from left to right and messages from top to bottom.
func (d Diagram) sequence(link Link) string {
	p := &picture{link: link}
	at, width := d.columns()
	y := float64(margin + headHeight + 10)
	rows := &picture{link: link}
	for _, a := range d.Arrows {
		from, to := at[a.From], at[a.To]
		room := maxTextWidth
		if gap := to - from; gap > 0 || gap < 0 {
			room = max(room, int(max(gap, -gap)/letter)-3)
		}
		lines := wrapped(a.Text, room)
		y += float64(lineHeight*len(lines)) + 3
		rows.linked(a, func() { rows.row(a, lines, from, to, y) })
		y += 8
		if a.Note || a.From == a.To {
			y += 8
		}
	}
	for _, n := range d.Nodes {
		x := at[n.ID]
		w := float64(utf8.RuneCountInString(n.Label))*letter + 26
		p.add(`<path class="life" d="M%.1f %d V%.1f"/>`, x, margin+headHeight, y)
		p.add(`<rect class="node" x="%.1f" y="%d" width="%.1f" height="%d" rx="6"/>`, x-w/2, margin, w, headHeight)
		p.add(`<text class="name" x="%.1f" y="%d">%s</text>`, x, margin+headHeight/2+4, escape(n.Label))
	}
	p.WriteString(rows.String())
	return p.draw("sequence", width, y+margin)
}

// columns gives the position of each participant, and the width of all.
func (d Diagram) columns() (map[string]float64, float64) {
	at := map[string]float64{}
	x := float64(margin)
	for i, n := range d.Nodes {
		half := float64(utf8.RuneCountInString(n.Label))*letter/2 + 20
		if i == 0 {
			x += half
		} else {
			x += max(maxTextWidth*letter+14, half*2)
		}
		at[n.ID] = x
	}
	width := x + float64(utf8.RuneCountInString(d.Nodes[len(d.Nodes)-1].Label))*letter/2 + 20 + margin
	for _, a := range d.Arrows {
		if a.From == a.To { // next to its line, or over it
			longest := 0
			for _, line := range wrapped(a.Text, maxTextWidth) {
				longest = max(longest, utf8.RuneCountInString(line))
			}
			width = max(width, at[a.From]+float64(longest)*letter+50)
		}
	}
	return at, width
}

// row draws one message whose arrow is at a height, its text above.
func (p *picture) row(a Arrow, lines []string, from, to, y float64) {
	class := "arrow"
	if a.Answer {
		class += " answer"
	}
	x, anchor := (from+to)/2, "middle"
	switch {
	case a.Note:
		w := 0
		for _, line := range lines {
			w = max(w, utf8.RuneCountInString(line))
		}
		p.add(`<rect class="note" x="%.1f" y="%.1f" width="%.1f" height="%d" rx="3"/>`, from-8, y-float64(lineHeight*len(lines))-1, float64(w)*letter+20, lineHeight*len(lines)+6)
		x, anchor = from+2, "start"
	case a.From == a.To:
		p.add(`<path class="%s" d="M%.1f %.1f h22 v10 h-18" marker-end="url(#sequence-head)"/>`, class, from, y-6)
		x, anchor = from+30, "start"
	case a.Lost:
		end := from + (to-from)*0.62
		p.add(`<path class="%s" d="M%.1f %.1f H%.1f"/>`, class, from, y, end)
		p.add(`<path class="lost" d="M%.1f %.1f l10 10 m0 -10 l-10 10"/>`, end-5, y-5)
	default:
		gap := 2.0
		if to < from {
			gap = -2
		}
		p.add(`<path class="%s" d="M%.1f %.1f H%.1f" marker-end="url(#sequence-head)"/>`, class, from, y, to-gap)
	}
	for i, line := range lines {
		p.add(`<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, x, y-5-float64(lineHeight*(len(lines)-1-i)), anchor, escape(line))
	}
}

// wrapped breaks a text between words into lines of at most so many letters, as far as words allow.
func wrapped(text string, room int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > room:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}
