package campaign

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// NewDraw makes the source of one program: the same seed and number give the same.
func NewDraw(seed int64, number uint64) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(seed), number))
}

// mostChoice is above the choice at which a kind of operation begins: beyond the number of ways of any kind.
const mostChoice = 1000

// Choices gives choices to the operations of one program: a kind begins with any choice, and its next operation goes on after
// the choices of the last one, so that each way has its turn.
type Choices struct {
	draw *rand.Rand     // of the program, so that a seed repeats it
	next map[string]int // by kind; those without one have no operation yet
}

// NewChoices returns choices that a generator draws.
func NewChoices(r *rand.Rand) Choices { return Choices{r, map[string]int{}} }

// Next returns the choice of the next operation of a kind, which takes as many as it happens.
func (c Choices) Next(kind string, times int) int {
	choice, known := c.next[kind]
	if !known {
		choice = c.draw.IntN(mostChoice)
	}
	c.next[kind] = choice + times
	return choice
}

// boundaries lists sizes at which counters, pages and buffers end.
var boundaries = []int{1, 8, 10, 16, 32, 50, 64, 100, 128, 200, 250, 255, 256, 500, 512, 1000, 1023, 1024, 2048, 4096, 5000,
	8 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20, 2 << 20, 4 << 20, 8 << 20}

// Size draws a size from 1 to most: log-uniform, so that most are small, and one of three at a boundary or next to it.
func Size(r *rand.Rand, most int) int {
	if most <= 1 {
		return 1
	}
	if r.IntN(3) == 0 {
		n, _ := slices.BinarySearch(boundaries, most+1)
		return min(most, max(1, boundaries[r.IntN(n)]+r.IntN(3)-1))
	}
	width := 1 + r.IntN(bits.Len(uint(most)))
	return min(most, 1+r.IntN(1<<width))
}

// Near draws one of several numbers, or one of the two after it.
func Near(r *rand.Rand, numbers ...int) int { return Pick(r, numbers...) + r.IntN(3) }

// Pick draws one of several.
func Pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// Weighted draws an index by its weight; at least one weight is above 0.
func Weighted(r *rand.Rand, weights []int) int {
	all := 0
	for _, w := range weights {
		all += w
	}
	n := r.IntN(all)
	for i, w := range weights {
		if n -= w; n < 0 {
			return i
		}
	}
	return len(weights) - 1
}
