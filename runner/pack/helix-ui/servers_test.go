package helixui_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/reference/store/redis/redistest"
	"github.com/streamcert/streamcert/runner/launch"
)

var update = flag.Bool("update", false, "write the table of servers into README.md")

// server is a chat route made with public software, with its expected findings.
type server struct {
	version string // of the interop folder
	program string
	made    []string // the packages that it is made with
	way     string   // how the stream is made, for people
	resumes bool     // it keeps its answers in Redis, and sends them again
	passes  int      // minimum of passed requirements; campaigns draw the others
	fails   []string // requirements that it breaks
	warns   []string
}

// servers returns those of the interop folder. The rationale lists what they violate.
func servers() []server {
	cut, piped := []string{"helix-ui.errors.part"}, []string{"helix-ui.errors.told", "helix-ui.flow.finish"}
	return []server{
		{version: "v6", program: "node.mjs", passes: 50, made: []string{"ai"}, way: "`createUIMessageStream` on node:http"},
		{version: "v7", program: "node.mjs", passes: 50, made: []string{"ai"}, way: "`createUIMessageStream` on node:http"},
		{version: "v7", program: "resumable.mjs", passes: 50, made: []string{"ai", "hono", "resumable-stream"},
			way: "`createUIMessageStream`, kept in Redis and replayed", resumes: true},
		{version: "v6", program: "hono.mjs", passes: 48, made: []string{"ai", "hono"}, way: "`toUIMessageStreamResponse`", warns: cut},
		{version: "v7", program: "hono.mjs", passes: 48, made: []string{"ai", "hono"}, way: "`toUIMessageStreamResponse`", warns: cut},
		{version: "v6", program: "express.mjs", passes: 45, made: []string{"ai", "express"}, way: "`pipeUIMessageStreamToResponse`",
			fails: piped, warns: append(slices.Clone(cut), "helix-ui.flow.done")},
		{version: "v7", program: "express.mjs", passes: 45, made: []string{"ai", "express"}, way: "`pipeUIMessageStreamToResponse`",
			fails: piped, warns: append(slices.Clone(cut), "helix-ui.flow.done")},
	}
}

// reported contains the members of a JSON report that the tests read.
type reported struct {
	output       []byte // of the command
	Requirements []struct {
		ID, Verdict string
	}
	Classes []struct {
		Name   string
		Earned bool
	}
}

// TestPublicServersAreCertified: chat routes that are made with the AI SDK are started, and certified for UI stream through
// the model. They have exactly the listed findings, and pass at least the listed requirements; the table in README.md
// agrees.
func TestPublicServersAreCertified(t *testing.T) {
	folders := map[string]string{"v6": installed(t, "v6"), "v7": installed(t, "v7")}
	binary := filepath.Join(t.TempDir(), "streamcert")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "../../cmd/streamcert").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	table := []string{"| made with | the stream | passes at least | breaks | UI stream |", "|---|---|---|---|---|"}
	for _, s := range servers() {
		rep := certified(t, binary, folders[s.version], s)
		of := map[string][]string{}
		for _, q := range rep.Requirements {
			of[q.Verdict] = append(of[q.Verdict], q.ID)
		}
		slices.Sort(of["fail"])
		slices.Sort(of["warn"])
		slices.Sort(s.warns)
		if diff := cmp.Diff([][]string{s.fails, s.warns}, [][]string{of["fail"], of["warn"]}); diff != "" {
			t.Errorf("%s of %s (-want +got):\n%s\n%s", s.program, s.version, diff, rep.output)
		}
		if passes := len(of["pass"]); passes < s.passes {
			t.Errorf("%s of %s passes %d requirements, not %d", s.program, s.version, passes, s.passes)
		}
		table = append(table, s.row(t, rep))
	}
	shown(t, strings.Join(table, "\n"))
}

// row returns the row of a server.
func (s server) row(t *testing.T, rep reported) string {
	t.Helper()
	var made []string
	for _, name := range s.made {
		made = append(made, name+" "+s.pinned(t, name))
	}
	breaks := "nothing"
	if list := slices.Concat(s.fails, s.warns); len(list) > 0 {
		breaks = "`" + strings.Join(list, "`, `") + "`"
	}
	earned := "not earned"
	for _, c := range rep.Classes {
		if c.Name == "UI stream" && c.Earned {
			earned = "earned"
		}
	}
	return fmt.Sprintf("| %s | %s | %d | %s | %s |", strings.Join(made, ", "), s.way, s.passes, breaks, earned)
}

// pinned returns the version of a package.
func (s server) pinned(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("interop", s.version, "package.json"))
	var manifest struct{ Dependencies map[string]string }
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if err != nil || manifest.Dependencies[name] == "" {
		t.Fatalf("the version of %s in %s: %v", name, s.version, err)
	}
	return manifest.Dependencies[name]
}

// certified starts and certifies a server.
func certified(t *testing.T, binary, folder string, s server) reported {
	t.Helper()
	free, err := launch.FreeAddresses(1)
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := strings.Cut(free[0], ":")
	config := fmt.Sprintf("target: {url: \"http://%s\"}\nlaunch: {command: [node, %s], env: {PORT: \"%s\"}}\n", free[0], s.program, port) +
		"model: {listen: \"127.0.0.1:0\", env: OPENAI_BASE_URL, tools: true, only: true}\n"
	routes := "routes: {chat: /api/chat}\n"
	if s.resumes {
		routes = "routes: {chat: /api/chat, chatStream: \"/api/chat/{stream}/stream\"}\nwithout: [resume, history]\n"
	}
	file, out := filepath.Join(folder, s.program+".yaml"), filepath.Join(folder, s.program+"-out")
	if err := os.WriteFile(file, []byte(config+routes), 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), binary, "certify", "--config", file, "--pack", "helix-ui", "--seed", "7", "--out", out)
	run.Dir = folder
	if s.resumes {
		run.Env = append(os.Environ(), "REDIS_URL="+redistest.Start(t).URL)
	}
	said, _ := run.CombinedOutput() // a failure is a verdict
	text, err := os.ReadFile(filepath.Join(out, "report.json"))
	rep := reported{output: said}
	if err == nil {
		err = json.Unmarshal(text, &rep)
	}
	if err != nil || len(rep.Requirements) == 0 {
		t.Fatalf("%s of %s: %v\n%s", s.program, s.version, err, said)
	}
	return rep
}

// shown compares the table with the one in README.md, or writes it there.
func shown(t *testing.T, table string) {
	t.Helper()
	const file, begin, end = "../../../README.md", "<!-- servers -->\n", "<!-- /servers -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	now, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("README.md has no place for the table, between %q and %q", begin, end)
	}
	if *update {
		if err := os.WriteFile(file, []byte(before+begin+table+"\n"+end+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(table+"\n", now); diff != "" {
		t.Errorf("the table in README.md (-want +got), which -update writes:\n%s", diff)
	}
}
