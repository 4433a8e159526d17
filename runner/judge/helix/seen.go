package helix

import (
	"hash/maphash"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxSeen is how many hashes a set remembers. Beyond it the oldest are forgotten,
// so that a use of a name that is that long ago goes unnoticed.
const maxSeen = 1 << 14

// seen is a set of 64-bit hashes that holds at most maxSeen of them. What it holds
// belongs to the current age or to an earlier one.
type seen struct {
	ages map[uint64]uint32
	ring []uint64
	next int
	age  uint32
	lost bool // something was forgotten
}

func (s *seen) add(hash uint64) {
	if s.ages == nil {
		s.ages = map[uint64]uint32{}
	}
	_, there := s.ages[hash]
	s.ages[hash] = s.age + 1
	if there {
		return
	}
	if len(s.ring) < maxSeen {
		s.ring = append(s.ring, hash)
		return
	}
	delete(s.ages, s.ring[s.next])
	s.ring[s.next] = hash
	s.next = (s.next + 1) % maxSeen
	s.lost = true
}

// ever says whether the set holds the hash, now whether it does since the last
// change of age.
func (s *seen) ever(hash uint64) bool { return s.ages[hash] > 0 }
func (s *seen) now(hash uint64) bool  { return s.ages[hash] == s.age+1 }

// drop makes the hash belong to an earlier age, as if it weren't there now.
func (s *seen) drop(hash uint64) {
	if s.now(hash) {
		s.ages[hash] = s.age // 0 where there is no earlier age: then it was never there
	}
}

// past makes everything in the set belong to an earlier age.
func (s *seen) past() { s.age++ }

// maxOpen is how many things of one kind are held open. Beyond it the older half
// is forgotten, and nothing is said about them any more.
const maxOpen = 1 << 10

// opened holds what was opened and not closed yet, by a hash of its name.
type opened[T any] struct {
	most   int // maxOpen if it is 0
	items  map[uint64]*item[T]
	serial int64
	lost   bool // something was forgotten
}

type item[T any] struct {
	serial int64
	value  T
}

func (o *opened[T]) put(key uint64, value T) {
	if o.items == nil {
		o.items = map[uint64]*item[T]{}
	}
	o.serial++
	o.items[key] = &item[T]{o.serial, value}
	most := o.most
	if most == 0 {
		most = maxOpen
	}
	if len(o.items) <= most {
		return
	}
	o.lost = true
	for _, key := range o.keys()[:most/2] {
		delete(o.items, key)
	}
}

// get returns the value, and makes it the youngest.
func (o *opened[T]) get(key uint64) (T, bool) {
	i, ok := o.items[key]
	if !ok {
		var none T
		return none, false
	}
	o.serial++
	i.serial = o.serial
	return i.value, true
}

func (o *opened[T]) drop(key uint64) { delete(o.items, key) }

// dropIf drops what the function says yes to.
func (o *opened[T]) dropIf(gone func(T) bool) {
	for key, i := range o.items {
		if gone(i.value) {
			delete(o.items, key)
		}
	}
}

func (o *opened[T]) each(do func(T)) {
	for _, i := range o.items {
		do(i.value)
	}
}

func (o *opened[T]) clear() { clear(o.items) }

// keys lists the keys from the oldest to the youngest.
func (o *opened[T]) keys() []uint64 {
	keys := make([]uint64, 0, len(o.items))
	for key := range o.items {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b uint64) int { return int(o.items[a].serial - o.items[b].serial) })
	return keys
}

// find returns the oldest value that the function says yes to.
func (o *opened[T]) find(is func(T) bool) (found T, ok bool) {
	var serial int64
	for _, i := range o.items {
		if (!ok || i.serial < serial) && is(i.value) {
			found, serial, ok = i.value, i.serial, true
		}
	}
	return found, ok
}

// A word is a text of any length in a bounded space: its hash, which alone is
// compared, and its beginning for people.
type word struct {
	hash  uint64
	start string
	ok    bool
}

// seed is the same for all machines of a process, and another in the next.
var seed = maphash.MakeSeed()

// wordOf returns the word of a string value, and none for any other.
func wordOf(v any) word {
	text, ok := v.(string)
	if !ok {
		return word{}
	}
	return word{maphash.String(seed, text), beginning(text), true}
}

// maxShown is how much of a text is kept for people, in bytes.
const maxShown = 80

func beginning(text string) string {
	if len(text) <= maxShown {
		return text
	}
	n := maxShown
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return strings.Clone(text[:n]) + "…"
}

// pair hashes two hashes into one.
func pair(a, b uint64) uint64 {
	x := a ^ (b+0x9e3779b97f4a7c15+a<<6+a>>2)*0xff51afd7ed558ccd
	x ^= x >> 33
	return x * 0xc4ceb9fe1a85ec53
}
