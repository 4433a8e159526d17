package aep

// The requirements that the judge checks, in the order of the chapters' checks. An optional behaviour is counted where it
// was possible.
const (
	eventsObject           = "aep.events.object"
	eventsMembers          = "aep.events.members"
	eventsNulls            = "aep.events.nulls"
	eventsIntegers         = "aep.events.integers"
	eventsRequestID        = "aep.events.request-id"
	eventsSameRequest      = "aep.events.same-request"
	eventsTimestamp        = "aep.events.timestamp"
	eventsTimestampOffset  = "aep.events.timestamp-offset"
	eventsClock            = "aep.events.clock"
	eventsMessageID        = "aep.events.message-id"
	eventsSameMessage      = "aep.events.same-message"
	flowMetadataFirst      = "aep.flow.metadata-first"
	flowMetadataOnce       = "aep.flow.metadata-once"
	flowMetadataMembers    = "aep.flow.metadata-members"
	flowTerminal           = "aep.flow.terminal"
	flowTerminalLast       = "aep.flow.terminal-last"
	flowBodyCloses         = "aep.flow.body-closes"
	flowBlocksClosed       = "aep.flow.blocks-closed"
	stagesStage            = "aep.stages.stage"
	stagesBlockID          = "aep.stages.block-id"
	stagesBlockIndex       = "aep.stages.block-index"
	stagesDeltaIndex       = "aep.stages.delta-index"
	stagesFinalData        = "aep.stages.final-data"
	stagesStartFirst       = "aep.stages.start-first"
	stagesOneStart         = "aep.stages.one-start"
	stagesAfterStop        = "aep.stages.after-stop"
	stagesSameEvent        = "aep.stages.same-event"
	stagesIndexUnique      = "aep.stages.index-unique"
	stagesIndexFromZero    = "aep.stages.index-from-zero"
	stagesIndexOrder       = "aep.stages.index-order"
	stagesDeltaOrder       = "aep.stages.delta-order"
	stagesDeltaFromZero    = "aep.stages.delta-from-zero"
	stagesNoStage          = "aep.stages.no-stage"
	stagesOverlap          = "aep.stages.overlap"
	stagesNoDelta          = "aep.stages.no-delta"
	contentTextDelta       = "aep.content.text-delta"
	contentFinalText       = "aep.content.final-text"
	contentWholeCharacters = "aep.content.whole-characters"
	toolsFragments         = "aep.tools.fragments"
	toolsOneValue          = "aep.tools.one-value"
	toolsFinalArguments    = "aep.tools.final-arguments"
	toolsNamed             = "aep.tools.named"
	toolsSummaryOnly       = "aep.tools.summary-only"
	toolsResultAfterCall   = "aep.tools.result-after-call"
	toolsResultCallID      = "aep.tools.result-call-id"
	doneContent            = "aep.done.content"
	doneBlockMembers       = "aep.done.block-members"
	doneComplete           = "aep.done.complete"
	doneText               = "aep.done.text"
	doneArguments          = "aep.done.arguments"
	doneCall               = "aep.done.call"
	doneOutcome            = "aep.done.outcome"
	doneFinishReason       = "aep.done.finish-reason"
	doneNoAction           = "aep.done.no-action"
	doneThread             = "aep.done.thread"
	doneSameThread         = "aep.done.same-thread"
	doneUsage              = "aep.done.usage"
	errorsCode             = "aep.errors.code"
	errorsKnownCode        = "aep.errors.known-code"
	errorsRetryable        = "aep.errors.retryable"
	errorsRetryableValue   = "aep.errors.retryable-value"
	errorsMessage          = "aep.errors.message"
	actionsMembers         = "aep.actions.members"
	actionsActionRequired  = "aep.actions.action-required"
	actionsUnique          = "aep.actions.unique"
	httpStatus             = "aep.http.status"
	httpErrorBody          = "aep.http.error-body"
	httpErrorEvent         = "aep.http.error-event"
	httpInStreamCodes      = "aep.http.in-stream-codes"
	wireContentType        = "aep.wire.content-type"
	wireCacheControl       = "aep.wire.cache-control"
	wireConnection         = "aep.wire.connection"
	wireBlankLine          = "aep.wire.blank-line"
	wireNamed              = "aep.wire.named"
	wireSameName           = "aep.wire.same-name"
	wireJSON               = "aep.wire.json"
	wireSingleDataLine     = "aep.wire.single-data-line"
	wireUTF8               = "aep.wire.utf8"
	wireNoBOM              = "aep.wire.no-bom"
	wireIDs                = "aep.wire.ids"
)

// Requirements lists the ids of all requirements that the judge can find
// breached or count occasions of, in the order of the chapters' checks.
func Requirements() []string {
	return []string{
		eventsObject, eventsMembers, eventsNulls, eventsIntegers, eventsRequestID, eventsSameRequest, eventsTimestamp,
		eventsTimestampOffset, eventsClock, eventsMessageID, eventsSameMessage, flowMetadataFirst, flowMetadataOnce,
		flowMetadataMembers, flowTerminal, flowTerminalLast, flowBodyCloses, flowBlocksClosed, stagesStage, stagesBlockID,
		stagesBlockIndex, stagesDeltaIndex, stagesFinalData, stagesStartFirst, stagesOneStart, stagesAfterStop,
		stagesSameEvent, stagesIndexUnique, stagesIndexFromZero, stagesIndexOrder, stagesDeltaOrder, stagesDeltaFromZero,
		stagesNoStage, stagesOverlap, stagesNoDelta, contentTextDelta, contentFinalText, contentWholeCharacters,
		toolsFragments, toolsOneValue, toolsFinalArguments, toolsNamed, toolsSummaryOnly, toolsResultAfterCall,
		toolsResultCallID, doneContent, doneBlockMembers, doneComplete, doneText, doneArguments, doneCall, doneOutcome, doneFinishReason,
		doneNoAction, doneThread, doneSameThread, doneUsage, errorsCode, errorsKnownCode, errorsRetryable,
		errorsRetryableValue, errorsMessage, actionsMembers, actionsActionRequired, actionsUnique, httpStatus,
		httpErrorBody, httpErrorEvent, httpInStreamCodes, wireContentType, wireCacheControl, wireConnection, wireBlankLine,
		wireNamed, wireSameName, wireJSON, wireSingleDataLine, wireUTF8, wireNoBOM, wireIDs,
	}
}
