package diagram

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// point is a position in a picture.
type point struct{ x, y float64 }

// badge is the radius of the circle around the number of an arrow.
const badge = 9

// graph draws nodes in layers, and arrows with numbers.
func (d Diagram) graph(link Link) string {
	g := d.layers()
	p := &picture{link: link}
	numbers := &picture{link: link}
	var taken []point
	for _, l := range g.lines {
		points := g.path(l)
		if l.reversed {
			slices.Reverse(points)
		}
		a := d.Arrows[l.arrow]
		p.linked(a, func() { p.add(`<path class="arrow" d="%s" marker-end="url(#graph-head)"/>`, curve(points)) })
		at := free(points, taken)
		taken = append(taken, at)
		numbers.number(a, l.arrow, at)
	}
	for _, it := range g.items {
		n := d.Nodes[it.node]
		y := top(it)
		if n.Begin {
			p.add(`<circle class="begin" cx="%.1f" cy="%.1f" r="%d"/>`, it.x, y+nodeHeight-beginSize/2, beginSize/2)
			continue
		}
		p.add(`<rect class="node" x="%.1f" y="%.1f" width="%.1f" height="%d" rx="8"/>`, it.x-it.width/2, y, it.width, nodeHeight)
		p.add(`<text class="name" x="%.1f" y="%.1f">%s</text>`, it.x, y+nodeHeight/2+4.5, escape(n.Label))
		d.loops(p, numbers, it)
	}
	p.WriteString(numbers.String())
	width := 0.0
	for _, layer := range g.layers {
		for _, it := range layer {
			width = max(width, it.x+it.width/2+it.loopsWidth())
		}
	}
	return p.draw("graph", width+2*margin, float64(len(g.layers)-1)*layerHeight+nodeHeight+2*margin)
}

func top(it *item) float64 { return margin + float64(it.layer)*layerHeight }

// loops draws the arrows from a node to itself, next to each other.
func (d Diagram) loops(p, numbers *picture, it *item) {
	k := 0
	for i, a := range d.Arrows {
		if a.From != a.To || a.From != d.Nodes[it.node].ID {
			continue
		}
		right, y := it.x+it.width/2, top(it)
		reach := float64(k)*loopWidth*1.3 + 34
		p.linked(a, func() {
			p.add(`<path class="arrow" d="M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f" marker-end="url(#graph-head)"/>`,
				right, y+8, right+reach, y, right+reach, y+nodeHeight, right+1, y+nodeHeight-8)
		})
		numbers.number(a, i, point{right + reach*0.75 + 2, y + nodeHeight/2})
		k++
	}
}

// number draws the number of an arrow in a circle.
func (p *picture) number(a Arrow, arrow int, at point) {
	p.linked(a, func() {
		p.add(`<circle class="badge" cx="%.1f" cy="%.1f" r="%d"/><text class="count" x="%.1f" y="%.1f">%d</text>`, at.x, at.y, badge, at.x, at.y+3.8, arrow+1)
	})
}

// path returns the points of a line from the bottom of its upper node to the top of its lower one. Lines at one node are
// next to each other, in the order of their other ends.
func (g *layered) path(l line) []point {
	first, last := l.passes[0], l.passes[len(l.passes)-1]
	points := []point{{g.port(l, first, false), top(first) + nodeHeight}}
	for _, bend := range l.passes[1 : len(l.passes)-1] {
		points = append(points, point{bend.x, top(bend)}, point{bend.x, top(bend) + nodeHeight})
	}
	return append(points, point{g.port(l, last, true), top(last)})
}

// port returns the position on the upper or lower edge of a node at which a line begins or ends.
func (g *layered) port(l line, it *item, upper bool) float64 {
	var there []line
	for _, other := range g.lines {
		if end := other.passes[len(other.passes)-1]; upper && end == it || !upper && other.passes[0] == it {
			there = append(there, other)
		}
	}
	next := func(o line) float64 {
		if upper {
			return o.passes[len(o.passes)-2].x
		}
		return o.passes[1].x
	}
	slices.SortStableFunc(there, func(a, b line) int { return cmp.Or(cmp.Compare(next(a), next(b)), cmp.Compare(a.arrow, b.arrow)) })
	i := slices.IndexFunc(there, func(o line) bool { return o.arrow == l.arrow })
	room := min(it.width-16, float64(len(there)-1)*26)
	if len(there) < 2 || room <= 0 {
		return it.x
	}
	return it.x - room/2 + room*float64(i)/float64(len(there)-1)
}

// curve returns a path through points that arrives and leaves vertically.
func curve(points []point) string {
	var b strings.Builder
	fmt.Fprintf(&b, "M%.1f %.1f", points[0].x, points[0].y)
	for i, to := range points[1:] {
		from := points[i]
		if from.x == to.x {
			fmt.Fprintf(&b, " V%.1f", to.y)
			continue
		}
		bend := (to.y - from.y) * 0.5
		fmt.Fprintf(&b, " C%.1f %.1f %.1f %.1f %.1f %.1f", from.x, from.y+bend, to.x, to.y-bend, to.x, to.y)
	}
	return b.String()
}

// free returns the position on a line, near its middle, that is farthest from the numbers that are already there, as soon as
// it is far enough.
func free(points []point, taken []point) point {
	best, far := point{}, -1.0
	for _, t := range []float64{0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74} {
		at := along(points, t)
		least := math.Inf(1)
		for _, o := range taken {
			least = min(least, math.Hypot(at.x-o.x, at.y-o.y))
		}
		if least > far {
			best, far = at, least
		}
		if least > 2*badge+4 {
			return at
		}
	}
	return best
}

// along returns the point at a fraction of a line, from 0 to 1.
func along(points []point, t float64) point {
	total := points[len(points)-1].y - points[0].y
	want := points[0].y + t*total
	for i, to := range points[1:] {
		from := points[i]
		if lo, hi := min(from.y, to.y), max(from.y, to.y); want < lo || want > hi || lo == hi {
			continue
		}
		// A cubic with vertical ends, halfway bent: its height isn't linear in s, so s is searched.
		lo, hi := 0.0, 1.0
		for range 30 {
			s := (lo + hi) / 2
			if (bezier(from.y, (from.y+to.y)/2, (from.y+to.y)/2, to.y, s)-want)*(to.y-from.y) < 0 {
				lo = s
			} else {
				hi = s
			}
		}
		return point{bezier(from.x, from.x, to.x, to.x, lo), want}
	}
	return points[0]
}

func bezier(a, b, c, d, s float64) float64 {
	r := 1 - s
	return r*r*r*a + 3*r*r*s*b + 3*r*s*s*c + s*s*s*d
}
