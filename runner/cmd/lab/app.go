package lab

import (
	"github.com/streamcert/streamcert/runner/cmd/altered"
	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/prove"
)

// app is the state that the commands of the lab share.
type app struct {
	*command.App
	altered altered.List // of every pack of the program
}

// newEmbedded returns the packs of the program with their altered servers.
func (a *app) newEmbedded() *embedded { return &embedded{a.NewEmbedded(), a.altered} }

// entries returns the descriptions of the servers of a catalogue, without starting any.
func entries[T prove.Mutant | prove.Variant | prove.IdleServer](catalogue []altered.Entry[T]) []T {
	var out []T
	for _, e := range catalogue {
		out = append(out, e.Of)
	}
	return out
}
