package patch

import "slices"

// operate applies one operation. sure reports that the document was known where it
// mattered. Errors are *ConflictError and *LimitError, after which the document
// may be changed in part.
func (d *Document) operate(o Operation) (sure bool, err error) {
	if err := d.limits.Budget.spend(valueWork * int64(2+len(o.Path)+len(o.From))); err != nil {
		return false, err
	}
	var what found
	var reason string
	switch o.Op {
	case "add":
		what, err = d.add(o.Path, o.Value)
		reason = "the place that a value is added to isn't there"
	case "replace":
		what, err = d.replace(o.Path, o.Value)
		reason = "what is to be replaced isn't there"
	case "remove":
		what, err = d.remove(o.Path)
		reason = "what is to be removed isn't there"
	case "test":
		return d.test(o)
	case "move", "copy":
		return d.transfer(o)
	default:
		return true, conflict("there is no such operation")
	}
	if what == missing && err == nil {
		return true, conflict(reason)
	}
	return what == there, err
}

// conflict returns a ConflictError; applyAll adds the index of the operation.
func conflict(reason string) error { return &ConflictError{Reason: reason} }

// add returns the operation of that name.
func (d *Document) add(p Pointer, v any) (found, error) {
	size, err := d.fits(v, len(p))
	if err != nil {
		return missing, err
	}
	if err := d.limits.Budget.spend(size.work()); err != nil {
		return missing, err
	}
	if len(p) == 0 {
		return there, d.setRoot(v, size)
	}
	at, what, err := d.reach(p[:len(p)-1])
	if what != there || err != nil {
		return what, err
	}
	last := p[len(p)-1]
	switch at := at.(type) {
	case *object:
		return there, d.setMember(at, last, v, size)
	case *array:
		i, ok := index(last, len(at.items))
		if last == "-" {
			i, ok = len(at.items), true
		}
		if !ok {
			return missing, nil
		}
		if len(at.items) > 0 { // the comma
			size.bytes++
		}
		at.items = slices.Insert(at.items, i, v)
		d.undo = append(d.undo, func() { at.items = slices.Delete(at.items, i, i+1) })
		if err := d.limits.Budget.spend(int64(len(at.items) - i)); err != nil { // moving the items after it
			return missing, err
		}
	}
	return there, d.grow(size)
}

// setRoot replaces the complete document.
func (d *Document) setRoot(v any, size measure) error {
	old := d.root
	d.undo = append(d.undo, func() { d.root = old })
	d.root, d.size = v, measure{}
	return d.grow(size)
}

// setMember adds a member, or replaces the one of its name.
func (d *Document) setMember(at *object, name string, v any, size measure) error {
	if i, ok := at.index[name]; ok {
		return d.exchange(&at.list[i].value, v, size, func(old any) { at.list[at.index[name]].value = old })
	}
	size.bytes += quoted(name) + 1
	if len(at.index) > 0 {
		size.bytes++
	}
	at.set(name, v)
	d.undo = append(d.undo, func() { at.unset(name) })
	return d.grow(size)
}

// exchange replaces a value; back restores the old one.
func (d *Document) exchange(at *any, v any, size measure, back func(old any)) error {
	old := *at
	gone, _ := sized(old, d.limits.Depth)
	if err := d.limits.Budget.spend(gone.work()); err != nil {
		return err
	}
	*at = v
	d.undo = append(d.undo, func() { back(old) })
	d.size.add(gone.negated())
	return d.grow(size)
}

// replace returns the operation of that name. Members that aren't known become known.
func (d *Document) replace(p Pointer, v any) (found, error) {
	_, what := d.lookup(p)
	if what == missing {
		return missing, nil
	}
	size, err := d.fits(v, len(p))
	if err == nil {
		err = d.limits.Budget.spend(size.work())
	}
	if err != nil {
		return missing, err
	}
	if len(p) == 0 {
		return what, d.setRoot(v, size)
	}
	at, reached, err := d.reach(p[:len(p)-1])
	if reached != there || err != nil {
		return reached, err
	}
	last := p[len(p)-1]
	switch at := at.(type) {
	case *object:
		return what, d.setMember(at, last, v, size)
	case *array:
		if i, ok := index(last, len(at.items)-1); ok {
			return what, d.exchange(&at.items[i], v, size, func(old any) { at.items[i] = old })
		}
	}
	return what, nil
}

