package program

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/runner/campaign"
)

const (
	Stepless   = -1 // chunks without a step
	MixedSteps = -2 // chunks of several steps and without one

	ToStart = MostReaders // instead of a checkpoint: the state before the first step

	Here   = -1 // the last cursor of the reader
	Latest = -2 // the latest known id
)

// Operation is one operation on the server. It makes sense in every state, so that shrinking may drop earlier ones:
// playing it creates missing streams and writers first, and skips an impossible operation.
type Operation struct {
	Kind         Kind
	Stream       int    // from 0
	Who          int    // a writer or a reader, from 1; attach briefly, close mid-frame: how many readers; receive: 0 is every reader; race: how many writers
	Count        int    // write: chunks; race: of each writer
	Step         int    // write: the step of the chunks; cleanup, race with a cleanup: the last step that stays
	Class        string // write, end, fail: the class of data; invalid cursors: the class of cursor
	Size         int    // write: about how many bytes of text; disconnect: after how many bytes
	Each         int    // write, race: chunks of one call
	Cursor       int    // resume, invalid cursors: index of a known id, from 0, the start
	Query        string // resume: "", "query", "both", which is a header and a query of 0, "another", of the latest, "beside", behind another parameter, or "neither", a header of 0 and a query
	Over         string // attach, resume: "", "gzip" or "HTTP/2"
	First        bool   // leave: after receiving all expected frames
	Script       string // start: script as JSON; handIn: result as JSON; goBack: the mode
	State        string // start: initial state of the stream as JSON; "" for none
	Schema       string // start: schema of the output as JSON; "" for none
	Most         int    // resume: events after which the reader leaves; 0 is none
	Concurrently int    // race: how many readers
	Again        bool   // race: readers leave after each new chunk and come back
	Amid         Kind   // race: the concurrent call: "", end, reset or cleanup
	Killed       int    // race: after how many answers the server is killed; 0 for never
}

// form reads operations of one kind.
type form struct {
	pattern *regexp.Regexp
	read    func(o *Operation, m []string)
}

const transport = `(?: over (gzip|HTTP/2))?`

