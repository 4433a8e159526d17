package helix_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/reference/helix"
	"github.com/streamcert/streamcert/reference/runtime"
	"github.com/streamcert/streamcert/schemas"
)

// numberedIDs makes ids that a test can foresee.
type numberedIDs struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *numberedIDs) next(kind string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n[kind]++
	return c.n[kind]
}

func (c *numberedIDs) New(kind string) string { return fmt.Sprint(kind, c.next(kind)) }

func (c *numberedIDs) Checkpoint(session string, stepCount int, _ time.Time) string {
	return fmt.Sprintf("%s.%d.%d", session, stepCount, c.next("checkpoint"))
}

// numbered gives a runtime ids that a test can foresee.
func numbered(p runtime.Ports) runtime.Ports {
	p.IDs = &numberedIDs{n: map[string]int{}}
	return p
}

// start starts a run on stream s.
func (s *service) start(script string) {
	s.Helper()
	if got := s.call("POST", "/control/runs", `{"stream":"s","agentType":"a","script":`+script+`}`); !strings.HasPrefix(got, "202 ") {
		s.Fatalf("starting a run: %s", got)
	}
}

// settled requests the state of the run once it is settled.
func (s *service) settled() string {
	s.Helper()
	return s.call("GET", "/control/runs/run1?settled", "")
}

// update rewrites testdata/runs. Check the difference before committing it.
var update = flag.Bool("update", false, "write what runs do to testdata/runs")

// TestRuns plays every file of testdata/runs: a line without indent is a call, or one of the words settled, status and log;
// the indented lines below it are the result.
func TestRuns(t *testing.T) {
	files, err := filepath.Glob("testdata/runs/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no runs to play", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := playRun(t, string(text))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(text), got); diff != "" {
				t.Error("-want +got", diff)
			}
		})
	}
}

// playRun makes the calls of a file and returns the file with the results.
func playRun(t *testing.T, text string) string {
	s := serve(t, helix.Options{Runtime: func(p runtime.Ports) runtime.Ports {
		p = numbered(p)
		p.Journal = strict{p.Journal, t}
		return p
	}})
	var got strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  ") {
			continue
		}
		got.WriteString(line)
		for _, answer := range s.playLine(strings.TrimSpace(line)) {
			fmt.Fprintf(&got, "  %s\n", answer)
		}
	}
	return got.String()
}

// strict is a journal that finds fault with every chunk that a certified server doesn't send.
type strict struct {
	runtime.Journal
	t *testing.T
}

func (j strict) Append(ctx context.Context, w runtime.Writer, chunks []runtime.Chunk) ([]int64, error) {
	for _, c := range chunks {
		raw, err := c.JSON()
		if err != nil {
			j.t.Error(err)
		}
		for _, f := range packSchemas().Chunk(schemas.Strict, raw).Findings {
			j.t.Errorf("%s: %s %s breaks %s", raw, f.Instance, f.Message, f.Requirement)
		}
	}
	return j.Journal.Append(ctx, w, chunks)
}

var packSchemas = sync.OnceValue(func() *schemas.Set {
	set, err := schemas.Load(schemas.FS, "helix")
	if err != nil {
		panic(err)
	}
	return set
})

// playLine makes one call and returns the result, line by line.
func (s *service) playLine(line string) []string {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "", "#":
		return nil
	case "start":
		return []string{s.call("POST", "/control/runs", `{"stream":"s","agentType":"a",`+rest+`}`)}
	case "settled":
		return []string{s.settled()}
	case "status":
		return []string{s.call("GET", "/control/runs/run1", ""), s.call("GET", "/streams/s", "")}
	case "log":
		return s.log()
	}
	return []string{s.call("POST", "/control/runs/run1/"+word, rest)}
}

// log returns the log of stream s: the type, the agent, the step and the most significant member of each chunk.
func (s *service) log() []string {
	s.Helper()
	if err := s.fails("/control/streams/s/end"); err != "" {
		s.Fatal(err)
	}
	answer := s.do("GET", "/streams/s/events", "")
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		s.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(body)) {
		if frame, ok := strings.CutPrefix(line, "data: "); ok {
			lines = append(lines, shorten(frame))
		}
	}
	return lines
}

var (
	chunkFrame = regexp.MustCompile(`^\{"type":"chunk","sequence":\d+,"chunk":(.*)\}$`)
	common     = regexp.MustCompile(`,"agentType":"\w+","timestamp":\d+|"type":|"agentId":"session1"|"`)
	commas     = regexp.MustCompile(`,+`)
)

// shorten removes the common members of a frame.
func shorten(frame string) string {
	frame = chunkFrame.ReplaceAllString(strings.TrimSpace(frame), "$1")
	return strings.ReplaceAll(commas.ReplaceAllString(common.ReplaceAllString(frame, ""), ","), ",}", "}")
}

// fails finishes the stream so that it can be read to its end. A run that has finished it already is fine.
func (s *service) fails(path string) string {
	got := s.call("POST", path, `{}`)
	if got == "204" {
		return ""
	}
	return got
}
