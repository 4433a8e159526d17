package helix

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
	stepless = -1 // chunks without a step
	mixed    = -2 // chunks of several steps, and without one

	toStart = mostReaders // in place of a checkpoint: what was there before the first step

	here   = -1 // the cursor where a reader was
	latest = -2 // the last id that is known
)

// Operation is one thing that is done to the server. It makes sense in every state, so that others can be left out before
// it: what it names and isn't there is made first, and what can't be done is passed over.
type Operation struct {
	kind         kind
	stream       int    // from 0
	who          int    // a writer or a reader, from 1; visit and flee: how many readers; receive: 0 is every reader; race: how many writers
	count        int    // write: chunks; race: of each writer
	step         int    // write; cleanup, and race with one: the last step that stays
	class        string // write, end, fail: the kind of data; odd: the kind of cursor
	size         int    // write: bytes of the text, about; cut: after how many bytes
	each         int    // write, race: chunks of one call
	cursor       int    // resume, odd: which of the ids that are known, from 0, which is the start
	query        string // resume: "", "query", "both", which is a header and a query of 0, "another", of the latest, "beside", behind another parameter, or "neither", a header of 0 and a query
	over         string // attach, resume: "", "gzip" or "HTTP/2"
	first        bool   // leave: what is due is received before
	script       string // start: as JSON; handIn: what is handed in; goBack: the mode
	state        string // start: the state that the stream is given before, as JSON; "" for none
	schema       string // start: of the output, as JSON; "" for none
	most         int    // resume: events after which the reader leaves; 0 is none
	concurrently int    // race: how many readers
	again        bool   // race: they leave whenever something came that was written since they came, and come back
	amid         kind   // race: what happens meanwhile: "", end, reset or cleanup
	killed       int    // race: after how many answers the server is killed; 0 for never
}

// form is how a kind of operation is written.
type form struct {
	pattern *regexp.Regexp
	read    func(o *Operation, m []string)
}

const transport = `(?: over (gzip|HTTP/2))?`

