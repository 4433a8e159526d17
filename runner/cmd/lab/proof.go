package lab

import (
	"errors"
	"io"

	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/pack"
)

// A proof is the result of running a catalogue of servers.
type proof interface {
	WriteConsole(io.Writer) error
	WriteJSON(io.Writer) error
	OK() bool
}

// proven writes a proof in a format and returns the error of the command. err is that of the run; with one nothing is
// written.
func (a *app) proven(p proof, err error, format string) error {
	var unknown *pack.SelectionError
	switch {
	case errors.As(err, &unknown):
		return command.Misused(err)
	case err != nil:
		return err
	}
	write := p.WriteConsole
	if format == "json" {
		write = p.WriteJSON
	}
	if err := write(a.Out()); err != nil {
		return err
	}
	if !p.OK() {
		return command.Code(command.Broken)
	}
	return nil
}
