package program

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
)

// String returns the operation as a line of a program.
func (o Operation) String() string {
	var b strings.Builder
	if o.Stream > 0 {
		fmt.Fprintf(&b, "on stream %d, ", o.Stream+1)
	}
	switch o.Kind {
	case Write:
		fmt.Fprintf(&b, "writer %d writes %d %s of %s, %s data of %d bytes", o.Who, o.Count, campaign.Plural(o.Count, "chunk"), o.steps(), o.Class, o.Size)
		if o.Each > 1 {
			fmt.Fprintf(&b, ", %d at a time", o.Each)
		}
	case CloseWriter:
		fmt.Fprintf(&b, "writer %d is closed%s", o.Who, when(o.Twice, " twice"))
	case Cleanup:
		fmt.Fprintf(&b, "a cleanup to step %d", o.Step)
	case Attach:
		fmt.Fprintf(&b, "reader %d attaches%s", o.Who, o.transport())
	case Resume:
		fmt.Fprintf(&b, "reader %d resumes %s%s%s", o.Who, o.position(), prefixed(" by ", o.Query), o.transport())
		if o.Most > 0 {
			fmt.Fprintf(&b, " for %d %s", o.Most, campaign.Plural(o.Most, "event"))
		}
	case CloseMidFrame:
		fmt.Fprintf(&b, "%d %s in the middle of a frame", o.Who, campaign.Plural(o.Who, "reader")+map[bool]string{true: " leaves", false: " leave"}[o.Who == 1])
	case AttachBriefly:
		fmt.Fprintf(&b, "%d %s and %s at once", o.Who, campaign.Plural(o.Who, "reader")+map[bool]string{true: " comes", false: " come"}[o.Who == 1],
			map[bool]string{true: "leaves", false: "leave"}[o.Who == 1])
	case Leave:
		fmt.Fprintf(&b, "reader %d leaves%s", o.Who, when(o.First, " with everything"))
	case Receive:
		fmt.Fprintf(&b, "%s receives what is due", map[bool]string{true: "every reader", false: "reader " + strconv.Itoa(o.Who)}[o.Who == 0])
	case ReadOn:
		fmt.Fprintf(&b, "reader %d attaches and stalls", o.Who)
	case InvalidCursors:
		fmt.Fprintf(&b, "a reader comes with a cursor that is %s, after event %d%s", o.Class, o.Cursor, prefixed(" by ", o.Query))
	case DisconnectAt:
		fmt.Fprintf(&b, "reader %d is cut after %d bytes, and resumes", o.Who, o.Size)
	case Race:
		o.ofRace(&b)
	case End, Fail:
		o.ofEnd(&b)
	default:
		o.ofRun(&b)
	}
	return b.String()
}

