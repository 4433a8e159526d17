package alter

// Change maps the items of a sequence to none, one or several. It is called once for each sequence.
type Change[C, I any] = func(sequence C) func(item I) []I

// Flow is a point that items pass, one by one: it installs a change there. O is the type of a server's options.
type Flow[O, C, I any] func(Change[C, I]) func(O) O

// Choice selects the items of a flow that a condition matches. Its methods return changes of a server's options that alter
// these items and leave the others unchanged.
type Choice[O, C, I any] struct {
	flow Flow[O, C, I]
	when When[C, I]
}

// When selects the items for which all conditions hold; without any, every item.
func (f Flow[O, C, I]) When(conditions ...When[C, I]) Choice[O, C, I] {
	return Choice[O, C, I]{flow: f, when: And(conditions...)}
}

// Map replaces each by other items. change is called once for each sequence; where it returns nil, the sequence stays as it
// is.
func (c Choice[O, C, I]) Map(change Change[C, I]) func(O) O {
	return c.flow(func(course C) func(I) []I {
		hit, change := c.when(course), change(course)
		return func(item I) []I {
			if hit(item) && change != nil {
				return change(item)
			}
			return []I{item}
		}
	})
}

// To replaces each by other items, without state.
func (c Choice[O, C, I]) To(change func(course C, item I) []I) func(O) O {
	return c.Map(func(course C) func(I) []I { return func(item I) []I { return change(course, item) } })
}

// Drop leaves them out.
func (c Choice[O, C, I]) Drop() func(O) O { return c.To(func(C, I) []I { return nil }) }

// Repeat sends each twice.
func (c Choice[O, C, I]) Repeat() func(O) O {
	return c.To(func(_ C, item I) []I { return []I{item, item} })
}

// Edit changes each.
func (c Choice[O, C, I]) Edit(change func(item *I)) func(O) O {
	return c.EditIn(func(_ C, item *I) { change(item) })
}

// EditIn changes each, and gets the sequence.
func (c Choice[O, C, I]) EditIn(change func(course C, item *I)) func(O) O {
	return c.To(func(course C, item I) []I {
		change(course, &item)
		return []I{item}
	})
}

// EditSequence changes each, with state for a sequence: begin is called once for each.
func (c Choice[O, C, I]) EditSequence(begin func(course C) func(item *I)) func(O) O {
	return c.Map(func(course C) func(I) []I {
		change := begin(course)
		return func(item I) []I {
			change(&item)
			return []I{item}
		}
	})
}

// EditBy changes each by the last item before it that others mean; where there was none, it stays as it is.
func (c Choice[O, C, I]) EditBy(others When[C, I], change func(item *I, last I)) func(O) O {
	return c.ToBy(others, func(item, last I) []I {
		change(&item, last)
		return []I{item}
	})
}

// FollowBy sends more items after each, made from it and the last item before it that others matches; nothing if there was
// none.
func (c Choice[O, C, I]) FollowBy(others When[C, I], more func(item, last I) []I) func(O) O {
	return c.ToBy(others, func(item, last I) []I { return append([]I{item}, more(item, last)...) })
}

// ToBy replaces each by other items, made of it and of the last item before it that others matches; if there was none, it
// stays as it is.
func (c Choice[O, C, I]) ToBy(others When[C, I], change func(item, last I) []I) func(O) O {
	return c.flow(func(course C) func(I) []I {
		hit, notes := c.when(course), others(course)
		var last *I
		return func(item I) []I {
			before := last
			if notes(item) {
				last = &item
			}
			if hit(item) && before != nil {
				return change(item, *before)
			}
			return []I{item}
		}
	})
}

// Follow sends more items after each.
func (c Choice[O, C, I]) Follow(more func(course C, item I) []I) func(O) O {
	return c.To(func(course C, item I) []I { return append([]I{item}, more(course, item)...) })
}

// Delay delays each until the next item of the sequence: it is sent before that, or after it if behind matches. If no item
// follows, it is never sent.
func (c Choice[O, C, I]) Delay(behind When[C, I]) func(O) O {
	return c.delay(func(course C) func(I, []I) []I {
		behind := behind(course)
		return func(next I, held []I) []I {
			if behind(next) {
				return append([]I{next}, held...)
			}
			return append(held, next)
		}
	})
}

// DropBefore drops those that a certain item follows at once.
func (c Choice[O, C, I]) DropBefore(next When[C, I]) func(O) O {
	return c.delay(func(course C) func(I, []I) []I {
		drops := next(course)
		return func(next I, held []I) []I {
			if drops(next) {
				return []I{next}
			}
			return append(held, next)
		}
	})
}

// delay delays each selected item until the next item, and sends both in the order that begin's function returns. If the
// next item is selected, it is delayed likewise.
func (c Choice[O, C, I]) delay(begin func(C) func(next I, held []I) []I) func(O) O {
	return c.flow(func(course C) func(I) []I {
		hit, meet := c.when(course), begin(course)
		var held []I
		return func(item I) []I {
			before := held
			held = nil
			if hit(item) {
				held = []I{item}
				return before
			}
			if len(before) == 0 {
				meet(item, nil)
				return []I{item}
			}
			return meet(item, before)
		}
	})
}

// HoldUntil delays each until a certain item comes, and sends all delayed ones before it, in order.
func (c Choice[O, C, I]) HoldUntil(next When[C, I]) func(O) O {
	return c.hold(next, func(next I, held []I) []I { return append(held, next) })
}

// HoldBehind delays each until a certain item comes, and sends all delayed ones after it, in order.
func (c Choice[O, C, I]) HoldBehind(next When[C, I]) func(O) O {
	return c.hold(next, func(next I, held []I) []I { return append([]I{next}, held...) })
}

func (c Choice[O, C, I]) hold(next When[C, I], meet func(next I, held []I) []I) func(O) O {
	return c.flow(func(course C) func(I) []I {
		hit, opens := c.when(course), next(course)
		var held []I
		return func(item I) []I {
			switch chosen := hit(item); {
			case opens(item):
				out := meet(item, held)
				held = nil
				return out
			case chosen:
				held = append(held, item)
				return nil
			}
			return []I{item}
		}
	})
}

// Again sends the last of them once more before a certain item.
func (c Choice[O, C, I]) Again(next When[C, I]) func(O) O {
	return c.flow(func(course C) func(I) []I {
		hit, comes := c.when(course), next(course)
		var last []I
		return func(item I) []I {
			if hit(item) {
				last = []I{item}
			}
			if comes(item) {
				return append(last, item)
			}
			return []I{item}
		}
	})
}

// Stick gives a field of each the value that it had in the first of the sequence.
func Stick[O, C, I, T any](c Choice[O, C, I], field func(item *I) *T) func(O) O {
	return c.Map(func(C) func(I) []I {
		var first *T
		return func(item I) []I {
			if first == nil {
				value := *field(&item)
				first = &value
			}
			*field(&item) = *first
			return []I{item}
		}
	})
}

// Renumber sets a field of each to ascending numbers from first, in each sequence separately.
func Renumber[O, C, I any](c Choice[O, C, I], first int, field func(item *I) *int) func(O) O {
	return c.Map(func(C) func(I) []I {
		next := first
		return func(item I) []I {
			*field(&item) = next
			next++
			return []I{item}
		}
	})
}
