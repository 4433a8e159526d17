package aep

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/target/aep"
)

// kind is the action of an operation.
type kind string

const (
	makeRequest       kind = "ask"
	next              kind = "next"
	finish            kind = "finish"
	cancel            kind = "cancel"
	race              kind = "race"
	tryCancel         kind = "try to cancel"
	cancelEnded       kind = "late cancellation"
	leave             kind = "leave"
	connectAndLeave   kind = "visit"
	crowd             kind = "crowd"
	brief             kind = "brief"
	intrude           kind = "intrude"
	unknownThread     kind = "unheard"
	noForm            kind = "no form"
	badForm           kind = "bad form"
	beyond            kind = "beyond the limit"
	early             kind = "fail early"
	repeat            kind = "repeat"
	concurrentResults kind = "rivals"
	unauthorized      kind = "stranger"
	later             kind = "cancel the later"
	heed              kind = "heed the later"
	alike             kind = "alike"
	kill              kind = "kill"
	fall              kind = "fall" // of the server, while its agents go on
	meet              kind = "meet" // of a request and a kill
	move              kind = "move" // to another replica
	expire            kind = "expire"
	short             kind = "short"
	afresh            kind = "afresh"
)

// simple are the operations that have no members, by how they are written.
var simple = map[kind]string{
	next: "the agent goes on", finish: "everything is answered", cancel: "the request is cancelled",
	race: "the agent goes on and the request is cancelled", tryCancel: "the other user cancels the request",
	cancelEnded: "requests that are over are cancelled", crowd: "two more requests are made meanwhile", leave: "the reader leaves", intrude: "the other user asks",
	noForm: "a request without messages", badForm: "a request whose messages are none", beyond: "a request of a message that is too large", early: "a request fails before its stream begins", repeat: "the last request is made again",
	concurrentResults: "a result comes twice at once", unauthorized: "somebody asks whose credential is nearly right",
	later: "the later request is cancelled", heed: "the later request gets its time", kill: "the server is killed and started again",
	fall: "the agents go on and the server is killed", meet: "a request is made and the server is killed",
	move: "the next replica is asked from now on", expire: "the time of the request runs out",
	afresh: "the first request is made again without its thread",
}

// outcome names the results of actions that a request contains.
type outcome string

// The results that a request may bring: of the first open action or of all, right or wrong.
const (
	none               outcome = ""
	one                outcome = "a result"
	failed             outcome = "an error"
	all                outcome = "every result"
	again              outcome = "a result again"
	never              outcome = "a result of nothing"
	elsewhere          outcome = "a result of another thread"
	somebodys          outcome = "a result of another user"
	withUnknown        outcome = "a result beside one of nothing"
	withRepeated       outcome = "a result beside one again"
	withOtherThread    outcome = "a result beside one of another thread"
	allWithOtherThread outcome = "every result beside one of another thread"
	withOtherUser      outcome = "a result beside one of another user"
	mixed              outcome = "results and errors"
	retried            outcome = "results of which nothing came"
	doubled            outcome = "a result twice"
	nameless           outcome = "a result beside one without an action"
)

func outcomes() []outcome {
	return []outcome{one, failed, all, again, never, elsewhere, somebodys, withUnknown, withRepeated, withOtherThread, allWithOtherThread, withOtherUser, mixed, retried, doubled, nameless}
}

// step is one instruction for the agent.
type step struct {
	name  string // text, only, thinking, tool, failing, echo, continue, fail or await; only is a text without a marker
	class string // of its data; for echo and fail the variant
	size  int    // bytes of data, about; class words: how many; class sample: which
}

// lookalikes are kinds of unknown thread ids: new ones, and ones similar to existing ids.
func lookalikes() []string {
	return []string{
		"anew", "as the beginning of another", "as another and more", "as another between spaces", "as another in letters of the other case",
		"__proto__", "%", "null",
	}
}

// transports are ways to request a response, other than HTTP/1.1 without compression.
func transports() []string { return []string{"gzip", "HTTP/2"} }

// words is the class of texts that are divided at white space.
const words = "words"

// Operation is one operation on the server. It is valid in every state, so that earlier ones can be left out: missing
// things that it names are made first, and an impossible operation is skipped.
type Operation struct {
	kind     kind    // decides which of the fields below are set
	thread   int     // from 0
	count    int     // request: messages; connectAndLeave: readers; brief: conversations; short: requests
	class    string  // unknownThread: how the thread is named
	size     int     // bytes of the text of a message, about
	brings   outcome // request: results of open actions that it brings
	stalled  bool    // request: on a connection that isn't read at first
	over     string  // request: "", gzip or HTTP/2
	choice   int     // which of the ways of requests: their spelling, headers and connections; cancel: which reason; from 0, the usual one
	upstream string  // request: how the model that the kit plays writes its events, one of aep.Upstreams; "" as models usually do
	steps    []step  // request: what the agent does
}

