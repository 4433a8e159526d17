package draw

import (
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/program"
)

// invalidCursorReaders returns readers with every kind of cursor beyond the latest event and some of the other kinds. Before them
// comes one change of the stream, another one in each program, or none.
func invalidCursorReaders(r *rand.Rand, number int, claims func(string) bool) []program.Operation {
	before := []program.Kind{"", program.Remove, program.Cleanup, program.Pause, program.Reset}[number%5]
	if c := program.Needs[before]; c != "" && !claims(c) {
		before = ""
	}
	var out []program.Operation
	if before != "" {
		out = append(out, program.Operation{Kind: before, Step: 1})
	}
	if before == program.Reset {
		out = append(out, mixedWrites(r, 12, 4))
	}
	for i, class := range slices.Sorted(maps.Keys(program.CursorClasses)) {
		if program.CursorClasses[class].Means == program.BeyondLatest || i%5 == number%5 {
			out = append(out, program.Operation{Kind: program.InvalidCursors, Class: class, Cursor: r.IntN(12), Query: campaign.Pick(r, "", "query")})
		}
	}
	if claims(program.Needs[program.Pause]) { // a waiting reader must be notified as well
		if before != program.Pause {
			out = append(out, program.Operation{Kind: program.Pause})
		}
		out = append(out, program.Operation{Kind: program.Activate})
	}
	if before != "" || !claims(program.Needs[program.Reset]) {
		return out
	}
	out = append(out, program.Operation{Kind: program.End, Class: program.ASCIIText})
	for _, class := range slices.Sorted(maps.Keys(program.CursorClasses)) {
		out = append(out, program.Operation{Kind: program.InvalidCursors, Class: class, Cursor: r.IntN(12), Query: campaign.Pick(r, "", "query")})
	}
	return append(out, program.Operation{Kind: program.Reset}, mixedWrites(r, 3, 3))
}
