package program

import (
	"fmt"
	"strings"
)

func readRace(o *Operation, m []string) {
	o.Who, o.Count, o.Each, o.Concurrently, o.Again = number(m[2]), number(m[3]), 1, number(m[5]), m[6] != ""
	if m[4] != "" {
		o.Each = number(m[4])
	}
	switch {
	case m[8] != "":
		o.Amid, o.Step = Cleanup, number(m[8])
	case m[7] == "reset":
		o.Amid = Reset
	case m[7] != "":
		o.Amid = End
	}
	if m[9] != "" {
		o.Killed = number(m[9])
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
	fmt.Fprintf(b, "%d writers write %d %s each at once", o.Who, o.Count, plural(o.Count, "chunk"))
	if o.Each > 1 {
		fmt.Fprintf(b, ", %d at a time", o.Each)
	}
	fmt.Fprintf(b, " beside %d %s", o.Concurrently, plural(o.Concurrently, "reader"))
	if o.Again {
		b.WriteString(" that come and go")
	}
	b.WriteString(o.meanwhile())
	if o.Killed > 0 {
		fmt.Fprintf(b, ", and the server is killed after %d %s", o.Killed, plural(o.Killed, "answer"))
	}
}
