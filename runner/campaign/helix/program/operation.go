package program

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/runner/campaign"
)

const (
	Stepless   = -1 // chunks without a step
	MixedSteps = -2 // chunks of several steps and without one

	ToStart = MostReaders // instead of a checkpoint: the state before the first step

	Here     = -1 // the last cursor of the reader
	Latest   = -2 // the latest known id
	Terminal = -3 // the id of the terminal frame
)

// Operation is one operation on the server. It makes sense in every state, so that shrinking may drop earlier ones:
// playing it creates missing streams and writers first, and skips an impossible operation. Whatever a client may do in
// several ways is a field, whose zero value is the usual way: a player counts and draws nothing.
type Operation struct {
	Kind         Kind   // decides which of the fields below are set
	Stream       int    // from 0
	Who          int    // a writer or a reader, from 1; attach briefly, close mid-frame: how many readers; receive: 0 is every reader; race: how many writers; go on: which of the waiting calls; invalid calls, reject batch: which call or chunk
	Count        int    // write, write closed: chunks; race: of each writer; end: number of the output
	Step         int    // write: the step of the chunks; cleanup, race with a cleanup: the last step that stays
	Class        string // write, end, fail: the class of data; invalid cursors: the class of cursor; interrupt: "short" or "long", a reason; remove: an unknown id that is requested as well
	Size         int    // write, end, fail: about how many bytes of text; disconnect: after how many bytes
	Each         int    // write, race: chunks of one call
	Cursor       int    // resume, finish, invalid cursors: index of a known id, from 0, the start; end, fail: first text of the catalogue
	Query        string // resume, finish: "", "query", "both", which is a header and a query of 0, "another", of the latest, "beside": after another parameter, or "neither", a header of 0 and a query
	Over         string // attach, resume, finish: "", "gzip" or "HTTP/2"
	Headers      string // attach, resume, finish: the client whose headers are sent, of HeaderForms; "" for none
	Replica      int    // attach, resume: the number of another replica, 0 for the first one
	First        bool   // leave: after receiving all expected frames; finish: the last snapshot is without partial content
	Twice        bool   // start, resume run: by two clients concurrently; close writer: by two calls; snapshot: while another client requests one
	Script       string // start: script as JSON; handIn: result as JSON; goBack: the mode
	State        string // start, set state: initial state of the stream as JSON; "" for none
	Schema       string // start: schema of the output as JSON; "" for none
	Code         string // fail: the code; "" for none
	Most         int    // resume: events after which the reader leaves; 0 is none; race: number of the readers' plan
	Concurrently int    // race: how many readers
	Again        bool   // race: readers leave after each new chunk and come back
	Amid         Kind   // race: the concurrent call: "", end, reset or cleanup; finish: end or fail
	After        Kind   // end, fail: the terminal call after it, which changes nothing; "" for none
	Killed       int    // race: after how many answers the server is killed; 0 for never
}

// form reads operations of one kind.
type form struct {
	pattern *regexp.Regexp                 // of a complete line
	read    func(o *Operation, m []string) // takes the submatches; nil if the kind has no fields
}

// transport matches how a reader attaches: over which transport, like which client, and at which replica.
const transport = `(?: over (gzip|HTTP/2))?(?: like (a page|curl|a library|a traced client))?(?: at replica (\d+))?`

const cursorBy = `(?: by (query|both|neither|another|beside))?`

// terminal matches the arguments of a terminal call.
const terminal = `with (\S+) data(?: of (\d+) bytes)?(?: from text (\d+))?(?:, output (\d+))?(?:, code (\S+))?(?:, and then it (ends|fails))?`

