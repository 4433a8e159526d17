package helix

// The requirements that the judge knows by itself, in the order of the chapters' checks.
const (
	wireJSON                  = "helix.wire.json"
	wireFrameType             = "helix.wire.frame-type"
	wireSingleDataLine        = "helix.wire.single-data-line"
	wireChunkFrame            = "helix.wire.chunk-frame"
	wireEndFrame              = "helix.wire.end-frame"
	wireFailFrame             = "helix.wire.fail-frame"
	wireStatusFrame           = "helix.wire.status-frame"
	wireTruncatedFrame        = "helix.wire.truncated-frame"
	wireExclusive             = "helix.wire.exclusive"
	wireBlankLine             = "helix.wire.blank-line"
	wireChunkID               = "helix.wire.chunk-id"
	wireIDDigits              = "helix.wire.id-digits"
	wireSequence              = "helix.wire.sequence"
	wireTerminalID            = "helix.wire.terminal-id"
	wireTerminalIDNext        = "helix.wire.terminal-id-next"
	wireContentType           = "helix.wire.content-type"
	wireCacheControl          = "helix.wire.cache-control"
	wireUnnamed               = "helix.wire.unnamed"
	wireUTF8                  = "helix.wire.utf8"
	wireNoBOM                 = "helix.wire.no-bom"
	wireHeartbeat             = "helix.wire.heartbeat"
	orderingAscending         = "helix.ordering.ascending"
	orderingAtLeastOne        = "helix.ordering.at-least-one"
	lifecycleOneTerminal      = "helix.lifecycle.one-terminal"
	lifecycleBodyCloses       = "helix.lifecycle.body-closes"
	lifecycleNoSentinel       = "helix.lifecycle.no-sentinel"
	resumeAfterCursor         = "helix.resume.after-cursor"
	truncationCoversDelivered = "helix.truncation.covers-delivered"
	truncationNotNumbered     = "helix.truncation.not-numbered"
	truncationInFlight        = "helix.truncation.in-flight"
	statusNoID                = "helix.status.no-id"
	statusNoRepeat            = "helix.status.no-repeat"
	statusInfoMembers         = "helix.status.info-members"
	statusInfoWord            = "helix.status.info-word"
	snapshotDocument          = "helix.snapshot.document"
	errorsKnownCode           = "helix.errors.known-code"
	errorsCodePrefix          = "helix.errors.code-prefix"
	errorsCodeStatus          = "helix.errors.code-status"
	httpErrorBody             = "helix.http.error-body"
	chunksObject              = "helix.chunks.object"
	chunksAgentID             = "helix.chunks.agent-id"
	chunksAgentType           = "helix.chunks.agent-type"
	chunksTimestamp           = "helix.chunks.timestamp"
	chunksStep                = "helix.chunks.step"
	chunksStepRequired        = "helix.chunks.step-required"
	chunksIntegers            = "helix.chunks.integers"
	chunksMembers             = "helix.chunks.members"
	textWholeCharacters       = "helix.text.whole-characters"
	textEmptyDelta            = "helix.text.empty-delta"
	thinkingWholeBlock        = "helix.thinking.whole-block"
	thinkingClosed            = "helix.thinking.closed"
	toolsArgumentsObject      = "helix.tools.arguments-object"
	toolsStartFirst           = "helix.tools.start-first"
	toolsEnded                = "helix.tools.ended"
	toolsEndOnce              = "helix.tools.end-once"
	toolsUniqueID             = "helix.tools.unique-id"
	toolsOutcome              = "helix.tools.outcome"
	toolsSuccess              = "helix.tools.success"
	toolsSameName             = "helix.tools.same-name"
	toolsSameAgent            = "helix.tools.same-agent"
	toolsClock                = "helix.tools.clock"
	approvalRequestMembers    = "helix.approval.request-members"
	subagentsParentID         = "helix.subagents.parent-id"
	subagentsChildID          = "helix.subagents.child-id"
	subagentsPaired           = "helix.subagents.paired"
	subagentsEnded            = "helix.subagents.ended"
	subagentsWithin           = "helix.subagents.within"
	subagentsCallID           = "helix.subagents.call-id"
	subagentsStep             = "helix.subagents.step"
	subagentsUnique           = "helix.subagents.unique"
	subagentsAgentType        = "helix.subagents.agent-type"
	subagentsResult           = "helix.subagents.result"
	statePointers             = "helix.state.pointers"
	stateOperands             = "helix.state.operands"
	stateOperations           = "helix.state.operations"
	stateEmptyPatch           = "helix.state.empty-patch"
	stateApplicable           = "helix.state.applicable"
	errorsText                = "helix.errors.text"
	errorsFatalLast           = "helix.errors.fatal-last"
	errorsFatalFails          = "helix.errors.fatal-fails"
	errorsSameText            = "helix.errors.same-text"
	outputOnce                = "helix.output.once"
	outputLast                = "helix.output.last"
	outputEnds                = "helix.output.ends"
	outputFinalOutput         = "helix.output.final-output"
	outputBookkeeping         = "helix.output.bookkeeping"
	runsStepOrder             = "helix.runs.step-order"
	runsTimestamps            = "helix.runs.timestamps"
	runsClock                 = "helix.runs.clock"
	runsNulls                 = "helix.runs.nulls"
	runsSilent                = "helix.runs.silent"
	runsKnownCheckpoint       = "helix.runs.known-checkpoint"
	runsFromStep              = "helix.runs.from-step"
	runsNewRun                = "helix.runs.new-run"
	runsResumeAnnounced       = "helix.runs.resume-announced"
	checkpointsAfterStep      = "helix.checkpoints.after-step"
	checkpointsUnique         = "helix.checkpoints.unique"
	checkpointsIncreasing     = "helix.checkpoints.increasing"
	checkpointsIDForm         = "helix.checkpoints.id-form"
	checkpointsOnce           = "helix.checkpoints.once"
	checkpointsPlace          = "helix.checkpoints.place"
	resyncFromSequence        = "helix.resync.from-sequence"
	resyncCovers              = "helix.resync.covers"
	resyncCounts              = "helix.resync.counts"
	bareEndMessage            = "helix.bare.end-message"
	bareChunk                 = "helix.bare.chunk"
)

