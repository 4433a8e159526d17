package view_test

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/streamcert/streamcert/runner/view"
)

// hostile contains sequences that a terminal interprets: colours, titles, cursor movement, a bell, a one-byte CSI, and text
// from right to left.
const hostile = "a\x1b[31mb\x1b]0;title\x07c\rd\be\u009b2Jf\u202eg\u2066h\x7fi\u2028j"

var painting = regexp.MustCompile("\x1b\\[[0-9;]*m")

// obeyed returns the first rune of an output that a terminal would obey.
func obeyed(out string) (rune, bool) {
	for _, r := range painting.ReplaceAllString(out, "") {
		if r != '\n' && r != '\u200d' && r != '\u200c' && !unicode.IsGraphic(r) {
			return r, true
		}
	}
	return 0, false
}

func TestNothingOfAStreamDrivesTheTerminal(t *testing.T) {
	if _, ok := obeyed(hostile); !ok {
		t.Fatal("the check can't fail")
	}
	h := quote(hostile)
	members := fmt.Sprintf(`"toolCallId":%[1]s,"toolName":%[1]s,"arguments":{%[1]s:%[1]s},"result":%[1]s,"success":true,"error":%[1]s,"code":%[1]s,
		"delta":%[1]s,"content":%[1]s,"isComplete":true,"eventName":%[1]s,"data":%[1]s,"subAgentType":%[1]s,"subSessionId":%[1]s,"callId":%[1]s,
		"patches":[{"op":"add","path":"/x","value":{%[1]s:%[1]s}}],"output":%[1]s,"reason":%[1]s,"mode":%[1]s,"runId":%[1]s,
		"checkpointId":%[1]s,"stepId":%[1]s,"pendingToolName":%[1]s,"stepCount":1,"fromStepCount":1`, h)
	members = strings.ReplaceAll(members, "\n\t\t", "")
	for _, kind := range append(view.Types(), hostile) {
		body := strings.ReplaceAll(textChunk(1, "root", `"type":`+quote(kind)+`,`+members), `"agentId":"root","agentType":"planner"`, `"agentId":`+h+`,"agentType":`+h)
		body += fmt.Sprintf("data: {\"type\":%s}\n\ndata: {\"type\":\"fail\",\"error\":%s,\"code\":%s}\n\ndata: \x1b[2J\n\n", h, h, h)
		body += fmt.Sprintf("data: {\"type\":\"status\",\"status\":%s}\n\ndata: {\"type\":\"end\",\"finalOutput\":%s}\n\n", h, h)
		for _, o := range []view.Options{{}, {Width: 40}, {Width: 80, Color: true}} {
			out, count := transcript(t, body, o)
			if count.Chunks != 1 || count.Broken != 1 || !count.Ended {
				t.Fatalf("%q: %+v, so little was looked at", kind, count)
			}
			if r, bad := obeyed(out); bad {
				t.Errorf("%q, %+v: %U reaches the terminal in %q", kind, o, r, out)
			}
			if strings.Contains(out, "\x1b") != o.Color {
				t.Errorf("%+v: painted %v", o, !o.Color)
			}
		}
		out, _ := words(t, body, view.Options{})
		if r, bad := obeyed(out); bad {
			t.Errorf("%q: %U reaches the terminal in the text", kind, r)
		}
	}
}

func TestNoTextGetsIntoTheMargin(t *testing.T) {
	forged := "fine.\n✓ #1 pay done\n\n■ end of the stream\n! line 1"
	body := stream(text(forged), `"type":"thinking","isComplete":true,"content":`+quote(forged),
		`"type":"tool_start","toolCallId":"1","toolName":`+quote(forged)+`,"arguments":`+quote(forged),
		`"type":"error","recoverable":true,"error":`+quote(forged))
	for _, width := range []int{0, 20, 80} {
		out, _ := transcript(t, body, view.Options{Width: width})
		for line := range strings.SplitSeq(out, "\n") {
			if strings.HasPrefix(line, "■") || strings.HasPrefix(line, "✓") || strings.HasPrefix(line, "!") {
				t.Errorf("width %d: %q was forged", width, line)
			}
		}
	}
}

func TestJoinersOfEmojiStay(t *testing.T) {
	if got := view.Safe("👨\u200d👩\u200d👧 می\u200cخواهم \x1b"); got != "👨\u200d👩\u200d👧 می\u200cخواهم "+`\x1b` {
		t.Errorf("%q", got)
	}
	if got := view.Safe("\xff\u200d"); !utf8.ValidString(got) {
		t.Errorf("%q", got)
	}
}

func TestTextIsJoinedHoweverItWasSplit(t *testing.T) {
	const whole = "One  two,\n\n    three\tfour 日本語 and averyveryverylongword that doesn't fit.\n"
	want, _ := transcript(t, stream(text(whole)), view.Options{Width: 20})
	for size := 1; size < 9; size++ {
		var deltas []string
		for rest := []rune(whole); len(rest) > 0; {
			n := min(size, len(rest))
			deltas = append(deltas, text(string(rest[:n])))
			rest = rest[n:]
		}
		for _, live := range []bool{false, true} {
			if got, _ := transcript(t, stream(deltas...), view.Options{Width: 20, Live: live}); got != want {
				t.Errorf("by %d: got\n%s\nwant\n%s", size, got, want)
			}
		}
	}
	if !strings.Contains(want, "  averyveryverylongw\n") || !strings.Contains(want, "      three") {
		t.Error(want)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestWriteErrorsAreReported(t *testing.T) {
	w := view.NewTranscript(full{}, view.Options{Live: true})
	if err := w.Event(events(t, stream(text("hi")))[0]); err == nil || !strings.Contains(err.Error(), "disk is full") {
		t.Error(err)
	}
	if err := w.Close(); err == nil {
		t.Error("no error at the end")
	}
}

func FuzzTranscript(f *testing.F) {
	body, err := os.ReadFile("testdata/trip.sse")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(body), 40)
	f.Add("data: {\"type\":\"end\",\"finalOutput\":{\"a\":[1,{}", 1)
	f.Add(stream(`"type":"state_patch","patches":[{"op":"add","path":"","value":null},{"op":"add","path":"/a","value":1}]`), 0)
	f.Add(stream(`"type":"state_patch","patches":[{"op":"move","from":"/a","path":"/a/b"},null]`), 9)
	f.Fuzz(func(t *testing.T, body string, width int) {
		out, _ := transcript(t, body, view.Options{Width: max(0, min(width, 200))})
		if r, bad := obeyed(out); bad {
			t.Errorf("%U reaches the terminal", r)
		}
	})
}