// remove performs the operation of that name. A document without a root is unknown.
func (d *Document) remove(p Pointer) (found, error) {
	old, what := d.lookup(p)
	if what == missing {
		return missing, nil
	}
	if len(p) == 0 {
		return what, d.setRoot(Hidden{}, measure{4, 1})
	}
	at, reached, err := d.reach(p[:len(p)-1])
	if reached != there || err != nil {
		return reached, err
	}
	gone, _ := sized(old, d.limits.Depth)
	if err := d.limits.Budget.spend(gone.work()); err != nil {
		return missing, err
	}
	switch at := at.(type) {
	case *object:
		err = d.removeMember(at, p[len(p)-1], gone)
	case *array:
		if i, ok := index(p[len(p)-1], len(at.items)-1); ok {
			err = d.removeItem(at, i, gone)
		}
	}
	return what, err
}

// removeMember removes a member and notes how to undo that. An open object notes the absence: the member might have been
// among those that aren't known.
func (d *Document) removeMember(at *object, name string, gone measure) error {
	if at.open {
		return d.setMember(at, name, absent{}, measure{4, 1})
	}
	if len(at.index) > 1 {
		gone.bytes++
	}
	gone.bytes += quoted(name) + 1
	old, _ := at.get(name)
	slot := at.remove(name)
	d.undo = append(d.undo, func() { at.restore(slot, name, old) })
	d.size.add(gone.negated())
	return nil
}

// removeItem removes an item and notes how to undo that. The work is that of moving the items after it.
func (d *Document) removeItem(at *array, i int, gone measure) error {
	if len(at.items) > 1 {
		gone.bytes++
	}
	old := at.items[i]
	at.items = slices.Delete(at.items, i, i+1)
	d.undo = append(d.undo, func() { at.items = slices.Insert(at.items, i, old) })
	d.size.add(gone.negated())
	return d.limits.Budget.spend(int64(len(at.items) - i))
}

// test compares a value with that of an operation. It isn't sure where a part that isn't known decides.
func (d *Document) test(o Operation) (sure bool, err error) {
	v, what := d.lookup(o.Path)
	switch what {
	case missing:
		return true, conflict("what is to be tested isn't there")
	case statusUnknown:
		return false, nil
	}
	size, _ := sized(o.Value, d.limits.Depth)
	if err := d.limits.Budget.spend(size.work()); err != nil {
		return false, err
	}
	equal, sure := same(v, o.Value)
	if sure && !equal {
		return true, conflict("the value isn't the one that is tested for")
	}
	return sure, nil
}

// transfer performs move and copy. A copy shares nothing with its source.
func (d *Document) transfer(o Operation) (sure bool, err error) {
	v, what := d.lookup(o.From)
	switch {
	case what == missing:
		return true, conflict("what is to be taken isn't there")
	case o.Op == "move" && len(o.Path) > len(o.From) && slices.Equal(o.Path[:len(o.From)], o.From):
		return true, conflict("a value can't be moved into itself")
	case o.Op == "move" && slices.Equal(o.Path, o.From):
		return what == there, nil
	case what == statusUnknown:
		v = Hidden{}
	}
	if o.Op == "copy" {
		v, err = d.duplicate(v)
	} else {
		_, err = d.remove(o.From)
	}
	if err != nil {
		return false, err
	}
	to, err := d.add(o.Path, v)
	if to == missing && err == nil {
		return true, conflict("the place that a value is put at isn't there")
	}
	return what == there && to == there, err
}

// duplicate copies a value if the limit allows two.
func (d *Document) duplicate(v any) (any, error) {
	size, _ := sized(v, d.limits.Depth)
	if err := d.limits.Budget.spend(size.work()); err != nil {
		return nil, err
	}
	if err := d.reserve(size); err != nil {
		return nil, err
	}
	return d.copied(v), nil
}
