package aep

// Unfinished implements judge.Unfinished.
func (m *machine) Unfinished() string {
	if m.terminal != "" {
		return ""
	}
	for _, one := range m.blocks.blocks.all {
		if !one.stopped {
			return "in an open block of " + one.kind
		}
	}
	return "before done, error or aborted"
}