var forms = sync.OnceValue(func() map[Kind]form {
	f := func(pattern string, read func(o *Operation, m []string)) form {
		return form{regexp.MustCompile(`^(?:on stream (\d+), )?` + pattern + `$`), read}
	}
	who := func(o *Operation, m []string) { o.Who = number(m[2]) }
	class := func(o *Operation, m []string) { o.Class = m[2] }
	to := func(o *Operation, m []string) {
		if o.Who = ToStart; m[2] != "" {
			o.Who = number(m[2])
		}
	}
	return map[Kind]form{
		Write: f(`writer (\d+) writes (\d+) chunks? of (no step|mixed steps|step \d+), (\S+) data of (\d+) bytes(?:, (\d+) at a time)?`, func(o *Operation, m []string) {
			o.Who, o.Count, o.Class, o.Size, o.Each = number(m[2]), number(m[3]), m[5], number(m[6]), 1
			if m[7] != "" {
				o.Each = number(m[7])
			}
			switch m[4] {
			case "no step":
				o.Step = Stepless
			case "mixed steps":
				o.Step = MixedSteps
			default:
				o.Step = number(strings.TrimPrefix(m[4], "step "))
			}
		}),
		CloseWriter: f(`writer (\d+) is closed`, who),
		Cleanup:     f(`a cleanup to step (\d+)`, func(o *Operation, m []string) { o.Step = number(m[2]) }),
		Reset:       f(fixed[Reset], nil), Pause: f(fixed[Pause], nil), Activate: f(fixed[Activate], nil),
		Attach: f(`reader (\d+) attaches`+transport, func(o *Operation, m []string) { o.Who, o.Over = number(m[2]), m[3] }),
		Resume: f(`reader (\d+) resumes (where it was|at the latest|after event \d+)(?: by (query|both|neither|another|beside))?`+transport+`(?: for (\d+) events?)?`, func(o *Operation, m []string) {
			if o.Who, o.Query, o.Over = number(m[2]), m[4], m[5]; m[6] != "" {
				o.Most = number(m[6])
			}
			switch m[3] {
			case "where it was":
				o.Cursor = Here
			case "at the latest":
				o.Cursor = Latest
			default:
				o.Cursor = number(strings.TrimPrefix(m[3], "after event "))
			}
		}),
		Receive: f(`(?:reader (\d+)|every reader) receives what is due`, func(o *Operation, m []string) {
			if m[2] != "" {
				o.Who = number(m[2])
			}
		}),
		ReadOn:        f(`reader (\d+) attaches and stalls`, who),
		Leave:         f(`reader (\d+) leaves( with everything)?`, func(o *Operation, m []string) { o.Who, o.First = number(m[2]), m[3] != "" }),
		AttachBriefly: f(`(\d+) readers? comes? and leaves? at once`, who),
		End:           f(`it ends with (\S+) data`, class), Fail: f(`it fails with (\S+) data`, class),
		Start: f(`a run of (\[.*\])(?: on the state (\{.*\}))?(?: with an output of (\{.*\}))?`, func(o *Operation, m []string) {
			o.Script, o.State, o.Schema = m[2], m[3], m[4]
		}), GoOn: f(fixed[GoOn], nil),
		Release: f(`barrier (\d+) is released`, who), Approve: f(`call (\d+) is approved`, who), Deny: f(`call (\d+) is denied`, who),
		HandIn:    f(`call (\d+) is given (.*)`, func(o *Operation, m []string) { o.Who, o.Script = number(m[2]), m[3] }),
		Interrupt: f(fixed[Interrupt], nil), GoBack: f(`the run is resumed with the mode (\S+)(?: from checkpoint (\d+))?`, func(o *Operation, m []string) {
			if o.Script = m[2]; m[3] != "" {
				o.Who = number(m[3])
			}
		}),
		Crash: f(fixed[Crash], nil), Rollback: f(`the run is rolled back to (?:checkpoint (\d+)|its start)`, to), Branch: f(`the run is branched from (?:checkpoint (\d+)|its start)`, to),
		Retry: f(fixed[Retry], nil), Supersede: f(fixed[Supersede], nil),
		MakeInvalidCalls: f(fixed[MakeInvalidCalls], nil), WaitForLate: f(fixed[WaitForLate], nil), SnapshotWithoutPartial: f(fixed[SnapshotWithoutPartial], nil),
		InvalidCursors: f(`a reader comes with a cursor that is (\S+), after event (\d+)(?: by (query|both))?`, func(o *Operation, m []string) {
			o.Class, o.Cursor, o.Query = m[2], number(m[3]), m[4]
		}),
		DisconnectAt: f(`reader (\d+) is cut after (\d+) bytes, and resumes`, func(o *Operation, m []string) { o.Who, o.Size = number(m[2]), number(m[3]) }),
		Remove:       f(fixed[Remove], nil), Kill: f(fixed[Kill], nil),
		KillAmid:      f(`the run goes on, and the server is killed after (\d+) chunks?`, who),
		CrashAmid:     f(`the run goes on, and its executor crashes after (\d+) chunks? and it recovers`, who),
		SupersedeAmid: f(`the run goes on, and another executor takes over after (\d+) chunks?`, who),
		Race:          f(`(\d+) writers write (\d+) chunks? each at once(?:, (\d+) at a time)? beside (\d+) readers?( that come and go)?(?:, and it is (ended and failed|reset|cleaned up to step (\d+)) meanwhile)?(?:, and the server is killed after (\d+) answers?)?`, readRace),
		Info:          f(fixed[Info], nil), Snapshot: f(fixed[Snapshot], nil), Fill: f(fixed[Fill], nil), Unauthorized: f(fixed[Unauthorized], nil), Enlarge: f(fixed[Enlarge], nil), Crowd: f(fixed[Crowd], nil), WaitHeartbeats: f(fixed[WaitHeartbeats], nil),
		RejectBatch: f(`an array of (\d+) chunks is refused, of which (\d+) are right before one that isn't`, func(o *Operation, m []string) {
			o.Count, o.Cursor = number(m[2]), number(m[3])
		}),
		Neighbours:     f(`(\d+) other streams? (?:are|is) written, and read again`, who),
		ConcurrentOpen: f(`(\d+) writers? begins? a stream at once`, who),
		CloseMidFrame:  f(`(\d+) readers? leaves? in the middle of a frame`, who),
	}
})

// fixed maps kinds without arguments to their text.
var fixed = map[Kind]string{
	Kill: "the server is killed and started again", Reset: "a reset", Remove: "it is deleted, and made again", Pause: "a pause", Activate: "the pause is over", Info: "StreamInfo is asked for", Snapshot: "a snapshot is asked for",
	Fill:           "the stream is filled up to its limit and beyond",
	Enlarge:        "the largest chunk is written, and a larger one",
	WaitHeartbeats: "a few heartbeats pass",
	Crowd:          "as many readers come as may, and one more",
	GoOn:           "the run goes on", Interrupt: "the run is interrupted", Crash: "its executor crashes and it recovers",
	Retry: "the open step is tried again", Supersede: "another executor takes over",
	Unauthorized: "readers come whose credential is nearly right", WaitForLate: "a moment passes", MakeInvalidCalls: "what must be refused is tried", SnapshotWithoutPartial: "a snapshot without partial content is asked for",
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 1 << 30 // more digits than any number of a program
	}
	return n
}

