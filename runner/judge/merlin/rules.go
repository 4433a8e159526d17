package merlin

// The requirements that the judge knows.
const (
	wireContentType    = "merlin.wire.content-type"
	wireCacheControl   = "merlin.wire.cache-control"
	wireConnection     = "merlin.wire.connection"
	wireCORSOrigin     = "merlin.wire.cors-origin"
	wireCORSHeaders    = "merlin.wire.cors-headers"
	wireNames          = "merlin.wire.names"
	wireJSON           = "merlin.wire.json"
	wireObject         = "merlin.wire.object"
	wireSingleDataLine = "merlin.wire.single-data-line"
	wireBlankLine      = "merlin.wire.blank-line"
	wireUTF8           = "merlin.wire.utf8"
	wireNoBOM          = "merlin.wire.no-bom"
	wireUnwrapped      = "merlin.wire.unwrapped"
	wirePayload        = "merlin.wire.payload"
	wireEndLast        = "merlin.wire.end-last"
	wireNothingAfter   = "merlin.wire.nothing-after"
	wireEndData        = "merlin.wire.end-data"
	wireBodyCloses     = "merlin.wire.body-closes"

	slicesInit            = "merlin.slices.init"
	slicesContent         = "merlin.slices.content"
	slicesLength          = "merlin.slices.length"
	slicesNoIndex         = "merlin.slices.no-index"
	slicesWholeCharacters = "merlin.slices.whole-characters"

	citationsAttachments = "merlin.citations.attachments"

	chunksType           = "merlin.chunks.type"
	chunksIndex          = "merlin.chunks.index"
	chunksText           = "merlin.chunks.text"
	chunksContent        = "merlin.chunks.content"
	chunksReasoning      = "merlin.chunks.reasoning"
	chunksReasoningEmpty = "merlin.chunks.reasoning-empty"
	chunksMembers        = "merlin.chunks.members"
	chunksNoInit         = "merlin.chunks.no-init"
	chunksNoV1Events     = "merlin.chunks.no-v1-events"

	indexAscending = "merlin.index.ascending"

	subagentsPartial = "merlin.subagents.partial"
	subagentsResult  = "merlin.subagents.result"
	subagentsIndex   = "merlin.subagents.index"
	subagentsOnce    = "merlin.subagents.once"
	subagentsSame    = "merlin.subagents.same"
	subagentsOrder   = "merlin.subagents.order"

	progressMembers   = "merlin.progress.members"
	progressUUID      = "merlin.progress.uuid"
	progressStatus    = "merlin.progress.status"
	progressSameStep  = "merlin.progress.same-step"
	progressHeading   = "merlin.progress.heading"
	progressV1Event   = "merlin.progress.v1-event"
	progressV2Message = "merlin.progress.v2-message"
	progressFinished  = "merlin.progress.finished"
	progressNumbered  = "merlin.progress.numbered"

	toolsChunk = "merlin.tools.chunk"
	toolsShape = "merlin.tools.shape"

	aggregateMembers   = "merlin.aggregate.members"
	aggregateReasoning = "merlin.aggregate.reasoning"
)

// Requirements lists the ids of all requirements that the judge can find breached or count occasions of.
func Requirements() []string {
	return []string{
		wireContentType, wireCacheControl, wireConnection, wireCORSOrigin, wireCORSHeaders, wireNames, wireJSON, wireObject,
		wireSingleDataLine, wireBlankLine, wireUTF8, wireNoBOM, wireUnwrapped, wirePayload, wireEndLast, wireNothingAfter,
		wireEndData, wireBodyCloses,
		slicesInit, slicesContent, slicesLength, slicesNoIndex, slicesWholeCharacters, citationsAttachments,
		chunksType, chunksIndex, chunksText, chunksContent, chunksReasoning, chunksReasoningEmpty, chunksMembers, chunksNoInit, chunksNoV1Events,
		indexAscending, subagentsPartial, subagentsResult, subagentsIndex, subagentsOnce, subagentsSame, subagentsOrder,
		progressMembers, progressUUID, progressStatus, progressSameStep, progressHeading, progressV1Event, progressV2Message,
		progressFinished, progressNumbered, toolsChunk, toolsShape, aggregateMembers, aggregateReasoning,
	}
}
