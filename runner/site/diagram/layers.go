package diagram

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// Measures of a graph.
const (
	layerHeight = 88
	nodeHeight  = 32
	nodeGap     = 20
	bendWidth   = 18 // that a line takes where it passes a layer
	loopWidth   = 40 // width of a loop next to its node
	beginSize   = 12
	sweeps      = 12
)

// item is a node in its layer, or the position where a line passes one.
type item struct {
	node    int // its index among the nodes, -1 for a passing line
	layer   int
	x       float64 // of the middle
	width   float64
	loops   int // number of loops at its right
	up      []*item
	down    []*item
	ordered int // its index in its layer
}

// line is an arrow as it was laid out.
type line struct {
	arrow    int // its index among the arrows
	passes   []*item
	reversed bool // it goes against the layers
}

// layered is a graph whose nodes are in layers, with each arrow from one layer to the next.
type layered struct {
	layers [][]*item
	lines  []line
	items  []*item // of the nodes
}

// layers lays a graph out: arrows that lead back are reversed, each node is below its predecessors, and the nodes of a
// layer are ordered and positioned by the means of their neighbours.
func (d Diagram) layers() *layered {
	g := &layered{}
	for i, n := range d.Nodes {
		w := float64(utf8.RuneCountInString(n.Label))*letter + 28
		if n.Begin {
			w = beginSize
		}
		g.items = append(g.items, &item{node: i, width: w})
	}
	back := d.back()
	g.rank(d, back)
	for i, a := range d.Arrows {
		from, to := d.index(a.From), d.index(a.To)
		if from == to {
			g.items[from].loops++
			continue
		}
		if back[i] {
			from, to = to, from
		}
		g.connect(i, g.items[from], g.items[to], back[i])
	}
	g.order()
	g.layOut()
	return g
}

// back finds the arrows that lead to a node which a walk from the first nodes is still in.
func (d Diagram) back() map[int]bool {
	const unseen, open, done = 0, 1, 2
	state := make([]int, len(d.Nodes))
	out := map[int]bool{}
	var walk func(n int)
	walk = func(n int) {
		state[n] = open
		for i, a := range d.Arrows {
			if d.index(a.From) != n || a.From == a.To {
				continue
			}
			switch to := d.index(a.To); state[to] {
			case unseen:
				walk(to)
			case open:
				out[i] = true
			}
		}
		state[n] = done
	}
	for n := range d.Nodes {
		if state[n] == unseen {
			walk(n)
		}
	}
	return out
}

// rank puts each node one layer below the lowest that leads to it.
func (g *layered) rank(d Diagram, back map[int]bool) {
	for range d.Nodes {
		for i, a := range d.Arrows {
			from, to := d.index(a.From), d.index(a.To)
			if back[i] {
				from, to = to, from
			}
			if from != to {
				g.items[to].layer = max(g.items[to].layer, g.items[from].layer+1)
			}
		}
	}
	for _, it := range g.items {
		g.enter(it)
	}
}

func (g *layered) enter(it *item) {
	for len(g.layers) <= it.layer {
		g.layers = append(g.layers, nil)
	}
	g.layers[it.layer] = append(g.layers[it.layer], it)
}

// connect leads a line from one item to a lower one through all layers between.
func (g *layered) connect(arrow int, from, to *item, reversed bool) {
	l := line{arrow: arrow, passes: []*item{from}, reversed: reversed}
	at := from
	for layer := from.layer + 1; layer < to.layer; layer++ {
		bend := &item{node: -1, layer: layer, width: bendWidth}
		g.enter(bend)
		at.down, bend.up = append(at.down, bend), append(bend.up, at)
		l.passes = append(l.passes, bend)
		at = bend
	}
	at.down, to.up = append(at.down, to), append(to.up, at)
	l.passes = append(l.passes, to)
	g.lines = append(g.lines, l)
}

// order sorts each layer by the mean position of its neighbours, downwards and upwards in turn, and keeps the order with
// the fewest crossings.
func (g *layered) order() {
	number := func() {
		for _, layer := range g.layers {
			for i, it := range layer {
				it.ordered = i
			}
		}
	}
	number()
	best, fewest := g.copied(), g.crossings()
	for sweep := range sweeps {
		for i := range g.layers {
			at, near := i, func(it *item) []*item { return it.up }
			if sweep%2 == 1 {
				at, near = len(g.layers)-1-i, func(it *item) []*item { return it.down }
			}
			slices.SortStableFunc(g.layers[at], func(a, b *item) int { return cmp.Compare(mean(a, near(a)), mean(b, near(b))) })
			for j, it := range g.layers[at] {
				it.ordered = j
			}
		}
		if n := g.crossings(); n < fewest {
			best, fewest = g.copied(), n
		}
	}
	g.layers = best
	number()
}

func (g *layered) copied() [][]*item {
	out := make([][]*item, len(g.layers))
	for i, layer := range g.layers {
		out[i] = slices.Clone(layer)
	}
	return out
}

// mean returns the mean position of neighbours; its position where there are none.
func mean(it *item, near []*item) float64 {
	if len(near) == 0 {
		return float64(it.ordered)
	}
	sum := 0
	for _, n := range near {
		sum += n.ordered
	}
	return float64(sum) / float64(len(near))
}

// crossings counts the pairs of lines that cross between layers.
func (g *layered) crossings() int {
	n := 0
	for _, layer := range g.layers {
		for i, a := range layer {
			for _, b := range layer[i+1:] {
				for _, x := range a.down {
					for _, y := range b.down {
						if x.ordered > y.ordered {
							n++
						}
					}
				}
			}
		}
	}
	return n
}

// layOut gives every item its x: near the mean of its neighbours, as far from the others of its layer as both are wide.
func (g *layered) layOut() {
	for _, layer := range g.layers {
		x := 0.0
		for _, it := range layer {
			it.x = x + it.width/2
			x += it.width + it.loopsWidth() + nodeGap
		}
	}
	for sweep := range 4 * sweeps {
		for i := range g.layers {
			at := i
			if sweep%2 == 1 {
				at = len(g.layers) - 1 - i
			}
			g.settle(g.layers[at])
		}
	}
	least := 0.0
	for i, layer := range g.layers {
		for j, it := range layer {
			if left := it.x - it.width/2; i == 0 && j == 0 || left < least {
				least = left
			}
		}
	}
	for _, layer := range g.layers {
		for _, it := range layer {
			it.x += margin - least
		}
	}
}

func (it *item) loopsWidth() float64 { return float64(it.loops) * loopWidth }

// settle moves the items of a layer to where their neighbours want them, and apart again.
func (g *layered) settle(layer []*item) {
	want := make([]float64, len(layer))
	for i, it := range layer {
		near := slices.Concat(it.up, it.down)
		want[i] = it.x
		if len(near) > 0 {
			sum := 0.0
			for _, n := range near {
				sum += n.x
			}
			want[i] = sum / float64(len(near))
		}
	}
	left, right := slices.Clone(want), slices.Clone(want)
	for i := 1; i < len(layer); i++ {
		left[i] = max(left[i], left[i-1]+apart(layer[i-1], layer[i]))
	}
	for i := len(layer) - 2; i >= 0; i-- {
		right[i] = min(right[i], right[i+1]-apart(layer[i], layer[i+1]))
	}
	for i, it := range layer {
		it.x = (left[i] + right[i]) / 2
	}
}

// apart returns the minimum distance of the centres of two neighbours.
func apart(a, b *item) float64 { return a.width/2 + a.loopsWidth() + nodeGap + b.width/2 }