var forms = sync.OnceValue(func() map[Kind]form {
	f := func(pattern string, read func(o *Operation, m []string)) form {
		return form{regexp.MustCompile(`^(?:on stream (\d+), )?` + pattern + `$`), read}
	}
	who := func(o *Operation, m []string) { o.Who = campaign.Number(m[2]) }
	attached := func(o *Operation, m []string) {
		o.Over, o.Headers = m[0], m[1]
		o.Replica = optional(m[2])
	}
	over := func(o *Operation, m []string) {
		o.Class, o.Size, o.Cursor, o.Count, o.Code = m[2], optional(m[3]), optional(m[4]), optional(m[5]), m[6]
		o.After = terminalKinds[m[7]]
	}
	to := func(o *Operation, m []string) {
		if o.Who = ToStart; m[2] != "" {
			o.Who = campaign.Number(m[2])
		}
	}
	all := map[Kind]form{
		Write: f(`writer (\d+) writes (\d+) chunks? of (no step|mixed steps|step \d+), (\S+) data of (\d+) bytes(?:, (\d+) at a time)?`, func(o *Operation, m []string) {
			o.Who, o.Count, o.Class, o.Size, o.Each = campaign.Number(m[2]), campaign.Number(m[3]), m[5], campaign.Number(m[6]), 1
			if m[7] != "" {
				o.Each = campaign.Number(m[7])
			}
			switch m[4] {
			case "no step":
				o.Step = Stepless
			case "mixed steps":
				o.Step = MixedSteps
			default:
				o.Step = campaign.Number(strings.TrimPrefix(m[4], "step "))
			}
		}),
		CloseWriter: f(`writer (\d+) is closed( twice)?`, func(o *Operation, m []string) { o.Who, o.Twice = campaign.Number(m[2]), m[3] != "" }),
		WriteClosed: f(`closed writer (\d+) writes (\d+) chunks?`, func(o *Operation, m []string) { o.Who, o.Count = campaign.Number(m[2]), campaign.Number(m[3]) }),
		SetState:    f(`its state begins as (.*)`, func(o *Operation, m []string) { o.State = m[2] }),
		Cleanup:     f(`a cleanup to step (\d+)`, func(o *Operation, m []string) { o.Step = campaign.Number(m[2]) }),
		Attach: f(`reader (\d+) attaches`+transport, func(o *Operation, m []string) {
			o.Who = campaign.Number(m[2])
			attached(o, m[3:])
		}),
		Resume: f(`reader (\d+) resumes (where it was|at the latest|after the end|after event \d+)`+cursorBy+transport+`(?: for (\d+) events?)?`, func(o *Operation, m []string) {
			o.Who, o.Query, o.Most = campaign.Number(m[2]), m[4], optional(m[8])
			attached(o, m[5:])
			switch m[3] {
			case "where it was":
				o.Cursor = Here
			case "at the latest":
				o.Cursor = Latest
			case "after the end":
				o.Cursor = Terminal
			default:
				o.Cursor = campaign.Number(strings.TrimPrefix(m[3], "after event "))
			}
		}),
		Finish: f(`at last it (ends|fails), and a reader resumes after event (\d+)`+cursorBy+transport+`( and asks for a snapshot without partial content)?`, func(o *Operation, m []string) {
			o.Amid, o.Cursor, o.Query, o.First = terminalKinds[m[2]], campaign.Number(m[3]), m[4], m[8] != ""
			attached(o, m[5:])
		}),
		Receive: f(`(?:reader (\d+)|every reader) receives what is due`, func(o *Operation, m []string) {
			if m[2] != "" {
				o.Who = campaign.Number(m[2])
			}
		}),
		ReadOn:        f(`reader (\d+) attaches and stalls`, who),
		Leave:         f(`reader (\d+) leaves( with everything)?`, func(o *Operation, m []string) { o.Who, o.First = campaign.Number(m[2]), m[3] != "" }),
		AttachBriefly: f(`(\d+) readers? comes? and leaves? at once`, who),
		End:           f(`it ends `+terminal, over), Fail: f(`it fails `+terminal, over),
		Start: f(`a run of (\[.*\])(?: on the state (\{.*\}))?(?: with an output of (\{.*\}))?( by two clients at once)?`, func(o *Operation, m []string) {
			o.Script, o.State, o.Schema, o.Twice = m[2], m[3], m[4], m[5] != ""
		}),
		GoOn:    f(`the run goes on(?: by choice (\d+))?`, func(o *Operation, m []string) { o.Who = optional(m[2]) }),
		Release: f(`barrier (\d+) is released`, who), Approve: f(`call (\d+) is approved`, who), Deny: f(`call (\d+) is denied`, who),
		HandIn:    f(`call (\d+) is given (.*)`, func(o *Operation, m []string) { o.Who, o.Script = campaign.Number(m[2]), m[3] }),
		Interrupt: f(`the run is interrupted(?: for a (short|long) reason)?`, func(o *Operation, m []string) { o.Class = m[2] }),
		GoBack: f(`the run is resumed with the mode (\S+)(?: from checkpoint (\d+))?( by two clients at once)?`, func(o *Operation, m []string) {
			o.Script, o.Who, o.Twice = m[2], optional(m[3]), m[4] != ""
		}), Rollback: f(`the run is rolled back to (?:checkpoint (\d+)|its start)`, to), Branch: f(`the run is branched from (?:checkpoint (\d+)|its start)`, to),
		MakeInvalidCalls: f(`what must be refused is tried(?: by choice (\d+))?`, func(o *Operation, m []string) { o.Who = optional(m[2]) }),
		InvalidCursors: f(`a reader comes with a cursor that is (\S+), after event (\d+)(?: by (query|both))?`, func(o *Operation, m []string) {
			o.Class, o.Cursor, o.Query = m[2], campaign.Number(m[3]), m[4]
		}),
		DisconnectAt:  f(`reader (\d+) is cut after (\d+) bytes, and resumes`, func(o *Operation, m []string) { o.Who, o.Size = campaign.Number(m[2]), campaign.Number(m[3]) }),
		Remove:        f(`it is deleted(?:, asked for beside (\S+))?, and made again`, func(o *Operation, m []string) { o.Class = m[2] }),
		KillAmid:      f(`the run goes on, and the server is killed after (\d+) chunks?`, who),
		CrashAmid:     f(`the run goes on, and its executor crashes after (\d+) chunks? and it recovers`, who),
		SupersedeAmid: f(`the run goes on, and another executor takes over after (\d+) chunks?`, who),
		Race:          f(`(\d+) writers write (\d+) chunks? each at once(?:, (\d+) at a time)? beside (\d+) readers?( that come and go)?(?: by plan (\d+))?(?:, and it is (ended and failed|reset|cleaned up to step (\d+)) meanwhile)?(?:, and the server is killed after (\d+) answers?)?`, readRace), Snapshot: f(fixed[Snapshot]+`( by two clients at once)?`, func(o *Operation, m []string) { o.Twice = m[2] != "" }),
		RejectBatch: f(`an array of (\d+) chunks is refused, of which (\d+) are right before (?:one that isn't|invalid chunk (\d+))`, func(o *Operation, m []string) {
			o.Count, o.Cursor, o.Who = campaign.Number(m[2]), campaign.Number(m[3]), optional(m[4])
		}),
		Neighbours:     f(`(\d+) other streams? (?:are|is) written, and read again`, who),
		ConcurrentOpen: f(`(\d+) writers? begins? a stream at once`, who),
		CloseMidFrame:  f(`(\d+) readers? leaves? in the middle of a frame`, who),
	}
	for k, text := range fixed {
		if k != Snapshot {
			all[k] = f(text, nil)
		}
	}
	return all
})

