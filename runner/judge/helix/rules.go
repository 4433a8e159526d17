package helix

// A rule is a requirement that the judge knows by itself, as an index into the
// occasions that it counts.
type rule int

const (
	wireJSON rule = iota
	wireFrameType
	wireSingleDataLine
	wireChunkFrame
	wireEndFrame
	wireFailFrame
	wireStatusFrame
	wireTruncatedFrame
	wireExclusive
	wireBlankLine
	wireChunkID
	wireIDDigits
	wireSequence
	wireTerminalID
	wireTerminalIDNext
	wireContentType
	wireCacheControl
	wireUnnamed
	wireUTF8
	wireNoBOM
	wireHeartbeat
	orderingAscending
	lifecycleOneTerminal
	lifecycleBodyCloses
	lifecycleNoSentinel
	resumeAfterCursor
	truncationCoversDelivered
	truncationNotNumbered
	truncationInFlight
	statusNoID
	statusNoRepeat
	statusInfoMembers
	statusInfoWord
	errorsKnownCode
	errorsCodePrefix
	errorsCodeStatus
	httpErrorBody
	chunksObject
	chunksAgentID
	chunksAgentType
	chunksTimestamp
	chunksStep
	chunksStepRequired
	chunksIntegers
	chunksMembers
	ruleCount
)

// ids are the requirement ids of the rules.
var ids = [ruleCount]string{
	wireJSON:                  "helix.wire.json",
	wireFrameType:             "helix.wire.frame-type",
	wireSingleDataLine:        "helix.wire.single-data-line",
	wireChunkFrame:            "helix.wire.chunk-frame",
	wireEndFrame:              "helix.wire.end-frame",
	wireFailFrame:             "helix.wire.fail-frame",
	wireStatusFrame:           "helix.wire.status-frame",
	wireTruncatedFrame:        "helix.wire.truncated-frame",
	wireExclusive:             "helix.wire.exclusive",
	wireBlankLine:             "helix.wire.blank-line",
	wireChunkID:               "helix.wire.chunk-id",
	wireIDDigits:              "helix.wire.id-digits",
	wireSequence:              "helix.wire.sequence",
	wireTerminalID:            "helix.wire.terminal-id",
	wireTerminalIDNext:        "helix.wire.terminal-id-next",
	wireContentType:           "helix.wire.content-type",
	wireCacheControl:          "helix.wire.cache-control",
	wireUnnamed:               "helix.wire.unnamed",
	wireUTF8:                  "helix.wire.utf8",
	wireNoBOM:                 "helix.wire.no-bom",
	wireHeartbeat:             "helix.wire.heartbeat",
	orderingAscending:         "helix.ordering.ascending",
	lifecycleOneTerminal:      "helix.lifecycle.one-terminal",
	lifecycleBodyCloses:       "helix.lifecycle.body-closes",
	lifecycleNoSentinel:       "helix.lifecycle.no-sentinel",
	resumeAfterCursor:         "helix.resume.after-cursor",
	truncationCoversDelivered: "helix.truncation.covers-delivered",
	truncationNotNumbered:     "helix.truncation.not-numbered",
	truncationInFlight:        "helix.truncation.in-flight",
	statusNoID:                "helix.status.no-id",
	statusNoRepeat:            "helix.status.no-repeat",
	statusInfoMembers:         "helix.status.info-members",
	statusInfoWord:            "helix.status.info-word",
	errorsKnownCode:           "helix.errors.known-code",
	errorsCodePrefix:          "helix.errors.code-prefix",
	errorsCodeStatus:          "helix.errors.code-status",
	httpErrorBody:             "helix.http.error-body",
	chunksObject:              "helix.chunks.object",
	chunksAgentID:             "helix.chunks.agent-id",
	chunksAgentType:           "helix.chunks.agent-type",
	chunksTimestamp:           "helix.chunks.timestamp",
	chunksStep:                "helix.chunks.step",
	chunksStepRequired:        "helix.chunks.step-required",
	chunksIntegers:            "helix.chunks.integers",
	chunksMembers:             "helix.chunks.members",
}

// Requirements lists the ids of all requirements that the judge can find
// breached or count occasions of, in the order of the chapters' checks.
func Requirements() []string { return append([]string(nil), ids[:]...) }

// occasions counts, for each rule, how often its check had something to look at.
type occasions [ruleCount]int

func (o *occasions) byID() map[string]int {
	out := map[string]int{}
	for r, n := range o {
		if n > 0 {
			out[ids[r]] = n
		}
	}
	return out
}
