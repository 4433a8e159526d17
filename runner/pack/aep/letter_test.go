package aep_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/streamcert/streamcert/features"
	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/alter"
	seams "github.com/streamcert/streamcert/reference/alter/aep"
	variants "github.com/streamcert/streamcert/reference/variant/aep"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	targetaep "github.com/streamcert/streamcert/runner/target/aep"
)

// way is one way in which a server follows the source of the protocol to the letter, and is unlike the reference where
// the source is silent.
type way struct {
	name             string
	apply            func(aep.Options) aep.Options
	wrap             func(http.Handler) http.Handler
	tell             func(*target.Config, *targetaep.Config) // sets the config of the way
	warns            []string
	silent           []string // chapters in which requirements may be unprovable
	verify           bool     // its report is judged again
	completeChapters []string // chapters with all rows; of others one row for each requirement
}

// ways returns the alternatives that the source allows.
func ways(t *testing.T) []way {
	t.Helper()
	out := []way{
		{
			name: "own names", apply: otherNames, tell: tellNames,
			warns: []string{
				"aep.tools.fragments", "aep.tools.named", "aep.tools.result-call-id", "aep.stages.final-data", "aep.done.block-members",
			},
			// A shape without blocks can't express an unknown block.
			silent: []string{"request"}, verify: true, completeChapters: []string{"request", "tools", "done", "actions"},
		},
		{name: "no cancel route, and none declared", wrap: withoutCancel, completeChapters: []string{"cancel", "threads"}, tell: func(c *target.Config, _ *targetaep.Config) {
			c.Without = append(c.Without, "cancel")
		}},
		{name: "no cancel route, and cancel not left out", wrap: withoutCancel, completeChapters: []string{"cancel", "threads"}, silent: []string{"cancel"}},
	}
	for name, whole := range letterVariants() {
		i := slices.IndexFunc(variants.Catalogue(), func(v variants.Variant) bool { return v.Name == name })
		if i < 0 {
			t.Fatalf("there is no variant %s", name)
		}
		v := variants.Catalogue()[i]
		out = append(out, way{name: name, apply: v.Apply, wrap: v.Wrap, warns: v.Warns, completeChapters: whole})
	}
	return out
}

// letterVariants returns the ways that are also in the catalogue, with their chapters.
func letterVariants() map[string][]string {
	return map[string][]string{
		"a-busy-thread-is-refused": {"threads", "flow", "cancel", "actions"}, "a-thread-waits-in-line": {"threads", "flow", "cancel", "actions"},
		"lone-error": {"http"}, "end-turn": {"done", "flow"}, "trims-user-text": {"request"}, "takes-strings-as-messages": {"request"},
		"summary-is-the-beginning": {"tools"},
	}
}

// runs selects the rows for a way.
func (w way) runs() func(features.Scenario, string) bool {
	var mu sync.Mutex
	first := map[string]string{} // rows by requirement
	return func(sc features.Scenario, title string) bool {
		mu.Lock()
		defer mu.Unlock()
		row := sc.Location() + title
		if first[sc.Requirement] == "" {
			first[sc.Requirement] = row
		}
		return first[sc.Requirement] == row || slices.ContainsFunc(w.completeChapters, func(chapter string) bool { return strings.HasPrefix(sc.Location(), "aep/"+chapter+"/") })
	}
}

const otherShape = `{"from":"user","say":"{text}"}`

// tellNames gives the config the names of a server with other names.
func tellNames(_ *target.Config, c *targetaep.Config) {
	c.Input, c.Fragment, c.Result = otherShape, "partial_json", "value"
	c.CallID, c.ToolName, c.Args, c.Status, c.Summary = "callId", "name", "input", "outcome", "note"
	c.Text, c.Thinking = "content", "reasoning"
}

// otherNames renames whatever the source has no name for.
func otherNames(o aep.Options) aep.Options {
	decode := o.Decode
	o.Decode = func(body []byte) (aep.RequestBody, error) {
		body, err := fromOtherShape(body)
		if err != nil {
			return aep.RequestBody{}, err
		}
		return decode(body)
	}
	return seams.OnBytes(func(aep.Request) func([]byte, aep.Event) []byte {
		return func(whole []byte, e aep.Event) []byte {
			return alter.OnData(whole, func(text []byte) []byte { return toOtherShape(text, e) })
		}
	})(o)
}

var errOtherShape = &aep.Error{Code: "invalid_message_format", Message: "a message has from and say, a result has a value"}

// fromOtherShape reads a request in the server's names.
func fromOtherShape(body []byte) ([]byte, error) {
	members := alter.Members(body)
	var items []json.RawMessage
	if members == nil || members["messages"] == nil || json.Unmarshal(members["messages"], &items) != nil || items == nil {
		return body, nil // for the server to refuse
	}
	var messages []map[string]*string
	if json.Unmarshal(members["messages"], &messages) != nil {
		return nil, errOtherShape
	}
	read := []any{}
	for _, m := range messages {
		if m["say"] == nil {
			return nil, errOtherShape
		}
		read = append(read, map[string]any{"role": "user", "content": *m["say"]})
	}
	members["messages"] = alter.Encode(read)
	var handed struct {
		ActionResults []map[string]json.RawMessage
	}
	if json.Unmarshal(members["context"], &handed) == nil {
		for _, r := range handed.ActionResults {
			if r["result"] != nil {
				return nil, errOtherShape
			}
		}
	}
	return alter.Encode(members), nil
}