// fixed maps kinds without arguments to their text.
var fixed = map[Kind]string{
	Kill: "the server is killed and started again", Reset: "a reset", Pause: "a pause", Activate: "the pause is over", Info: "StreamInfo is asked for", Snapshot: "a snapshot is asked for",
	Fill:           "the stream is filled up to its limit and beyond",
	Enlarge:        "the largest chunk is written, and a larger one",
	WaitHeartbeats: "a few heartbeats pass",
	Crowd:          "as many readers come as may, and one more",
	ReadAll:        "all chunks of the run are read again",
	Crash:          "its executor crashes and it recovers",
	Retry:          "the open step is tried again", Supersede: "another executor takes over",
	Unauthorized: "readers come whose credential is nearly right", WaitForLate: "a moment passes", SnapshotWithoutPartial: "a snapshot without partial content is asked for",
}

// terminalKinds maps the words of a terminal call to its kind.
var terminalKinds = map[string]Kind{"ends": End, "fails": Fail}

// optional returns the number of a text, 0 for "".
func optional(text string) int {
	if text == "" {
		return 0
	}
	return campaign.Number(text)
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
			o.Stream = campaign.Number(m[1]) - 1
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
	most := map[Kind]int{Write: MostWriters, CloseWriter: MostWriters, Race: MostRacers, ConcurrentOpen: MostRacers, AttachBriefly: 1000, CloseMidFrame: 1000, Neighbours: 1000, GoOn: 1000, MakeInvalidCalls: 1000}[o.Kind]
	if most == 0 {
		most = MostReaders
	}
	switch {
	case o.Kind == InvalidCursors && CursorClasses[o.Class] == nil:
		return fmt.Errorf("%q: there is no kind of cursor %q", line, o.Class)
	case !slices.Contains([]Kind{InvalidCursors, Interrupt, Remove}, o.Kind) && o.Class != "" && !known(o.Class):
		return fmt.Errorf("%q: there is no class of data %q", line, o.Class)
	case o.Stream < 0 || o.Stream >= mostStreams, o.Who > most, o.Step > mostSteps, o.Count > mostChunks, o.Size > MostBytes,
		o.Cursor > mostChunks, o.Most > mostChunks, o.Concurrently > MostReaders, o.Kind == Race && o.Count > MostRace, o.Killed > mostChunks:
		return fmt.Errorf("%q: a number is beyond what a history may have", line)
	case o.Kind == WriteClosed && (o.Who < 1 || o.Count < 1), (o.Kind == Write || o.Kind == Race) && (o.Who < 1 || o.Count < 1 || o.Each < 1 || o.Each > mostChunks),
		o.Script == "" && strings.Contains(line, "reader ") && o.Who < 1 && !slices.Contains([]Kind{Receive, InvalidCursors, Finish}, o.Kind):
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
