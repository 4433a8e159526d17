package judge

// occasions counts the checks of each requirement. It is a specialised hash table: some twenty checks count each frame, and
// a map would take a tenth of the time for judging the frame.
type occasions struct {
	slots []occasion // a power of two of them, or none
	used  int        // slots with an id; at most half of them, so that a search ends
}

type occasion struct {
	id    string // "" in a free slot
	count int    // at least 1 if there is an id
}

const leastSlots = 64 // most exchanges are an occasion for some twenty requirements

func (o *occasions) add(id string) {
	if len(o.slots) > 0 {
		// Fast where both are the same constant, as they are but once.
		if s := &o.slots[spread(id)&uint(len(o.slots)-1)]; s.id == id {
			s.count++
			return
		}
	}
	o.slot(id).count++
}

// witness counts one where none is counted.
func (o *occasions) witness(id string) {
	if s := o.slot(id); s.count == 0 {
		s.count = 1
	}
}

// slot finds the slot of an id, or makes one.
func (o *occasions) slot(id string) *occasion {
	if 2*o.used >= len(o.slots) {
		o.grow()
	}
	last := uint(len(o.slots) - 1)
	for at := spread(id) & last; ; at = (at + 1) & last {
		s := &o.slots[at]
		if s.id == id {
			return s
		}
		if s.id == "" {
			s.id = id
			o.used++
			return s
		}
	}
}

// spread hashes some bytes near the end of an id, in which ids differ.
func spread(id string) uint {
	n := len(id)
	if n < 6 {
		return uint(n)
	}
	h := ((uint(n)*31+uint(id[n-1]))*31+uint(id[n-3]))*31 + uint(id[n-4])
	h = h*31 + uint(id[n-6])
	return h ^ h>>7
}

func (o *occasions) grow() {
	old := o.slots
	o.slots, o.used = make([]occasion, max(leastSlots, 2*len(old))), 0
	for _, s := range old {
		if s.id != "" {
			*o.slot(s.id) = s
		}
	}
}

func (o *occasions) byID() map[string]int {
	out := make(map[string]int, o.used)
	for _, s := range o.slots {
		if s.count > 0 {
			out[s.id] = s.count
		}
	}
	return out
}
