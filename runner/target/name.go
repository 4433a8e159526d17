package target

import "slices"

// Name is one that a session coined, and the class of the placeholder that stands for it in transcripts.
type Name struct{ Text, Class string }

// NewName coins a name that nothing has, not even a stream of this session.
func (b *belongings) NewName() string { return b.Coin("nothing") }

// Coin coins a name that nothing else of the run has, for something of a class: a word of letters.
func (b *belongings) Coin(class string) string {
	name := b.target.name()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.names = append(b.names, Name{name, class})
	return name
}

// Names are those that NewName and Coin coined, in that order.
func (b *belongings) Names() []Name {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.names)
}
