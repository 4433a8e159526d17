package stream

import (
	"slices"

	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
)

// Mutants returns the mutants of streams that only campaigns find.
func Mutants() []edit.Mutant {
	return slices.Concat(
		deletions(), successors(), nextEpochs(), formerEnds(), afterReset(), afterResetFurther(), amounts(), volume(),
		sizes(), kinds(), combined(), shapes(), clients(), ages(), pausesKilled(), removalsKilled(), racesKilled(),
		writersKilled(), encodings(), common(), equals(), agentNames(), fieldLimits(), parserLimits(), beats(), refused(),
		invalidCursors(), cursors(), cursorForms(), jsonEscapes(), mistaken(), unauthorized(), concurrentCalls(), longStreams(),
		largeChunks(), slow(), leaves(), manyReaders(), keepers(), counted(), pauses(), morePauses(), races(), moreRaces(),
		endsInRaces(), readersInRaces(), removed(), removedStays(), noticed(), wrongNotices(), long(), fromCaches(),
		addedUp(), gaps(), members(), repetitions(), readers(), transports(), given(), snapshots(), streamNames(),
		similarIDs(), names(), extents(), credentials(), texts(), values(), writers(), stored(), notices(), ends(),
	)
}
