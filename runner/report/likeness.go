package report

// Fault is what is wrong with a requirement on one line, or why it isn't proven; "" for a pass.
func (q Requirement) Fault() string { return OneLine(fault(q, wordsRoom)) }

// Alike reports whether two failures of a requirement begin with the same finding, but for numbers and quoted values, which
// differ from run to run.
func (q Requirement) Alike(other Requirement) bool { return likeness(q) == likeness(other) }
