package draw

import (
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
	"github.com/streamcert/streamcert/runner/shrink"
)

// simpler lists replacements of an operation in a program that is shrunk. It encodes scripts only when they are tried:
// all of them at the same time would exceed the memory of a run.
func simpler(o program.Operation) []func() program.Operation {
	out := shrink.Made(changed)(o)
	if o.Kind == program.Start {
		for _, script := range simplerScripts(o.Script) {
			out = append(out, func() program.Operation {
				next := o
				next.Script = script()
				return next
			})
		}
	}
	return out
}

// changed returns operations that differ from one in a single, simpler argument.
func changed(o program.Operation) []program.Operation {
	var out []program.Operation
	add := func(change func(*program.Operation)) {
		other := o
		if change(&other); other != o { // an operation that is as simple already yields nothing
			out = append(out, other)
		}
	}
	switch o.Kind {
	case program.Write:
		add(func(o *program.Operation) { o.Count = 1 })
		add(func(o *program.Operation) { o.Count = o.Count / 2 })
		add(func(o *program.Operation) { o.Count-- })
		add(func(o *program.Operation) { o.Class = program.ASCIIText })
		add(func(o *program.Operation) { o.Size = 1 })
		add(func(o *program.Operation) { o.Size /= 2 })
		add(func(o *program.Operation) { o.Each = 1 })
		add(func(o *program.Operation) { o.Each = o.Count })
		add(func(o *program.Operation) { o.Who = 1 })
		add(func(o *program.Operation) { o.Step = program.Stepless })
		out = slices.DeleteFunc(out, func(o program.Operation) bool { return o.Count < 1 || o.Size < 1 || o.Each < 1 })
	case program.Attach, program.Resume, program.Leave, program.Receive, program.ReadOn:
		add(func(o *program.Operation) { o.Over = "" })
		add(func(o *program.Operation) { o.Query = "" })
		add(func(o *program.Operation) { o.Who = 1 })
	case program.End, program.Fail:
		add(func(o *program.Operation) { o.Class, o.Size, o.Cursor = program.ASCIIText, 0, 0 })
		add(func(o *program.Operation) { o.Count, o.Code = 0, "" })
	case program.Finish:
		add(func(o *program.Operation) { o.Cursor, o.Over, o.Query, o.First = 0, "", "", false })
		add(func(o *program.Operation) { o.Amid = program.End })
	case program.Interrupt, program.Remove:
		add(func(o *program.Operation) { o.Class = "" })
	case program.AttachBriefly:
		add(func(o *program.Operation) { o.Who = 1 })
	case program.Start:
		add(func(o *program.Operation) { o.State = "" })
		add(func(o *program.Operation) { o.Schema = "" })
	case program.InvalidCursors:
		add(func(o *program.Operation) { o.Query = "" })
		add(func(o *program.Operation) { o.Cursor = 0 })
	case program.DisconnectAt:
		add(func(o *program.Operation) { o.Who = 1 })
		add(func(o *program.Operation) { o.Size = 1 })
	case program.Race:
		add(func(o *program.Operation) { o.Amid, o.Step = "", 0 })
		add(func(o *program.Operation) { o.Killed = min(o.Killed, 1) })
		add(func(o *program.Operation) { o.Concurrently = 1 })
		add(func(o *program.Operation) { o.Again, o.Most = false, 0 })
		add(func(o *program.Operation) { o.Who = 2 })
		add(func(o *program.Operation) { o.Each = 1 })
		add(func(o *program.Operation) { o.Count = max(1, o.Count/2) })
	}
	add(func(o *program.Operation) { o.Stream = 0 })
	add(func(o *program.Operation) { o.Twice, o.After, o.Replica, o.Headers = false, "", 0, "" })
	return out
}

// Shrunk returns a failure of a shorter program that violates the same requirement; again plays a program.
func Shrunk(f *program.Failure, most int, again func(program.Program) *program.Failure) *program.Failure {
	p, fails := f.Program, campaign.FailsAgain(&f, again)
	if one := slices.IndexFunc(alone(p), fails); one >= 0 {
		p = alone(p)[one]
	}
	shrink.List(p.Operations, simpler, most, func(operations []program.Operation) bool {
		shorter := p
		shorter.Operations = operations
		return fails(shorter)
	})
	for _, simpler := range []program.Program{{Streams: 1, Runs: p.Runs, Operations: f.Program.Operations}, {Streams: p.Streams, Runs: p.Runs, Operations: f.Program.Operations}} {
		one := !slices.ContainsFunc(simpler.Operations, func(o program.Operation) bool { return o.Stream >= simpler.Streams })
		if one && simpler.Head() != f.Program.Head() && fails(simpler) {
			break
		}
	}
	return f
}

// alone returns for each stream a program of its operations, if the program has several streams.
func alone(p program.Program) (out []program.Program) {
	for _, operations := range shrink.Alone(p.Operations, func(o *program.Operation) *int { return &o.Stream }) {
		out = append(out, program.Program{Streams: 1, Runs: p.Runs, Operations: operations})
	}
	return out
}