// Requirements lists the ids of all requirements that the judge can find
// breached or count occasions of, in the order of the chapters' checks.
func Requirements() []string {
	return []string{
		wireJSON, wireFrameType, wireSingleDataLine, wireChunkFrame, wireEndFrame, wireFailFrame, wireStatusFrame,
		wireTruncatedFrame, wireExclusive, wireBlankLine, wireChunkID, wireIDDigits, wireSequence, wireTerminalID,
		wireTerminalIDNext, wireContentType, wireCacheControl, wireUnnamed, wireUTF8, wireNoBOM, wireHeartbeat,
		orderingAscending, orderingAtLeastOne, lifecycleOneTerminal, lifecycleBodyCloses, lifecycleNoSentinel, resumeAfterCursor,
		truncationCoversDelivered, truncationNotNumbered, truncationInFlight, statusNoID, statusNoRepeat,
		statusInfoMembers, statusInfoWord, snapshotDocument, errorsKnownCode, errorsCodePrefix, errorsCodeStatus,
		httpErrorBody, chunksObject, chunksAgentID, chunksAgentType, chunksTimestamp, chunksStep, chunksStepRequired,
		chunksIntegers, chunksMembers, textWholeCharacters, textEmptyDelta, thinkingWholeBlock, thinkingClosed,
		toolsArgumentsObject, toolsStartFirst, toolsEnded, toolsEndOnce, toolsUniqueID, toolsOutcome, toolsSuccess,
		toolsSameName, toolsSameAgent, toolsClock, approvalRequestMembers, subagentsParentID, subagentsChildID,
		subagentsPaired, subagentsEnded, subagentsWithin, subagentsCallID, subagentsStep, subagentsUnique, subagentsAgentType,
		subagentsResult, statePointers, stateOperands, stateOperations, stateEmptyPatch, stateApplicable, errorsText,
		errorsFatalLast, errorsFatalFails, errorsSameText, outputOnce, outputLast, outputEnds, outputFinalOutput,
		outputBookkeeping, runsStepOrder, runsTimestamps, runsClock, runsNulls, runsSilent, runsKnownCheckpoint,
		runsFromStep, runsNewRun, runsResumeAnnounced, checkpointsAfterStep, checkpointsUnique, checkpointsIncreasing,
		checkpointsIDForm, checkpointsOnce, checkpointsPlace, resyncFromSequence, resyncCovers, resyncCounts, bareEndMessage,
		bareChunk,
	}
}
