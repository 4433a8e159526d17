package judge

import (
	"hash/maphash"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxSeen limits the hashes that a set stores. Beyond it the oldest are dropped, so that a repeated use of such an old name
// isn't found.
const maxSeen = 1 << 14

// Seen is a set of at most 16,384 64-bit hashes. Each was added in the current age or an earlier one. The zero value is
// empty.
type Seen struct {
	ages map[uint64]uint32 // the age in which each hash was added last, plus 1; nil before the first Add
	ring []uint64          // the keys of ages, in the order of their first Add, from next on once it is full
	next int               // index of the hash that is dropped next; 0 until ring is full
	age  uint32            // number of calls of Age
	lost bool              // a hash was dropped, so that Ever may be wrongly false
}

// Add adds a hash to the current age.
func (s *Seen) Add(hash uint64) {
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

// Ever reports whether the set contains the hash.
func (s *Seen) Ever(hash uint64) bool { return s.ages[hash] > 0 }

// Now reports whether the hash was added since the last change of age.
func (s *Seen) Now(hash uint64) bool { return s.ages[hash] == s.age+1 }

// Any reports whether the set isn't empty.
func (s *Seen) Any() bool { return len(s.ages) > 0 }

// Lost reports whether something was forgotten.
func (s *Seen) Lost() bool { return s.lost }

// Drop makes the hash belong to an earlier age, as if it weren't there now.
func (s *Seen) Drop(hash uint64) {
	if s.Now(hash) {
		s.ages[hash] = s.age // 0 where there is no earlier age: then it was never there
	}
}

// Age makes everything in the set belong to an earlier age.
func (s *Seen) Age() { s.age++ }

// maxOpen limits the open things of one kind. Beyond it the older half is dropped, and the judge reports nothing about them
// from then on.
const maxOpen = 1 << 10

// Opened stores things that were opened and not closed yet, by a hash of their name. It stores at most Most things, 1,024
// by default.
type Opened[T any] struct {
	Most   int                 // 0 means maxOpen
	items  map[uint64]*item[T] // at most Most; nil before the first Put
	serial int64               // number of calls of Put and Get
	lost   bool                // an item was dropped because there were too many
}

type item[T any] struct {
	serial int64 // of its last Put or Get: the smallest is the oldest
	value  T
}

// Put opens something. Where that is one too many, the older half is forgotten.
func (o *Opened[T]) Put(key uint64, value T) {
	if o.items == nil {
		o.items = map[uint64]*item[T]{}
	}
	o.serial++
	o.items[key] = &item[T]{o.serial, value}
	most := o.Most
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

// Get returns the value, and makes it the youngest.
func (o *Opened[T]) Get(key uint64) (T, bool) {
	i, ok := o.items[key]
	if !ok {
		var none T
		return none, false
	}
	o.serial++
	i.serial = o.serial
	return i.value, true
}

// Value returns the value, and leaves its age.
func (o *Opened[T]) Value(key uint64) (value T, ok bool) {
	if i, ok := o.items[key]; ok {
		return i.value, true
	}
	return value, false
}

// Len returns the number of things that are open.
func (o *Opened[T]) Len() int { return len(o.items) }

// Lost reports whether something was forgotten.
func (o *Opened[T]) Lost() bool { return o.lost }

// Drop closes something.
func (o *Opened[T]) Drop(key uint64) { delete(o.items, key) }

// DropIf closes whatever the function returns true for.
func (o *Opened[T]) DropIf(gone func(T) bool) {
	for key, i := range o.items {
		if gone(i.value) {
			delete(o.items, key)
		}
	}
}

// Each visits everything that is open, in any order.
func (o *Opened[T]) Each(do func(T)) {
	for _, i := range o.items {
		do(i.value)
	}
}

// Clear closes everything.
func (o *Opened[T]) Clear() { clear(o.items) }

// All lists everything that is open, from the oldest to the youngest.
func (o *Opened[T]) All() []T {
	var out []T
	for _, key := range o.keys() {
		out = append(out, o.items[key].value)
	}
	return out
}

// Oldest returns the thing that was put or requested the longest time ago.
func (o *Opened[T]) Oldest() (T, bool) { return o.Find(func(T) bool { return true }) }

func (o *Opened[T]) keys() []uint64 {
	keys := make([]uint64, 0, len(o.items))
	for key := range o.items {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b uint64) int { return int(o.items[a].serial - o.items[b].serial) })
	return keys
}

// Find returns the oldest value that the function returns true for.
func (o *Opened[T]) Find(is func(T) bool) (found T, ok bool) {
	var serial int64
	for _, i := range o.items {
		if (!ok || i.serial < serial) && is(i.value) {
			found, serial, ok = i.value, i.serial, true
		}
	}
	return found, ok
}

// Word is a text of any length in a bounded space: its hash, which alone is
// compared, and its beginning for people.
type Word struct {
	Hash  uint64 // by the seed of this process, so never stored
	Start string // at most MaxShown bytes and an ellipsis
	OK    bool   // there is a text
}

// WordOf returns the word of a string value, and none for any other.
func WordOf(v any) Word {
	text, ok := v.(string)
	if !ok {
		return Word{}
	}
	return Word{Hash(text), Beginning(text), true}
}

// Shown returns the beginning of a word as reports quote it.
func (w Word) Shown() string { return Show(w.Start) }

// MaxShown limits the part of a text that is stored for reports, in bytes.
const MaxShown = 80

// Beginning returns the first MaxShown bytes of a text for reports, shortened between characters and with an ellipsis if it is
// longer.
func Beginning(text string) string {
	if len(text) <= MaxShown {
		return text
	}
	n := MaxShown
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return strings.Clone(text[:n]) + "…"
}

// seed is the same for all judges of a process, and another in the next.
var seed = maphash.MakeSeed()

// Hash hashes a text.
func Hash(text string) uint64 { return maphash.String(seed, text) }

// A Sum is a text that comes in pieces, in a bounded space: its hash, its size, and its beginning for people. The zero
// value is the empty text.
type Sum struct {
	Size  int           // in bytes
	Start string        // at most MaxShown bytes and an ellipsis
	hash  *maphash.Hash // nil before the first piece
}

// Add appends a piece.
func (s *Sum) Add(piece string) {
	if s.hash == nil {
		s.hash = &maphash.Hash{}
		s.hash.SetSeed(seed)
	}
	_, _ = s.hash.WriteString(piece) // never fails
	s.Size += len(piece)
	if len(s.Start) < MaxShown {
		s.Start = Beginning(s.Start + Beginning(piece))
	}
}

// Hash returns the hash of all pieces joined, as Hash does for one text.
func (s *Sum) Hash() uint64 {
	if s.hash == nil {
		return Hash("")
	}
	return s.hash.Sum64()
}

// Is reports whether the pieces make this text when joined.
func (s *Sum) Is(text string) bool { return len(text) == s.Size && Hash(text) == s.Hash() }

// CombineHashes hashes two hashes into one.
func CombineHashes(a, b uint64) uint64 {
	x := a ^ (b+0x9e3779b97f4a7c15+a<<6+a>>2)*0xff51afd7ed558ccd
	x ^= x >> 33
	return x * 0xc4ceb9fe1a85ec53
}
