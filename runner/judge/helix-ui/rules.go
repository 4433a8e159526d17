package helixui

// The requirements that the judge knows.
const (
	partsObject   = "helix-ui.parts.object"
	partsMembers  = "helix-ui.parts.members"
	partsOptional = "helix-ui.parts.optional"
	partsData     = "helix-ui.parts.data"
	partsKnown    = "helix-ui.parts.known"

	flowStart      = "helix-ui.flow.start"
	flowStartOnce  = "helix-ui.flow.start-once"
	flowStartNames = "helix-ui.flow.start-names"
	flowFinish     = "helix-ui.flow.finish"
	flowFinishLast = "helix-ui.flow.finish-last"
	flowDone       = "helix-ui.flow.done"
	flowDoneLast   = "helix-ui.flow.done-last"
	flowCloses     = "helix-ui.flow.closes"

	textOpened = "helix-ui.text.opened"
	textClosed = "helix-ui.text.closed"
	textUnique = "helix-ui.text.unique"
	textStep   = "helix-ui.text.step"

	reasoningOpened = "helix-ui.reasoning.opened"
	reasoningClosed = "helix-ui.reasoning.closed"
	reasoningUnique = "helix-ui.reasoning.unique"
	reasoningStep   = "helix-ui.reasoning.step"

	toolsOpened     = "helix-ui.tools.opened"
	toolsStarted    = "helix-ui.tools.started"
	toolsOnce       = "helix-ui.tools.once"
	toolsOutputOnce = "helix-ui.tools.output-once"
	toolsClosed     = "helix-ui.tools.closed"
	toolsName       = "helix-ui.tools.name"

	stepsOpened = "helix-ui.steps.opened"
	stepsNested = "helix-ui.steps.nested"
	stepsClosed = "helix-ui.steps.closed"

	errorsSilent = "helix-ui.errors.silent"

	resumeAscending   = "helix-ui.resume.ascending"
	resumeSameMessage = "helix-ui.resume.same-message"

	wireContentType  = "helix-ui.wire.content-type"
	wireHeader       = "helix-ui.wire.header"
	wireCacheControl = "helix-ui.wire.cache-control"
	wireUTF8         = "helix-ui.wire.utf8"
	wireNoBOM        = "helix-ui.wire.no-bom"
	wireBlankLine    = "helix-ui.wire.blank-line"
	wireSingleLine   = "helix-ui.wire.single-line"
	wireUnnamed      = "helix-ui.wire.unnamed"
)

// Requirements lists the ids of all requirements that the judge can find breached or count occasions of.
func Requirements() []string {
	return []string{
		partsObject, partsMembers, partsOptional, partsData, partsKnown,
		flowStart, flowStartOnce, flowStartNames, flowFinish, flowFinishLast, flowDone, flowDoneLast, flowCloses,
		textOpened, textClosed, textUnique, textStep, reasoningOpened, reasoningClosed, reasoningUnique, reasoningStep,
		toolsOpened, toolsStarted, toolsOnce, toolsOutputOnce, toolsClosed, toolsName, stepsOpened, stepsNested, stepsClosed, errorsSilent,
		resumeAscending, resumeSameMessage,
		wireContentType, wireHeader, wireCacheControl, wireUTF8, wireNoBOM, wireBlankLine, wireSingleLine, wireUnnamed,
	}
}