var forms = sync.OnceValue(func() map[string]*regexp.Regexp {
	const data = `(?:sample (\d+)|(\S+) data of (\d+) bytes)`
	var brings, names []string
	for _, name := range lookalikes() {
		names = append(names, regexp.QuoteMeta(name))
	}
	for _, o := range outcomes() {
		brings = append(brings, string(o))
	}
	ways := strings.Join(aep.Upstreams(), "|")
	return map[string]*regexp.Regexp{
		"ask":     regexp.MustCompile(`^a request of (\d+) messages? with ` + data + `(?: and (` + strings.Join(brings, "|") + `))?(, read late)?(?:, over (gzip|HTTP/2))?(?:, of a model that writes (` + ways + `))?: ?(.*)$`),
		"alike":   regexp.MustCompile(`^sample (\d+) is said on every thread$`),
		"unheard": regexp.MustCompile(`^a thread that never was is asked for, named (` + strings.Join(names, "|") + `)$`),
		"visit":   regexp.MustCompile(`^(\d+) requests? that nobody waits for$`), "brief": regexp.MustCompile(`^(\d+) conversations? of one request$`),
		"choice": regexp.MustCompile(`^([^:]+) by choice (\d+)(|:.*)$`),
		"short":  regexp.MustCompile(`^(\d+) short requests?$`), "thread": regexp.MustCompile(`^on thread (\d+), (.+)$`),
		"said": regexp.MustCompile(`^(says|thinks) (\d+) words$`), "data": regexp.MustCompile(`^(says|says only|thinks|calls|calls in vain|asks) ` + data + `$`),
		"echo": regexp.MustCompile(`^repeats (messages|history|results|context)$`), "fail": regexp.MustCompile(`^fails with (agent_error|tool_error|internal_error)$`),
	}
})

// verbs lists the names of steps in programs.
var verbs = map[string]string{"text": "says", "only": "says only", "thinking": "thinks", "tool": "calls", "failing": "calls in vain", "continue": "asks"}

func (a step) String() string {
	switch a.name {
	case "await":
		return "waits"
	case "echo":
		return "repeats " + a.class
	case "fail":
		return "fails with " + a.class
	}
	if a.class == words {
		return fmt.Sprintf("%s %d words", verbs[a.name], a.size)
	}
	return verbs[a.name] + " " + dataOf(a.class, a.size)
}

// dataOf is data as it is written, and dataIn reads it.
func dataOf(class string, size int) string {
	if class == sample {
		return fmt.Sprintf("sample %d", size)
	}
	return fmt.Sprintf("%s data of %d bytes", class, size)
}

func dataIn(which, class, size string) (string, int) {
	if which != "" {
		return sample, campaign.Number(which)
	}
	return class, campaign.Number(size)
}

func parseStep(text string) (step, error) {
	name := func(verb string) string {
		for name, v := range verbs {
			if v == verb {
				return name
			}
		}
		return ""
	}
	if text == "waits" {
		return step{name: "await"}, nil
	}
	if m := forms()["said"].FindStringSubmatch(text); m != nil {
		return step{name(m[1]), words, campaign.Number(m[2])}, nil
	}
	if m := forms()["data"].FindStringSubmatch(text); m != nil {
		class, size := dataIn(m[2], m[3], m[4])
		return step{name(m[1]), class, size}, nil
	}
	if m := forms()["echo"].FindStringSubmatch(text); m != nil {
		return step{name: "echo", class: m[1]}, nil
	}
	if m := forms()["fail"].FindStringSubmatch(text); m != nil {
		return step{name: "fail", class: m[1]}, nil
	}
	return step{}, fmt.Errorf("%q is nothing that an agent does", text)
}

// String returns the line of a program.
func (o Operation) String() string {
	head, choice := "", ""
	if o.choice > 0 {
		choice = fmt.Sprintf(" by choice %d", o.choice)
	}
	if o.thread > 0 {
		head = fmt.Sprintf("on thread %d, ", o.thread+1)
	}
	switch o.kind {
	case unknownThread:
		return head + "a thread that never was is asked for, named " + o.class + choice
	case connectAndLeave:
		return head + fmt.Sprintf("%d %s that nobody waits for", o.count, campaign.Plural(o.count, "request")) + choice
	case brief:
		return fmt.Sprintf("%d %s of one request", o.count, campaign.Plural(o.count, "conversation")) + choice
	case short:
		return head + fmt.Sprintf("%d short %s", o.count, campaign.Plural(o.count, "request")) + choice
	case alike:
		return fmt.Sprintf("sample %d is said on every thread", o.size) + choice
	case makeRequest:
		head += fmt.Sprintf("a request of %d %s with %s", o.count, campaign.Plural(o.count, "message"), dataOf(o.class, o.size))
		if o.brings != none {
			head += " and " + string(o.brings)
		}
		if o.stalled {
			head += ", read late"
		}
		if o.over != "" {
			head += ", over " + o.over
		}
		if o.upstream != "" {
			head += ", of a model that writes " + o.upstream
		}
		acts := make([]string, len(o.steps))
		for i, a := range o.steps {
			acts[i] = a.String()
		}
		return strings.TrimSpace(head + choice + ": " + strings.Join(acts, ", "))
	}
	return head + simple[o.kind] + choice
}

