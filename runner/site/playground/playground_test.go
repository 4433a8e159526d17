package playground_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/check"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/recording"
	"github.com/streamcert/streamcert/runner/site/playground"
)

func judged(t *testing.T, r io.Reader, o playground.Options) (messages []playground.Message, done playground.Message) {
	t.Helper()
	j, err := playground.New()
	if err != nil {
		t.Fatal(err)
	}
	done = j.Run(context.Background(), r, o, func(m playground.Message) { messages = append(messages, m) })
	if diff := cmp.Diff(messages[len(messages)-1], done); diff != "" {
		t.Errorf("the last message isn't the result: %s", diff)
	}
	return messages, done
}

// recordings returns some that are right and some that aren't, of both formats.
func recordings(t *testing.T) map[string]string {
	t.Helper()
	const frame = "id: %d\ndata: {\"type\":\"chunk\",\"chunk\":{\"type\":\"text_delta\",\"agentId\":\"a\",\"agentType\":\"b\",\"timestamp\":1,\"delta\":\"x\"},\"sequence\":%d}\n\n"
	out := map[string]string{
		"order": fmt.Sprintf(frame, 2, 2) + "event: x\n" + fmt.Sprintf(frame, 1, 1),
		"cut":   fmt.Sprintf(frame, 2, 2)[:60],
		"other": "event: text\ndata: {\"event\":\"text\",\"requestId\":\"r\",\"stage\":\"odd\"}\n\n",
		"none":  "", "a page": "<html>\n\n",
	}
	for _, file := range []string{"wire.sse", "chunks.ndjson", "frames.ndjson"} {
		text, err := os.ReadFile("../../../schemas/testdata/sources/" + file)
		if err != nil {
			t.Fatal(err)
		}
		out[file] = string(text)
	}
	return out
}

// TestPlaygroundJudgesAsCheckDoes: whatever the command finds, the page finds, at the same positions and in the same order.
func TestPlaygroundJudgesAsCheckDoes(t *testing.T) {
	var suites []*pack.Suite
	for _, name := range packs.Names() {
		suites = append(suites, certifytest.Load(t, name))
	}
	for name, text := range recordings(t) {
		suite, in := check.Recognise(suites, strings.NewReader(text))
		var want []string
		out, err := check.Run(context.Background(), suite, in, recording.Options{Found: func(f recording.Finding) error {
			want = append(want, fmt.Sprintf("%d@%d %s %s %s", f.Line, f.Offset, f.Level, f.Requirement, f.Message))
			return nil
		}})
		messages, done := judged(t, strings.NewReader(text), playground.Options{})
		var got []string
		for _, m := range messages {
			if m.Kind == "finding" {
				got = append(got, fmt.Sprintf("%d@%d %s %s %s", m.Line, m.Offset, m.Level, m.Requirement, m.Text))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if done.Must != out.Must || done.Should != out.Should || done.Events != out.Events || done.Pack != suite.Pack.Name || (err != nil) != (done.Error != "") {
			t.Errorf("%s: %+v, expected %+v, %v", name, done, out, err)
		}
	}
}

// TestStretches: the reported offsets divide a recording into pieces of some hundred lines, each at the beginning of an
// event and of its line.
func TestStretches(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "id: %d\r\ndata: {}\r\n\r\n", i)
	}
	text := b.String()
	messages, done := judged(t, strings.NewReader(text), playground.Options{Pack: packs.Names()[0]})
	n, progress, findings := 0, 0, 0
	for _, m := range messages {
		switch m.Kind {
		case "stretch":
			n++
			if line := strings.Count(text[:m.Offset], "\n") + 1; line != m.Line || !strings.HasPrefix(text[m.Offset:], "id: ") {
				t.Fatalf("a stretch at byte %d is said to be at line %d, and is at %d", m.Offset, m.Line, line)
			}
		case "progress":
			progress++
		case "finding":
			findings++
		}
	}
	total := 0
	for _, count := range done.Counts {
		total += count
	}
	if n != 75 || findings != 2000 || total < 5000 || progress != 0 {
		t.Errorf("%d stretches, %d findings of %d, %d times progress", n, findings, total, progress)
	}
	messages, _ = judged(t, strings.NewReader("data: "+strings.Repeat("x", 1<<20)+"\n\n"), playground.Options{})
	for _, m := range messages {
		if m.Kind == "progress" && m.Bytes > 1<<20 {
			return
		}
	}
	t.Error("nothing is told of the progress")
}

func TestPlaygroundDescribesTheMistake(t *testing.T) {
	if _, done := judged(t, strings.NewReader("x"), playground.Options{Pack: "nothing"}); !strings.Contains(done.Error, "there is no pack nothing") {
		t.Errorf("%+v", done)
	}
	if _, done := judged(t, iotest.ErrReader(io.ErrClosedPipe), playground.Options{}); !strings.Contains(done.Error, "closed pipe") {
		t.Errorf("%+v", done)
	}
}

// TestDigest: it is that of the text, for any line ends of a checkout, and changes with it.
func TestDigest(t *testing.T) {
	digest := func(text string) string {
		d, err := playground.Digest(fstest.MapFS{"a.md": {Data: []byte(text)}, "a.go": {Data: []byte(text)}}, fstest.MapFS{})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if digest("a\nb\n") != digest("a\r\nb\r\n") || digest("a\n") == digest("b\n") {
		t.Error("digests don't follow the text")
	}
}