var forms = sync.OnceValue(func() map[kind]form {
	f := func(pattern string, read func(o *Operation, m []string)) form {
		return form{regexp.MustCompile(`^(?:on stream (\d+), )?` + pattern + `$`), read}
	}
	who := func(o *Operation, m []string) { o.who = number(m[2]) }
	class := func(o *Operation, m []string) { o.class = m[2] }
	to := func(o *Operation, m []string) {
		if o.who = toStart; m[2] != "" {
			o.who = number(m[2])
		}
	}
	return map[kind]form{
		write: f(`writer (\d+) writes (\d+) chunks? of (no step|mixed steps|step \d+), (\S+) data of (\d+) bytes(?:, (\d+) at a time)?`, func(o *Operation, m []string) {
			o.who, o.count, o.class, o.size, o.each = number(m[2]), number(m[3]), m[5], number(m[6]), 1
			if m[7] != "" {
				o.each = number(m[7])
			}
			switch m[4] {
			case "no step":
				o.step = stepless
			case "mixed steps":
				o.step = mixed
			default:
				o.step = number(strings.TrimPrefix(m[4], "step "))
			}
		}),
		closeWriter: f(`writer (\d+) is closed`, who),
		cleanup:     f(`a cleanup to step (\d+)`, func(o *Operation, m []string) { o.step = number(m[2]) }),
		reset:       f(fixed[reset], nil), pause: f(fixed[pause], nil), activate: f(fixed[activate], nil),
		attach: f(`reader (\d+) attaches`+transport, func(o *Operation, m []string) { o.who, o.over = number(m[2]), m[3] }),
		resume: f(`reader (\d+) resumes (where it was|at the latest|after event \d+)(?: by (query|both|neither|another|beside))?`+transport+`(?: for (\d+) events?)?`, func(o *Operation, m []string) {
			if o.who, o.query, o.over = number(m[2]), m[4], m[5]; m[6] != "" {
				o.most = number(m[6])
			}
			switch m[3] {
			case "where it was":
				o.cursor = here
			case "at the latest":
				o.cursor = latest
			default:
				o.cursor = number(strings.TrimPrefix(m[3], "after event "))
			}
		}),
		receive: f(`(?:reader (\d+)|every reader) receives what is due`, func(o *Operation, m []string) {
			if m[2] != "" {
				o.who = number(m[2])
			}
		}),
		readOn:        f(`reader (\d+) attaches and stalls`, who),
		leave:         f(`reader (\d+) leaves( with everything)?`, func(o *Operation, m []string) { o.who, o.first = number(m[2]), m[3] != "" }),
		attachBriefly: f(`(\d+) readers? comes? and leaves? at once`, who),
		end:           f(`it ends with (\S+) data`, class), fail: f(`it fails with (\S+) data`, class),
		start: f(`a run of (\[.*\])(?: on the state (\{.*\}))?(?: with an output of (\{.*\}))?`, func(o *Operation, m []string) {
			o.script, o.state, o.schema = m[2], m[3], m[4]
		}), goOn: f(fixed[goOn], nil),
		release: f(`barrier (\d+) is released`, who), approve: f(`call (\d+) is approved`, who), deny: f(`call (\d+) is denied`, who),
		handIn:    f(`call (\d+) is given (.*)`, func(o *Operation, m []string) { o.who, o.script = number(m[2]), m[3] }),
		interrupt: f(fixed[interrupt], nil), goBack: f(`the run is resumed with the mode (\S+)(?: from checkpoint (\d+))?`, func(o *Operation, m []string) {
			if o.script = m[2]; m[3] != "" {
				o.who = number(m[3])
			}
		}),
		crash: f(fixed[crash], nil), rollback: f(`the run is rolled back to (?:checkpoint (\d+)|its start)`, to), branch: f(`the run is branched from (?:checkpoint (\d+)|its start)`, to),
		retry: f(fixed[retry], nil), supersede: f(fixed[supersede], nil),
		makeInvalidCalls: f(fixed[makeInvalidCalls], nil), waitForLate: f(fixed[waitForLate], nil), snapshotWithoutPartial: f(fixed[snapshotWithoutPartial], nil),
		invalidCursors: f(`a reader comes with a cursor that is (\S+), after event (\d+)(?: by (query|both))?`, func(o *Operation, m []string) {
			o.class, o.cursor, o.query = m[2], number(m[3]), m[4]
		}),
		disconnectAt: f(`reader (\d+) is cut after (\d+) bytes, and resumes`, func(o *Operation, m []string) { o.who, o.size = number(m[2]), number(m[3]) }),
		remove:       f(fixed[remove], nil), kill: f(fixed[kill], nil),
		killAmid:      f(`the run goes on, and the server is killed after (\d+) chunks?`, who),
		crashAmid:     f(`the run goes on, and its executor crashes after (\d+) chunks? and it recovers`, who),
		supersedeAmid: f(`the run goes on, and another executor takes over after (\d+) chunks?`, who),
		race:          f(`(\d+) writers write (\d+) chunks? each at once(?:, (\d+) at a time)? beside (\d+) readers?( that come and go)?(?:, and it is (ended and failed|reset|cleaned up to step (\d+)) meanwhile)?(?:, and the server is killed after (\d+) answers?)?`, readRace),
		info:          f(fixed[info], nil), snapshot: f(fixed[snapshot], nil), fill: f(fixed[fill], nil), unauthorized: f(fixed[unauthorized], nil), enlarge: f(fixed[enlarge], nil), crowd: f(fixed[crowd], nil), waitHeartbeats: f(fixed[waitHeartbeats], nil),
		rejectBatch: f(`an array of (\d+) chunks is refused, of which (\d+) are right before one that isn't`, func(o *Operation, m []string) {
			o.count, o.cursor = number(m[2]), number(m[3])
		}),
		neighbours:     f(`(\d+) other streams? (?:are|is) written, and read again`, who),
		concurrentOpen: f(`(\d+) writers? begins? a stream at once`, who),
		closeMidFrame:  f(`(\d+) readers? leaves? in the middle of a frame`, who),
	}
})