// toOtherShape writes an event in the server's names.
func toOtherShape(text []byte, e aep.Event) []byte {
	members := alter.Members(text)
	rename(string(e.Kind), members)
	var blocks []alter.Object
	if e.Kind == aep.Done && json.Unmarshal(members["content"], &blocks) == nil {
		for _, b := range blocks {
			rename(strings.Trim(string(b["type"]), `"`), b)
		}
		members["content"] = alter.Encode(blocks)
	}
	return alter.Encode(members)
}

// rename gives the members of an event, or of a block in done, other names.
func rename(kind string, members alter.Object) {
	of := map[string]string{
		"tool_call":   "toolCallId callId toolName name delta partial_json args input",
		"tool_use":    "toolCallId callId toolName name args input",
		"tool_result": "toolCallId callId status outcome summary note",
		"text":        "text content", "thinking": "text content thinking reasoning",
	}
	names := strings.Fields(of[kind])
	for i := 0; i < len(names); i += 2 {
		if value, there := members[names[i]]; there {
			members[names[i+1]] = value
			delete(members, names[i])
		}
	}
}

// withoutCancel answers a cancellation as a server does that has no such route.
func withoutCancel(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/cancel") {
			http.NotFound(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// TestLetterOfTheSource: a server that follows the source and nothing else earns both classes, with warnings at most. The
// runs wait more than they work, so that all of them go side by side, whatever the number of processors.
func TestLetterOfTheSource(t *testing.T) {
	if testing.Short() {
		t.Skip("a run of the whole suite")
	}
	all := ways(t)
	reports, errs := make([]*report.Report, len(all)), make([]error, len(all))
	var running sync.WaitGroup
	for i, w := range all {
		running.Go(func() { reports[i], errs[i] = certifyLetter(t.Context(), w) })
	}
	running.Wait()
	for i, w := range all {
		t.Run(w.name, func(t *testing.T) {
			if errs[i] != nil {
				t.Fatal(errs[i])
			}
			w.judge(t, reports[i])
			if w.verify {
				verify(t, reports[i])
			}
		})
	}
}

// verify judges a report again: it knows the names that its target has.
func verify(t *testing.T, rep *report.Report) {
	suite, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	again := func(names record.Names) report.Verification {
		return report.Verify(rep, func(x []report.Exchange) (report.Judged, error) { return certify.Rejudge(suite, names, x) })
	}
	if out := again(rep.Target.Names); len(out.Differences) > 0 || out.Scenarios == 0 {
		t.Errorf("%d scenarios were judged again: %+v", out.Scenarios, out.Differences)
	}
	if out := again(nil); len(out.Differences) == 0 {
		t.Error("without the names the report is borne out as well")
	}
}

// judge compares a report with the possible results of a way.
func (w way) judge(t *testing.T, rep *report.Report) {
	if rep.Fault != "" || !rep.Earned("Core") || !rep.Earned("Actions") {
		t.Errorf("fault %q, classes %+v", rep.Fault, rep.Classes)
	}
	for _, q := range rep.Requirements {
		switch {
		case q.Verdict == report.Pass || q.Untestable != "" || q.Verdict == report.NotClaimed:
		case q.Verdict == report.Warn && slices.Contains(w.warns, q.ID):
		case q.Verdict == report.Unprovable && (slices.Contains(w.silent, q.Chapter) || q.Chapter == "durable" || q.Chapter == "replicas"): // nobody may kill it, and it has one address
		default:
			t.Errorf("%s is %s %s %+v", q.ID, q.Verdict, q.Reason, q.Findings)
		}
	}
}

// TestLetterNeedsItsConfig: a server with other names that its config leaves out is accused, so the test above can fail.
func TestLetterNeedsItsConfig(t *testing.T) {
	rep, err := certifyLetter(t.Context(), way{apply: otherNames})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Fault == "" && rep.Earned("Core") {
		t.Errorf("Core is earned: %+v", rep.Summary)
	}
}

func certifyLetter(ctx context.Context, w way) (*report.Report, error) {
	options, cfg := agentOptions()
	section, _ := cfg.Sections[0].(targetaep.Config)
	if w.tell != nil {
		w.tell(&cfg, &section)
	}
	cfg.Sections[0] = section
	options = options.WithDefaults()
	if w.apply != nil {
		options = w.apply(options)
	}
	return certified(ctx, alter.NewServer(aep.New(options), w.wrap), cfg, certify.Options{Seed: 7, Record: w.verify, Rows: w.runs()})
}
