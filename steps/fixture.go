package steps

// Fixture is a Then with two worlds that differ in one fact: it passes in the one and
// must fail in the other. The tests of this package play them; lint asks for one
// of every Then.
type Fixture struct {
	Then  string   // text of the step, without its keyword
	Of    string   // the requirement, where the Then is about "this rule"
	Setup []string // the steps before
	// The fact is a bug of the server or one step that is another.
	Mutant   string
	Other    []string // the setup of the world that fails, if it isn't a mutant's
	Message  string   // a part of the failure's message
	TimesOut bool     // the failure is that nothing comes
	Kills    bool     // the setup kills the server, which no other fixture may share then
}

// Name is unique among the pairs of a Then.
func (p Fixture) Name() string {
	if p.Mutant == "" {
		return p.Then
	}
	return p.Mutant + ": " + p.Then
}
