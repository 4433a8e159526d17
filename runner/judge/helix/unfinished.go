package helix

// Unfinished implements judge.Unfinished. Bare chunks need no last event, so that only open parts show an incomplete
// stream.
func (m *machine) Unfinished() string {
	if m.terminal {
		return ""
	}
	open := m.produced.open()
	switch {
	case open != "":
		return "in " + open
	case m.isBare():
		return ""
	}
	return "before the frame end or fail"
}

// open names an open part of the produced stream, "" for none.
func (p *production) open() string {
	if p == nil {
		return ""
	}
	for _, a := range p.past.Agents.All() {
		if a.Block != nil {
			return "an open block of reasoning"
		}
	}
	switch {
	case p.past.Calls.Len() > 0:
		return "an open call"
	case p.past.SubAgents.Len() > 0:
		return "an open sub-agent"
	}
	return ""
}
