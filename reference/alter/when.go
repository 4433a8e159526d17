package alter

// When matches items of a sequence, such as events of a response or chunks of a stream. It is called once for each
// sequence, so that the returned function may count. C describes a sequence, I is an item.
type When[C, I any] func(sequence C) func(item I) bool

// Each returns a condition on single items, without state.
func Each[C, I any](hit func(item I) bool) When[C, I] {
	return func(C) func(I) bool { return hit }
}

// In matches all items of some sequences.
func In[C, I any](hit func(course C) bool) When[C, I] {
	return func(course C) func(I) bool {
		hits := hit(course)
		return func(I) bool { return hits }
	}
}

// And matches where all conditions do; without any, everywhere. Each gets every item, so that it counts right.
func And[C, I any](conditions ...When[C, I]) When[C, I] {
	return func(course C) func(I) bool {
		hits := started(course, conditions)
		return func(item I) bool {
			all := true
			for _, hit := range hits {
				all = hit(item) && all
			}
			return all
		}
	}
}

func started[C, I any](course C, conditions []When[C, I]) []func(I) bool {
	hits := make([]func(I) bool, len(conditions))
	for i, w := range conditions {
		hits[i] = w(course)
	}
	return hits
}

// And matches where w and the others do.
func (w When[C, I]) And(others ...When[C, I]) When[C, I] { return And(w, And(others...)) }

// Or matches where w or another does.
func (w When[C, I]) Or(others ...When[C, I]) When[C, I] {
	return func(course C) func(I) bool {
		first, rest := w(course), started(course, others)
		return func(item I) bool {
			any := first(item)
			for _, hit := range rest {
				any = hit(item) || any
			}
			return any
		}
	}
}

// Not matches where w doesn't.
func (w When[C, I]) Not() When[C, I] {
	return func(course C) func(I) bool {
		hit := w(course)
		return func(item I) bool { return !hit(item) }
	}
}

// Nth matches the nth item of a sequence that w matches, counted from 1.
func (w When[C, I]) Nth(n int) When[C, I] { return w.counted(func(i int) bool { return i == n }) }

// From matches the nth item that w matches, and those after it that w matches.
func (w When[C, I]) From(n int) When[C, I] { return w.counted(func(i int) bool { return i >= n }) }

// Every matches the nth item that w matches, the 2nth and so on.
func (w When[C, I]) Every(n int) When[C, I] { return w.counted(func(i int) bool { return i%n == 0 }) }

func (w When[C, I]) counted(hit func(i int) bool) When[C, I] {
	return func(course C) func(I) bool {
		meant, n := w(course), 0
		return func(item I) bool {
			if !meant(item) {
				return false
			}
			n++
			return hit(n)
		}
	}
}

// Since matches where w does, from the first item of a sequence that begin matches on; that one counts.
func (w When[C, I]) Since(begin When[C, I]) When[C, I] {
	return func(course C) func(I) bool {
		meant, begins, begun := w(course), begin(course), false
		return func(item I) bool {
			begun = begins(item) || begun
			return meant(item) && begun
		}
	}
}

// After matches where w does, after the first item of a sequence that begin matches; that one doesn't count.
func (w When[C, I]) After(begin When[C, I]) When[C, I] {
	return func(course C) func(I) bool {
		meant, begins, begun := w(course), begin(course), false
		return func(item I) bool {
			hit := meant(item) && begun
			begun = begins(item) || begun
			return hit
		}
	}
}

// Before matches where w does, up to the first item of a sequence that end matches; that one doesn't count.
func (w When[C, I]) Before(end When[C, I]) When[C, I] {
	return func(course C) func(I) bool {
		meant, ends, over := w(course), end(course), false
		return func(item I) bool {
			over = ends(item) || over
			return meant(item) && !over
		}
	}
}

// Next matches the first item that w matches after each that begin matches.
func (w When[C, I]) Next(begin When[C, I]) When[C, I] {
	return func(course C) func(I) bool {
		meant, begins, due := w(course), begin(course), false
		return func(item I) bool {
			hit := meant(item) && due
			due = begins(item) || due && !hit
			return hit
		}
	}
}

// Between matches where w does, after an item that begin matches and before the next that end matches; these two don't
// count.
func (w When[C, I]) Between(begin, end When[C, I]) When[C, I] {
	return func(course C) func(I) bool {
		meant, begins, ends, open := w(course), begin(course), end(course), false
		return func(item I) bool {
			open = !ends(item) && open
			hit := meant(item) && open
			open = begins(item) || open
			return hit
		}
	}
}

// Within matches where w does, as long as begin has matched more often than end; the item itself is counted.
func (w When[C, I]) Within(begin, end When[C, I]) When[C, I] {
	return func(course C) func(I) bool {
		meant, begins, ends, open := w(course), begin(course), end(course), 0
		return func(item I) bool {
			if begins(item) {
				open++
			}
			if ends(item) {
				open--
			}
			return meant(item) && open > 0
		}
	}
}

// Per evaluates w separately for the items of each key.
func Per[C, I any](key func(item I) string, w When[C, I]) When[C, I] {
	return func(course C) func(I) bool {
		courses := map[string]func(I) bool{}
		return func(item I) bool {
			k := key(item)
			if courses[k] == nil {
				courses[k] = w(course)
			}
			return courses[k](item)
		}
	}
}