// String returns the operation as a line of a program.
func (o Operation) String() string {
	var b strings.Builder
	if o.Stream > 0 {
		fmt.Fprintf(&b, "on stream %d, ", o.Stream+1)
	}
	switch o.Kind {
	case Write:
		fmt.Fprintf(&b, "writer %d writes %d %s of %s, %s data of %d bytes", o.Who, o.Count, plural(o.Count, "chunk"), o.steps(), o.Class, o.Size)
		if o.Each > 1 {
			fmt.Fprintf(&b, ", %d at a time", o.Each)
		}
	case CloseWriter:
		fmt.Fprintf(&b, "writer %d is closed", o.Who)
	case Cleanup:
		fmt.Fprintf(&b, "a cleanup to step %d", o.Step)
	case Attach:
		fmt.Fprintf(&b, "reader %d attaches%s", o.Who, o.transport())
	case Resume:
		fmt.Fprintf(&b, "reader %d resumes %s", o.Who, o.position())
		if o.Query != "" {
			b.WriteString(" by " + o.Query)
		}
		b.WriteString(o.transport())
		if o.Most > 0 {
			fmt.Fprintf(&b, " for %d %s", o.Most, plural(o.Most, "event"))
		}
	case CloseMidFrame:
		fmt.Fprintf(&b, "%d %s in the middle of a frame", o.Who, plural(o.Who, "reader")+map[bool]string{true: " leaves", false: " leave"}[o.Who == 1])
	case AttachBriefly:
		fmt.Fprintf(&b, "%d %s and %s at once", o.Who, plural(o.Who, "reader")+map[bool]string{true: " comes", false: " come"}[o.Who == 1],
			map[bool]string{true: "leaves", false: "leave"}[o.Who == 1])
	case Leave:
		fmt.Fprintf(&b, "reader %d leaves%s", o.Who, map[bool]string{true: " with everything"}[o.First])
	case Receive:
		fmt.Fprintf(&b, "%s receives what is due", map[bool]string{true: "every reader", false: "reader " + strconv.Itoa(o.Who)}[o.Who == 0])
	case ReadOn:
		fmt.Fprintf(&b, "reader %d attaches and stalls", o.Who)
	case InvalidCursors:
		fmt.Fprintf(&b, "a reader comes with a cursor that is %s, after event %d", o.Class, o.Cursor)
		if o.Query != "" {
			b.WriteString(" by " + o.Query)
		}
	case DisconnectAt:
		fmt.Fprintf(&b, "reader %d is cut after %d bytes, and resumes", o.Who, o.Size)
	case Race:
		o.ofRace(&b)
	case End, Fail:
		fmt.Fprintf(&b, "it %ss with %s data", o.Kind, o.Class)
	default:
		o.ofRun(&b)
	}
	return b.String()
}

// ofRun writes an operation on a run, and operations that are rare or have no arguments.
func (o Operation) ofRun(b *strings.Builder) {
	switch o.Kind {
	case RejectBatch:
		fmt.Fprintf(b, "an array of %d chunks is refused, of which %d are right before one that isn't", o.Count, o.Cursor)
	case Neighbours:
		fmt.Fprintf(b, "%d other %s %s written, and read again", o.Who, plural(o.Who, "stream"), map[bool]string{true: "is", false: "are"}[o.Who == 1])
	case ConcurrentOpen:
		fmt.Fprintf(b, "%d %s a stream at once", o.Who, plural(o.Who, "writer")+map[bool]string{true: " begins", false: " begin"}[o.Who == 1])
	case Start:
		b.WriteString("a run of " + o.Script)
		if o.State != "" {
			b.WriteString(" on the state " + o.State)
		}
		if o.Schema != "" {
			b.WriteString(" with an output of " + o.Schema)
		}
	case Release:
		fmt.Fprintf(b, "barrier %d is released", o.Who)
	case Approve, Deny:
		fmt.Fprintf(b, "call %d is %s", o.Who, map[Kind]string{Approve: "approved", Deny: "denied"}[o.Kind])
	case HandIn:
		fmt.Fprintf(b, "call %d is given %s", o.Who, o.Script)
	case GoBack:
		b.WriteString("the run is resumed with the mode " + o.Script)
		if o.Who > 0 {
			fmt.Fprintf(b, " from checkpoint %d", o.Who)
		}
	case Branch:
		b.WriteString("the run is branched from " + o.checkpoint())
	case KillAmid:
		fmt.Fprintf(b, "the run goes on, and the server is killed after %d %s", o.Who, plural(o.Who, "chunk"))
	case CrashAmid:
		fmt.Fprintf(b, "the run goes on, and its executor crashes after %d %s and it recovers", o.Who, plural(o.Who, "chunk"))
	case SupersedeAmid:
		fmt.Fprintf(b, "the run goes on, and another executor takes over after %d %s", o.Who, plural(o.Who, "chunk"))
	case Rollback:
		b.WriteString("the run is rolled back to " + o.checkpoint())
	default:
		b.WriteString(fixed[o.Kind])
	}
}

