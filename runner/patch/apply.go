package patch

import (
	"errors"
	"slices"
)

// Apply applies a patch completely or not at all. length is that of its text in bytes. Errors are *ConflictError and
// *LimitError.
func (d *Document) Apply(operations []Operation, length int64) error {
	return d.ApplyEach(operations, length, func(int) error { return nil })
}

// ApplyEach is Apply that calls before with the index of each operation before it
// is applied. An error of before ends the patch too, and is returned.
func (d *Document) ApplyEach(operations []Operation, length int64, before func(i int) error) error {
	if len(operations) > d.limits.Operations {
		return &LimitError{"operations in a patch", int64(d.limits.Operations)}
	}
	_, err := d.applyAll(operations, length, before)
	return err
}

// Operate applies one operation, as Apply does a patch. sure reports that the
// document was known where it mattered.
func (d *Document) Operate(o Operation, length int64) (sure bool, err error) {
	return d.applyAll([]Operation{o}, length, func(int) error { return nil })
}

// applyAll applies all operations or none.
func (d *Document) applyAll(operations []Operation, length int64, before func(i int) error) (sure bool, err error) {
	d.limits.Budget.earn(length)
	size := d.size
	defer func() { d.undo = nil }()
	for i, o := range operations {
		if err = before(i); err == nil {
			sure, err = d.operate(o)
		}
		if err == nil {
			continue
		}
		var conflict *ConflictError
		if errors.As(err, &conflict) {
			conflict.Operation = i
		}
		for _, undo := range slices.Backward(d.undo) {
			undo()
		}
		d.size = size
		return sure, err
	}
	return sure, nil
}