// parseOperation reads a line of a program.
func parseOperation(line string) (Operation, error) {
	o, text := Operation{}, line
	if m := forms()["thread"].FindStringSubmatch(line); m != nil {
		o.thread, text = campaign.Number(m[1])-1, m[2]
	}
	if m := forms()["choice"].FindStringSubmatch(text); m != nil {
		o.choice, text = campaign.Number(m[2]), m[1]+m[3]
	}
	for k, words := range simple {
		if text == words {
			o.kind = k
			return o, o.valid(line)
		}
	}
	for _, k := range []kind{connectAndLeave, brief, short} {
		if m := forms()[string(k)].FindStringSubmatch(text); m != nil {
			o.kind, o.count = k, campaign.Number(m[1])
			return o, o.valid(line)
		}
	}
	if m := forms()["unheard"].FindStringSubmatch(text); m != nil {
		o.kind, o.class = unknownThread, m[1]
		return o, nil
	}
	if m := forms()["alike"].FindStringSubmatch(text); m != nil {
		o.kind, o.size = alike, campaign.Number(m[1])
		return o, o.valid(line)
	}
	m := forms()["ask"].FindStringSubmatch(text)
	if m == nil {
		return o, fmt.Errorf("%q is no operation of a history", line)
	}
	o.kind, o.count, o.brings, o.stalled, o.over = makeRequest, campaign.Number(m[1]), outcome(m[5]), m[6] != "", m[7]
	o.upstream = m[8]
	o.class, o.size = dataIn(m[2], m[3], m[4])
	for _, text := range strings.Split(m[9], ", ") {
		if text == "" {
			continue
		}
		a, err := parseStep(text)
		if err != nil {
			return o, fmt.Errorf("%q: %w", line, err)
		}
		o.steps = append(o.steps, a)
	}
	return o, o.valid(line)
}

// Options of a program.
const (
	mostThreads  = 8
	mostMessages = 130
	mostSteps    = 1000
	mostWords    = 20_000
	mostBytes    = 4 << 20
)

func (o Operation) valid(line string) error {
	bad := func(why string) error { return fmt.Errorf("%q: %s", line, why) }
	switch {
	case o.thread < 0 || o.thread >= mostThreads, o.count > mostMessages, o.size > mostBytes, len(o.steps) > mostSteps:
		return bad("a number is beyond what a history may have")
	case slices.Contains([]kind{makeRequest, connectAndLeave, brief, short}, o.kind) && o.count < 1 && o.brings == none:
		return bad("a number is 0, expected at least 1")
	case o.kind == makeRequest && !known(o.class):
		return bad("there is no class of data " + strconv.Quote(o.class))
	}
	rank := 0
	if is := o.does; is("only") && (is("text") || is("echo") || is("await") || is("fail")) {
		return bad("an agent that says only one thing says nothing else, and neither waits nor fails")
	}
	for _, a := range o.steps {
		r := slices.Index([]string{"echo", "continue", "fail"}, a.name) + 1
		switch {
		case r < rank, rank == 3:
			return bad("an agent repeats what it was handed after all else, and then asks or fails")
		case a.name != "echo" && a.name != "fail" && a.name != "await" && a.class != words && !known(a.class):
			return bad("there is no class of data " + strconv.Quote(a.class))
		case a.class == words && a.size > mostWords, a.size > mostBytes:
			return bad("a number is beyond what a history may have")
		}
		rank = r
	}
	if rank == 3 && slices.ContainsFunc(o.steps, func(a step) bool { return a.name == "continue" }) {
		return bad("an agent that asks doesn't fail")
	}
	return nil
}

// does reports whether an agent does something.
func (o Operation) does(name string) bool {
	return slices.ContainsFunc(o.steps, func(a step) bool { return a.name == name })
}

// known reports whether there is data of a class.
func known(class string) bool {
	return class == values || class == sample || class == every || campaign.IsClass(class)
}

// needs is the capability without which a kind isn't drawn.
var needs = map[kind]string{
	cancel: "cancel", race: "cancel", tryCancel: "cancel", cancelEnded: "cancel", later: "cancel", intrude: "auth", unknownThread: "threads",
	kill: "durable", fall: "durable", meet: "durable", move: "replicas", repeat: "threads", concurrentResults: "actions", unauthorized: "auth", afresh: "threads",
}