// fixed is how operations are written that have nothing to choose.
var fixed = map[kind]string{
	kill: "the server is killed and started again", reset: "a reset", remove: "it is deleted, and made again", pause: "a pause", activate: "the pause is over", info: "StreamInfo is asked for", snapshot: "a snapshot is asked for",
	fill:           "the stream is filled up to its limit and beyond",
	enlarge:        "the largest chunk is written, and a larger one",
	waitHeartbeats: "a few heartbeats pass",
	crowd:          "as many readers come as may, and one more",
	goOn:           "the run goes on", interrupt: "the run is interrupted", crash: "its executor crashes and it recovers",
	retry: "the open step is tried again", supersede: "another executor takes over",
	unauthorized: "readers come whose credential is nearly right", waitForLate: "a moment passes", makeInvalidCalls: "what must be refused is tried", snapshotWithoutPartial: "a snapshot without partial content is asked for",
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 1 << 30 // more digits than any number here has
	}
	return n
}

// String is the line of a program.
func (o Operation) String() string {
	var b strings.Builder
	if o.stream > 0 {
		fmt.Fprintf(&b, "on stream %d, ", o.stream+1)
	}
	switch o.kind {
	case write:
		fmt.Fprintf(&b, "writer %d writes %d %s of %s, %s data of %d bytes", o.who, o.count, plural(o.count, "chunk"), o.steps(), o.class, o.size)
		if o.each > 1 {
			fmt.Fprintf(&b, ", %d at a time", o.each)
		}
	case closeWriter:
		fmt.Fprintf(&b, "writer %d is closed", o.who)
	case cleanup:
		fmt.Fprintf(&b, "a cleanup to step %d", o.step)
	case attach:
		fmt.Fprintf(&b, "reader %d attaches%s", o.who, o.transport())
	case resume:
		fmt.Fprintf(&b, "reader %d resumes %s", o.who, o.position())
		if o.query != "" {
			b.WriteString(" by " + o.query)
		}
		b.WriteString(o.transport())
		if o.most > 0 {
			fmt.Fprintf(&b, " for %d %s", o.most, plural(o.most, "event"))
		}
	case closeMidFrame:
		fmt.Fprintf(&b, "%d %s in the middle of a frame", o.who, plural(o.who, "reader")+map[bool]string{true: " leaves", false: " leave"}[o.who == 1])
	case attachBriefly:
		fmt.Fprintf(&b, "%d %s and %s at once", o.who, plural(o.who, "reader")+map[bool]string{true: " comes", false: " come"}[o.who == 1],
			map[bool]string{true: "leaves", false: "leave"}[o.who == 1])
	case leave:
		fmt.Fprintf(&b, "reader %d leaves%s", o.who, map[bool]string{true: " with everything"}[o.first])
	case receive:
		fmt.Fprintf(&b, "%s receives what is due", map[bool]string{true: "every reader", false: "reader " + strconv.Itoa(o.who)}[o.who == 0])
	case readOn:
		fmt.Fprintf(&b, "reader %d attaches and stalls", o.who)
	case invalidCursors:
		fmt.Fprintf(&b, "a reader comes with a cursor that is %s, after event %d", o.class, o.cursor)
		if o.query != "" {
			b.WriteString(" by " + o.query)
		}
	case disconnectAt:
		fmt.Fprintf(&b, "reader %d is cut after %d bytes, and resumes", o.who, o.size)
	case race:
		o.ofRace(&b)
	case end, fail:
		fmt.Fprintf(&b, "it %ss with %s data", o.kind, o.class)
	default:
		o.ofRun(&b)
	}
	return b.String()
}

