package target

import "slices"

// Name is a name that a session coined, with the class of its placeholder in transcripts.
type Name struct{ Text, Class string }

// NewName coins a name that nothing has, not even a stream of this session.
func (b *belongings) NewName() string { return b.Coin("nothing") }

// Coin returns a name of letters that is unique in the run, for something of a class.
func (b *belongings) Coin(class string) string {
	name := b.target.name()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.names = append(b.names, Name{name, class})
	return name
}

// Names returns the names that NewName and Coin returned, in order.
func (b *belongings) Names() []Name {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.names)
}
