package program

// Kind is the action of an operation.
type Kind string

const (
	Write          Kind = "write"
	CloseWriter    Kind = "close writer"
	Cleanup        Kind = "cleanup"
	Reset          Kind = "reset"
	Pause          Kind = "pause"
	Activate       Kind = "activate"
	Attach         Kind = "attach"
	Leave          Kind = "leave"
	Resume         Kind = "resume"
	Receive        Kind = "receive"
	ReadOn         Kind = "read on"
	AttachBriefly  Kind = "visit"
	End            Kind = "end"
	Fail           Kind = "fail"
	Info           Kind = "info"
	Snapshot       Kind = "snapshot"
	CloseMidFrame  Kind = "flee"
	Fill           Kind = "fill"
	Enlarge        Kind = "enlarge"
	RejectBatch    Kind = "spoil"      // an array with one invalid chunk
	Unauthorized   Kind = "stranger"   // readers with a nearly correct credential
	Neighbours     Kind = "neighbours" // other streams at the same time
	ConcurrentOpen Kind = "rush"       // several writers open a stream concurrently
	Crowd          Kind = "crowd"
	WaitHeartbeats Kind = "dawdle" // waits for a few heartbeats

	Start                  Kind = "start"
	GoOn                   Kind = "go on"
	Release                Kind = "release"
	Approve                Kind = "approve"
	Deny                   Kind = "deny"
	HandIn                 Kind = "hand in"
	Interrupt              Kind = "interrupt"
	GoBack                 Kind = "resume run"
	Crash                  Kind = "crash"
	Rollback               Kind = "rollback"
	Branch                 Kind = "branch"
	Retry                  Kind = "retry"
	Supersede              Kind = "supersede"
	MakeInvalidCalls       Kind = "meddle"
	SnapshotWithoutPartial Kind = "glimpse"
	WaitForLate            Kind = "linger" // waits for delayed chunks
	Race                   Kind = "race"
	Kill                   Kind = "kill"
	KillAmid               Kind = "kill amid" // while a run works
	CrashAmid              Kind = "crash amid"
	SupersedeAmid          Kind = "supersede amid"
	InvalidCursors         Kind = "odd" // a cursor that no server sends
	DisconnectAt           Kind = "cut" // at a byte of the response
	Remove                 Kind = "remove"
	WriteClosed            Kind = "write closed" // writes through a closed writer
	SetState               Kind = "set state"    // the initial state of a stream without chunks
	ReadAll                Kind = "read all"     // reads all chunks of a run again
	Finish                 Kind = "finish"       // the last operation of a stream
)

// Needs maps kinds to the capability that they need; other kinds need none.
var Needs = map[Kind]string{
	Cleanup: "truncation", Reset: "reset", Pause: "status", Activate: "status", Resume: "resume", InvalidCursors: "resume", DisconnectAt: "resume", Info: "info", Snapshot: "snapshot",
	Kill: "durable", KillAmid: "durable", SnapshotWithoutPartial: "snapshot", SetState: "snapshot", Crash: "checkpoints", CrashAmid: "checkpoints", SupersedeAmid: "supersede", Interrupt: "checkpoints", Rollback: "checkpoints",
	Branch: "checkpoints", Retry: "checkpoints", Supersede: "supersede", RejectBatch: "arrays",
}
