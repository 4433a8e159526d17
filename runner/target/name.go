package target

import "slices"

// Name is one that a session coined, and the class of the placeholder that stands for it in transcripts.
type Name struct{ Text, Class string }

// NewName coins a name that nothing has, not even a stream of this session.
func (s *Session) NewName() string { return s.Coin("nothing") }

// Coin coins a name that nothing else of the run has, for something of a class: a word of letters.
func (s *Session) Coin(class string) string {
	name := s.target.name()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names = append(s.names, Name{name, class})
	return name
}

// Names are those that NewName and Coin coined, in that order.
func (s *Session) Names() []Name {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.names)
}