// checkpoint returns the name of the checkpoint to which a run returns.
func (o Operation) checkpoint() string {
	if o.Who == ToStart {
		return "its start"
	}
	return fmt.Sprintf("checkpoint %d", o.Who)
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

func (o Operation) transport() string {
	if o.Over == "" {
		return ""
	}
	return " over " + o.Over
}

func (o Operation) steps() string {
	switch o.Step {
	case Stepless:
		return "no step"
	case MixedSteps:
		return "mixed steps"
	}
	return "step " + strconv.Itoa(o.Step)
}

func (o Operation) position() string {
	switch o.Cursor {
	case Here:
		return "where it was"
	case Latest:
		return "at the latest"
	}
	return "after event " + strconv.Itoa(o.Cursor)
}

// parseOperation reads a line of a program.
func parseOperation(line string) (Operation, error) {
	for k, f := range forms() {
		m := f.pattern.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		o := Operation{Kind: k}
		if m[1] != "" {
			o.Stream = number(m[1]) - 1
		}
		if f.read != nil {
			f.read(&o, m)
		}
		return o, o.valid(line)
	}
	return Operation{}, fmt.Errorf("%q is no operation of a history", line)
}

// The bounds of a program's operations.
const (
	mostStreams = 4
	MostReaders = 32
	MostWriters = 8 + 130
	MostRacers  = 8
	mostSteps   = 1<<53 - 1
	mostChunks  = 100_000
	MostRace    = 1000 // of each writer of a race
	MostBytes   = 8 << 20
)

func (o Operation) valid(line string) error {
	most := map[Kind]int{Write: MostWriters, CloseWriter: MostWriters, Race: MostRacers, ConcurrentOpen: MostRacers, AttachBriefly: 1000, CloseMidFrame: 1000, Neighbours: 1000}[o.Kind]
	if most == 0 {
		most = MostReaders
	}
	switch {
	case o.Kind == InvalidCursors && CursorClasses[o.Class] == nil:
		return fmt.Errorf("%q: there is no kind of cursor %q", line, o.Class)
	case o.Kind != InvalidCursors && o.Class != "" && !known(o.Class):
		return fmt.Errorf("%q: there is no class of data %q", line, o.Class)
	case o.Stream < 0 || o.Stream >= mostStreams, o.Who > most, o.Step > mostSteps, o.Count > mostChunks, o.Size > MostBytes,
		o.Cursor > mostChunks, o.Most > mostChunks, o.Concurrently > MostReaders, o.Kind == Race && o.Count > MostRace, o.Killed > mostChunks:
		return fmt.Errorf("%q: a number is beyond what a history may have", line)
	case (o.Kind == Write || o.Kind == Race) && (o.Who < 1 || o.Count < 1 || o.Each < 1 || o.Each > mostChunks),
		o.Script == "" && strings.Contains(line, "reader ") && o.Who < 1 && o.Kind != Receive && o.Kind != InvalidCursors:
		return fmt.Errorf("%q: a number is 0, expected at least 1", line)
	}
	return nil
}

// known reports whether a class of data exists.
func known(class string) bool {
	return slices.Contains([]string{AnyValue, UnknownMember, UnknownType, LackingMember, EveryClass, MixedChunks, LongText, EmptyText, GrowingState, Patch, PatchApart, Reasoning, EqualText}, class) || campaign.IsClass(class)
}

func Text(count, each int) Operation {
	return Operation{Kind: Write, Who: 1, Count: count, Each: each, Step: Stepless, Class: ASCIIText, Size: 40}
}
