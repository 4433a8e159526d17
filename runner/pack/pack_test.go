package pack_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/streamcert/streamcert/golden"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/explain"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/wire"
	steps "github.com/streamcert/streamcert/steps/helix"
)

// toyFiles are the folders of a pack that is nowhere but in this test.
var toyFiles = map[string]string{
	"spec/VERSION":      "1.2.3\n",
	"spec/CHANGELOG.md": "# Changes\n\n## 1.2.3\n",
	"spec/README.md":    "[toy](toy/README.md)\n",
	"spec/toy/README.md": "[words](1-words.md) [why](rationale.md)\n\n# Capabilities\n\n| name | meaning |\n|---|---|\n| none | nothing |\n\n" +
		"# Classes\n\n| class | includes | chapters | capabilities |\n|---|---|---|---|\n| Core | | words | |\n",
	"spec/toy/rationale.md": "# Inventory\n\n| group | rules |\n|---|---|\n| T | 2 |\n",
	"spec/toy/1-words.md": "# Words\n\n" +
		"#### toy.words.all\n> A reader MUST get every word.\n\n`tier: scripted` · `origin: T-01`\n\nOr none.\n\n" +
		"#### toy.words.numbered\n> A word MUST have a number.\n\n`tier: observe` · `origin: T-02`\n\nTo be counted.\n",
	"schemas/toy/pack.json": `{"discriminator": "type", "unknown": {"frame": "frames/chunk.json"}, "requirements": {"frame": {}}}`,
	"schemas/toy/frames/chunk.json": `{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A word", "description": "One word.",
		"$comment": "requirement toy.words.all", "type": "object", "examples": [{"type": "chunk"}], "x-invalid": [{"name": "a number", "value": 1, "requirement": "toy.words.all"}]}`,
	"features/toy/words/words.feature": `Feature: Words

  @toy.words.all @must
  Rule: Every word arrives

    Scenario: Two words
      Given a stream that holds events 1 to 2
      When the client attaches
      Then the client receives events 1 to 2

  @toy.words.numbered @must
  Rule: Words have numbers

    Scenario: One word
      Given a stream that holds event 1
      When the client attaches
      Then the client receives event 1
      And no exchange of this scenario breaks this rule
`,
	"golden/toy/README": "made below\n",
}

// toyJudge asks for the number of a word.
type toyJudge struct{ words int }

func (*toyJudge) Head(judge.Head) []record.Finding { return nil }
func (j *toyJudge) Frame(f *wire.Frame) []record.Finding {
	j.words++
	if f.HasID {
		return nil
	}
	return []record.Finding{{Requirement: "toy.words.numbered", Message: "the word has no number", Want: "an id", Got: "none", Frame: f.Index}}
}
func (*toyJudge) Close(record.End) []record.Finding                            { return nil }
func (*toyJudge) Unknown() int                                                 { return 0 }
func (j *toyJudge) Occasions() map[string]int                                  { return map[string]int{"toy.words.numbered": j.words} }
func toyMachine(judge.Options) judge.Machine                                   { return &toyJudge{} }
func toyJudged() []string                                                      { return []string{"toy.words.numbered"} }
func toyAnswer(judge.Options, judge.Answer) ([]record.Finding, map[string]int) { return nil, nil }

// toyServer holds words; without numbers, it forgets to send them.
type toyServer struct {
	numbers bool
	mu      sync.Mutex
	words   map[string][]json.RawMessage // by stream
}

func (s *toyServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	parts := strings.Split(strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/control"), "/streams/"), "/")
	stream := parts[0]
	switch {
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/writers"):
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, `{"writerId":"w"}`)
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/chunks"):
		var word json.RawMessage
		if json.NewDecoder(r.Body).Decode(&word) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		s.words[stream] = append(s.words[stream], word)
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"sequences":[%d]}`, len(s.words[stream]))
	case r.Method == http.MethodGet:
		w.Header().Set("Content-Type", "text/event-stream")
		for i, word := range s.words[stream] {
			if s.numbers {
				fmt.Fprintf(w, "id: %d\n", i+1)
			}
			fmt.Fprintf(w, "data: {\"type\":\"chunk\",\"chunk\":%s,\"sequence\":%d}\n\n", word, i+1)
		}
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// toySuite writes the folders down and loads them.
func toySuite(t *testing.T) (*pack.Suite, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range toyFiles {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	part := func(name string) string { return filepath.Join(dir, name) }
	files := pack.Files{
		Spec: os.DirFS(part("spec")), Schemas: os.DirFS(part("schemas")), Features: os.DirFS(part("features")), Golden: os.DirFS(part("golden")),
	}
	suite, err := pack.Load(files, pack.Pack{Name: "toy", Machine: toyMachine, Answer: toyAnswer, Judged: toyJudged, Vocabulary: steps.Vocabulary})
	if err != nil {
		t.Fatal(err)
	}
	return suite, dir
}

// TestToyPack: a pack is its folders, its judge and what the registry says of it. Nothing else of the kit knows it.
func TestToyPack(t *testing.T) {
	suite, dir := toySuite(t)
	certified := func(numbers bool) *certify.Result {
		server := httptest.NewServer(&toyServer{numbers: numbers, words: map[string][]json.RawMessage{}})
		defer server.Close()
		tg, err := target.New(target.Config{URL: server.URL}, target.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer tg.Close()
		res, err := certify.Run(t.Context(), suite, certify.Options{Target: tg, Transcripts: true})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	good := certified(true)
	if s := good.Report.Summary; s.Pass != 2 || s.Fail+s.Error+s.Unprovable+s.Warn > 0 || !good.Report.Classes[0].Earned {
		t.Errorf("the good server: %+v, %+v", s, good.Report.Requirements)
	}
	if _, err := golden.WriteAll(filepath.Join(dir, "golden"), good.Transcripts); err != nil || len(good.Transcripts) != 2 {
		t.Fatalf("%d transcripts: %v", len(good.Transcripts), err)
	}
	if again := certified(true); len(again.Report.Notes) > 0 || len(golden.Check(suite.Files.Golden, again.Transcripts)) > 0 {
		t.Errorf("a second run differs from the goldens of the first: %+v", again.Report.Notes)
	}
	bad := certified(false)
	for _, q := range bad.Report.Requirements {
		if want := map[string]report.Verdict{"toy.words.all": report.Pass, "toy.words.numbered": report.Fail}[q.ID]; q.Verdict != want {
			t.Errorf("the bad server: %s is %s", q.ID, q.Verdict)
		}
	}
	if explained, err := explain.Find(suite, nil, "toy.words.numbered"); err != nil || len(explained) != 1 {
		t.Errorf("explaining a requirement of the pack: %v, %v", explained, err)
	}
}