// ofRun writes what is done to a run, and what is rare or has nothing to choose.
func (o Operation) ofRun(b *strings.Builder) {
	switch o.kind {
	case rejectBatch:
		fmt.Fprintf(b, "an array of %d chunks is refused, of which %d are right before one that isn't", o.count, o.cursor)
	case neighbours:
		fmt.Fprintf(b, "%d other %s %s written, and read again", o.who, plural(o.who, "stream"), map[bool]string{true: "is", false: "are"}[o.who == 1])
	case concurrentOpen:
		fmt.Fprintf(b, "%d %s a stream at once", o.who, plural(o.who, "writer")+map[bool]string{true: " begins", false: " begin"}[o.who == 1])
	case start:
		b.WriteString("a run of " + o.script)
		if o.state != "" {
			b.WriteString(" on the state " + o.state)
		}
		if o.schema != "" {
			b.WriteString(" with an output of " + o.schema)
		}
	case release:
		fmt.Fprintf(b, "barrier %d is released", o.who)
	case approve, deny:
		fmt.Fprintf(b, "call %d is %s", o.who, map[kind]string{approve: "approved", deny: "denied"}[o.kind])
	case handIn:
		fmt.Fprintf(b, "call %d is given %s", o.who, o.script)
	case goBack:
		b.WriteString("the run is resumed with the mode " + o.script)
		if o.who > 0 {
			fmt.Fprintf(b, " from checkpoint %d", o.who)
		}
	case branch:
		b.WriteString("the run is branched from " + o.checkpoint())
	case killAmid:
		fmt.Fprintf(b, "the run goes on, and the server is killed after %d %s", o.who, plural(o.who, "chunk"))
	case crashAmid:
		fmt.Fprintf(b, "the run goes on, and its executor crashes after %d %s and it recovers", o.who, plural(o.who, "chunk"))
	case supersedeAmid:
		fmt.Fprintf(b, "the run goes on, and another executor takes over after %d %s", o.who, plural(o.who, "chunk"))
	case rollback:
		b.WriteString("the run is rolled back to " + o.checkpoint())
	default:
		b.WriteString(fixed[o.kind])
	}
}

// checkpoint is the one that a run goes back to.
func (o Operation) checkpoint() string {
	if o.who == toStart {
		return "its start"
	}
	return fmt.Sprintf("checkpoint %d", o.who)
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

func (o Operation) transport() string {
	if o.over == "" {
		return ""
	}
	return " over " + o.over
}

func (o Operation) steps() string {
	switch o.step {
	case stepless:
		return "no step"
	case mixed:
		return "mixed steps"
	}
	return "step " + strconv.Itoa(o.step)
}

func (o Operation) position() string {
	switch o.cursor {
	case here:
		return "where it was"
	case latest:
		return "at the latest"
	}
	return "after event " + strconv.Itoa(o.cursor)
}

// parseOperation reads a line of a program.
func parseOperation(line string) (Operation, error) {
	for k, f := range forms() {
		m := f.pattern.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		o := Operation{kind: k}
		if m[1] != "" {
			o.stream = number(m[1]) - 1
		}
		if f.read != nil {
			f.read(&o, m)
		}
		return o, o.valid(line)
	}
	return Operation{}, fmt.Errorf("%q is no operation of a history", line)
}

// What a program may ask for.
const (
	mostStreams = 4
	mostReaders = 32
	mostWriters = 8 + 130
	mostRacers  = 8
	mostSteps   = 1<<53 - 1
	mostChunks  = 100_000
	mostRace    = 1000 // that each writer of a race writes
	mostBytes   = 8 << 20
)

func (o Operation) valid(line string) error {
	most := map[kind]int{write: mostWriters, closeWriter: mostWriters, race: mostRacers, concurrentOpen: mostRacers, attachBriefly: 1000, closeMidFrame: 1000, neighbours: 1000}[o.kind]
	if most == 0 {
		most = mostReaders
	}
	switch {
	case o.kind == invalidCursors && oddities[o.class] == nil:
		return fmt.Errorf("%q: there is no kind of cursor %q", line, o.class)
	case o.kind != invalidCursors && o.class != "" && !known(o.class):
		return fmt.Errorf("%q: there is no class of data %q", line, o.class)
	case o.stream < 0 || o.stream >= mostStreams, o.who > most, o.step > mostSteps, o.count > mostChunks, o.size > mostBytes,
		o.cursor > mostChunks, o.most > mostChunks, o.concurrently > mostReaders, o.kind == race && o.count > mostRace, o.killed > mostChunks:
		return fmt.Errorf("%q: a number is beyond what a history may have", line)
	case (o.kind == write || o.kind == race) && (o.who < 1 || o.count < 1 || o.each < 1 || o.each > mostChunks),
		o.script == "" && strings.Contains(line, "reader ") && o.who < 1 && o.kind != receive && o.kind != invalidCursors:
		return fmt.Errorf("%q: a number is 0, expected at least 1", line)
	}
	return nil
}

// known reports whether there is data of a class.
func known(class string) bool {
	return slices.Contains([]string{values, unknown, strange, lacking, every, mixedChunks, long64, empty, grows, patches, apart, reasoningOf, equals}, class) || campaign.IsClass(class)
}
