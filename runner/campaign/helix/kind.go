package helix

// kind is the action of an operation.
type kind string

const (
	write          kind = "write"
	closeWriter    kind = "close writer"
	cleanup        kind = "cleanup"
	reset          kind = "reset"
	pause          kind = "pause"
	activate       kind = "activate"
	attach         kind = "attach"
	leave          kind = "leave"
	resume         kind = "resume"
	receive        kind = "receive"
	readOn         kind = "read on"
	attachBriefly  kind = "visit"
	end            kind = "end"
	fail           kind = "fail"
	info           kind = "info"
	snapshot       kind = "snapshot"
	closeMidFrame  kind = "flee"
	fill           kind = "fill"
	enlarge        kind = "enlarge"
	rejectBatch    kind = "spoil"      // an array one chunk of which is none
	unauthorized   kind = "stranger"   // readers whose credential is nearly right
	neighbours     kind = "neighbours" // other streams that are there at once
	concurrentOpen kind = "rush"       // of writers that begin a stream together
	crowd          kind = "crowd"
	waitHeartbeats kind = "dawdle" // for a few heartbeats

	start                  kind = "start"
	goOn                   kind = "go on"
	release                kind = "release"
	approve                kind = "approve"
	deny                   kind = "deny"
	handIn                 kind = "hand in"
	interrupt              kind = "interrupt"
	goBack                 kind = "resume run"
	crash                  kind = "crash"
	rollback               kind = "rollback"
	branch                 kind = "branch"
	retry                  kind = "retry"
	supersede              kind = "supersede"
	makeInvalidCalls       kind = "meddle"
	snapshotWithoutPartial kind = "glimpse"
	waitForLate            kind = "linger" // until what comes late has come
	race                   kind = "race"
	kill                   kind = "kill"
	killAmid               kind = "kill amid" // of what a run does
	crashAmid              kind = "crash amid"
	supersedeAmid          kind = "supersede amid"
	invalidCursors         kind = "odd" // a cursor that nobody gave out
	disconnectAt           kind = "cut" // at a byte
	remove                 kind = "remove"
)