// ofRun writes an operation on a run, and operations that are rare or have no arguments.
func (o Operation) ofRun(b *strings.Builder) {
	switch o.Kind {
	case RejectBatch:
		wrong := "one that isn't"
		if o.Who > 0 {
			wrong = fmt.Sprintf("invalid chunk %d", o.Who)
		}
		fmt.Fprintf(b, "an array of %d chunks is refused, of which %d are right before %s", o.Count, o.Cursor, wrong)
	case WriteClosed:
		fmt.Fprintf(b, "closed writer %d writes %d %s", o.Who, o.Count, campaign.Plural(o.Count, "chunk"))
	case SetState:
		b.WriteString("its state begins as " + o.State)
	case Remove:
		fmt.Fprintf(b, "it is deleted%s, and made again", prefixed(", asked for beside ", o.Class))
	case Snapshot:
		b.WriteString(fixed[Snapshot] + when(o.Twice, concurrent))
	case Finish:
		fmt.Fprintf(b, "at last it %ss, and a reader resumes %s%s%s%s", o.Amid, o.position(), prefixed(" by ", o.Query), o.transport(), when(o.First, " and asks for a snapshot without partial content"))
	case Neighbours:
		fmt.Fprintf(b, "%d other %s %s written, and read again", o.Who, campaign.Plural(o.Who, "stream"), map[bool]string{true: "is", false: "are"}[o.Who == 1])
	case ConcurrentOpen:
		fmt.Fprintf(b, "%d %s a stream at once", o.Who, campaign.Plural(o.Who, "writer")+map[bool]string{true: " begins", false: " begin"}[o.Who == 1])
	case Start:
		b.WriteString("a run of " + o.Script + prefixed(" on the state ", o.State) + prefixed(" with an output of ", o.Schema) + when(o.Twice, concurrent))
	case GoOn, MakeInvalidCalls:
		b.WriteString(map[Kind]string{GoOn: "the run goes on", MakeInvalidCalls: "what must be refused is tried"}[o.Kind] + numbered(" by choice ", o.Who))
	case Interrupt:
		b.WriteString("the run is interrupted")
		if o.Class != "" {
			fmt.Fprintf(b, " for a %s reason", o.Class)
		}
	case Release:
		fmt.Fprintf(b, "barrier %d is released", o.Who)
	case Approve, Deny:
		fmt.Fprintf(b, "call %d is %s", o.Who, map[Kind]string{Approve: "approved", Deny: "denied"}[o.Kind])
	case HandIn:
		fmt.Fprintf(b, "call %d is given %s", o.Who, o.Script)
	case GoBack:
		b.WriteString("the run is resumed with the mode " + o.Script + numbered(" from checkpoint ", o.Who) + when(o.Twice, concurrent))
	case Branch:
		b.WriteString("the run is branched from " + o.checkpoint())
	case KillAmid:
		fmt.Fprintf(b, "the run goes on, and the server is killed after %d %s", o.Who, campaign.Plural(o.Who, "chunk"))
	case CrashAmid:
		fmt.Fprintf(b, "the run goes on, and its executor crashes after %d %s and it recovers", o.Who, campaign.Plural(o.Who, "chunk"))
	case SupersedeAmid:
		fmt.Fprintf(b, "the run goes on, and another executor takes over after %d %s", o.Who, campaign.Plural(o.Who, "chunk"))
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

// ofEnd writes a terminal call.
func (o Operation) ofEnd(b *strings.Builder) {
	fmt.Fprintf(b, "it %ss with %s data", o.Kind, o.Class)
	if o.Size > 0 {
		fmt.Fprintf(b, " of %d bytes", o.Size)
	}
	b.WriteString(numbered(" from text ", o.Cursor) + numbered(", output ", o.Count) + prefixed(", code ", o.Code))
	if o.After != "" {
		fmt.Fprintf(b, ", and then it %ss", o.After)
	}
}

// concurrent is the text of a call that two clients make at the same time.
const concurrent = " by two clients at once"

func (o Operation) transport() string {
	return prefixed(" over ", o.Over) + prefixed(" like ", o.Headers) + numbered(" at replica ", o.Replica)
}

// prefixed returns a text behind a prefix, "" for no text.
func prefixed(prefix, text string) string { return when(text != "", prefix+text) }

// numbered returns a number behind a prefix, "" for 0.
func numbered(prefix string, n int) string { return when(n > 0, prefix+strconv.Itoa(n)) }

// when returns the text if the condition is true, else "".
func when(condition bool, text string) string {
	if condition {
		return text
	}
	return ""
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
	case Terminal:
		return "after the end"
	}
	return "after event " + strconv.Itoa(o.Cursor)
}

func readRace(o *Operation, m []string) {
	o.Who, o.Count, o.Each, o.Concurrently, o.Again = campaign.Number(m[2]), campaign.Number(m[3]), 1, campaign.Number(m[5]), m[6] != ""
	o.Most = optional(m[7])
	if m[4] != "" {
		o.Each = campaign.Number(m[4])
	}
	switch {
	case m[9] != "":
		o.Amid, o.Step = Cleanup, campaign.Number(m[9])
	case m[8] == "reset":
		o.Amid = Reset
	case m[8] != "":
		o.Amid = End
	}
	if m[10] != "" {
		o.Killed = campaign.Number(m[10])
	}
}

// meanwhile returns the text of the concurrent call of a race.
func (o Operation) meanwhile() string {
	switch o.Amid {
	case End:
		return ", and it is ended and failed meanwhile"
	case Reset:
		return ", and it is reset meanwhile"
	case Cleanup:
		return fmt.Sprintf(", and it is cleaned up to step %d meanwhile", o.Step)
	}
	return ""
}

// ofRace writes a race.
func (o Operation) ofRace(b *strings.Builder) {
	fmt.Fprintf(b, "%d writers write %d %s each at once", o.Who, o.Count, campaign.Plural(o.Count, "chunk"))
	if o.Each > 1 {
		fmt.Fprintf(b, ", %d at a time", o.Each)
	}
	fmt.Fprintf(b, " beside %d %s", o.Concurrently, campaign.Plural(o.Concurrently, "reader"))
	b.WriteString(when(o.Again, " that come and go") + numbered(" by plan ", o.Most) + o.meanwhile())
	if o.Killed > 0 {
		fmt.Fprintf(b, ", and the server is killed after %d %s", o.Killed, campaign.Plural(o.Killed, "answer"))
	}
}

// Plan returns what a reader of a race does by the readers' plan: how many events it receives on each connection but the
// last, and the index of the known id after which every third reader begins. By plan 0 all stay, and begin at the start.
func (o Operation) Plan(reader int) (stays []int, position int) {
	if o.Most == 0 {
		return nil, 0
	}
	r := campaign.NewDraw(int64(o.Most), uint64(reader))
	for range r.IntN(4) {
		stays = append(stays, 1+r.IntN(6))
	}
	if reader%3 == 2 {
		position = r.IntN(1 << 20)
	}
	return stays, position
}
