package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/schemas"
)

// testApp is the program with every pack of this build.
func testApp() *App { return New(Program{Name: "streamcert"}, packs.All(), Servers()) }

// ran is what a command line came to.
type ran struct {
	code      int
	out, errs string
}

func streamcert(t *testing.T, in string, args ...string) ran {
	t.Helper()
	var out, errs bytes.Buffer
	n := testApp().Run(context.Background(), args, strings.NewReader(in), &out, &errs)
	return ran{n, out.String(), errs.String()}
}

// oneLine asks of a command to end with a code and one line that holds all of
// the words.
func (r ran) oneLine(t *testing.T, code int, words ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d", r.code, code)
	}
	if !strings.HasPrefix(r.errs, "streamcert: ") || strings.Count(r.errs, "\n") != 1 {
		t.Errorf("standard error is %q, want one line", r.errs)
	}
	for _, w := range words {
		if !strings.Contains(r.errs, w) {
			t.Errorf("%q doesn't say %q", r.errs, w)
		}
	}
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// few is a pattern of requirements that are certified quickly.
const few = "helix.ordering.*"

func TestUsageErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	for line, words := range map[string][]string{
		"certfy":                                {"certfy", "did you mean certify?"},
		"certify --refernce":                    {"--refernce", "did you mean --reference?", "--help"},
		"certify -x":                            {"-x"},
		"certify --seed ten":                    {"--seed", "ten"},
		"certify":                               {"--target", "--config", "streamcert.yaml"},
		"certify extra":                         {"extra"},
		"certify --reference --target x":        {"--reference", "--target"},
		"certify --reference --concurrency 0":   {"--concurrency 0"},
		"certify --reference --format xml":      {"xml", "console or json"},
		"certify --reference --pack hellix":     {"hellix", "helix"},
		"certify --reference --only helix.[":    {"not closed"},
		"certify --reference --require Cor":     {"Cor", "did you mean core?", "resumable"},
		"certify --only x.y --require Core":     {"--only", "--require", "no class can be earned"},
		"certify --target ftp://x":              {"ftp://x", "http://"},
		"certify --config missing.yaml":         {"there is no file missing.yaml", "streamcert init missing.yaml"},
		"certify --reference --only x.y":        {"x.y", "--list"},
		"certify --reference --only helix.http": {"did you mean helix.http.*?"},
		"certify --reference --dir nowhere":     {"nowhere", "spec"},
		"serve --listen nonsense":               {"nonsense", "host:port"},
		"serve --heartbeat 0s":                  {"--heartbeat"},
		"check":                                 {"FILE"},
		"check missing.sse":                     {"there is no file missing.sse"},
		"verify missing.json":                   {"there is no file missing.json"},
		"explain helix.zzzz":                    {`"helix.zzzz"`, "streamcert certify --reference --list"},
		"check .":                               {"is a folder"},
		"check - --format xml":                  {"xml"},
		"probe":                                 {"--target"},
	} {
		t.Run(line, func(t *testing.T) {
			r := streamcert(t, "", strings.Fields(line)...)
			r.oneLine(t, misuse, words...)
			if r.out != "" {
				t.Errorf("standard output has %q", r.out)
			}
		})
	}
}

func TestHelpAndVersion(t *testing.T) {
	if r := streamcert(t, "", "--version"); r.code != 0 || !strings.Contains(r.out, "pack helix 0.") || r.errs != "" {
		t.Errorf("%+v", r)
	}
	for _, args := range [][]string{nil, {"--help"}, {"certify", "--help"}} {
		if r := streamcert(t, "", args...); r.code != 0 || !strings.Contains(r.out, "--dir") {
			t.Errorf("%v: %+v", args, r)
		}
	}
}

func TestConfigErrors(t *testing.T) {
	path := write(t, "c.yaml", "target:\n  url: http://127.0.0.1:1\nheders:\n  a: b\n")
	streamcert(t, "", "certify", "--config", path).oneLine(t, misuse, "c.yaml:3", "heders", "headers")
	path = write(t, "c.yaml", "without: [resume]\n")
	streamcert(t, "", "certify", "--config", path).oneLine(t, misuse, "target.url")
	t.Chdir(t.TempDir())
	if err := os.WriteFile(defaultConfig, []byte("target: [\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	streamcert(t, "", "certify").oneLine(t, misuse, defaultConfig)
	streamcert(t, "", "probe").oneLine(t, misuse, defaultConfig)
}

func TestABrokenFeature(t *testing.T) {
	t.Parallel()
	dir := cmdtest.WorkingCopy(t)
	if r := streamcert(t, "", "--version", "--dir", dir); r.code != 0 || r.out != streamcert(t, "", "--version").out {
		t.Errorf("a copy is not what is embedded: %+v", r)
	}
	feature := filepath.Join(dir, "features/helix/ordering/order.feature")
	if err := os.WriteFile(feature, []byte("Feature: x\n  Scenario: y\n    Given a\n    Gvien b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	streamcert(t, "", "certify", "--reference", "--dir", dir).oneLine(t, misuse, "order.feature:4: ")
}

// nobody is an address at which nothing listens.
func nobody(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String()
}

func TestTargetsThatCantBeCertified(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><p>hello</p>")
	}))
	defer page.Close()
	for _, command := range []string{"certify", "probe"} {
		streamcert(t, "", command, "--target", nobody(t)).oneLine(t, failed, "connection refused; is the server running, and target.url right?")
		r := streamcert(t, "", command, "--target", page.URL)
		r.oneLine(t, failed, "HTML", "target.url")
		if r.out != "" {
			t.Errorf("standard output has %q", r.out)
		}
	}
}

func TestAFaultIsAReportToo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	r := streamcert(t, "", "certify", "--target", nobody(t), "--format", "json", "--out", dir)
	r.oneLine(t, failed, "connection refused")
	var rep report.Report
	if err := json.Unmarshal([]byte(r.out), &rep); err != nil || rep.Fault == "" {
		t.Errorf("%v: %s", err, r.out)
	}
	if _, err := os.Stat(filepath.Join(dir, report.JUnitFile)); err != nil {
		t.Error(err)
	}
}

func TestCertifyTheReference(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	r := streamcert(t, "", "certify", "--reference", "--only", few, "--seed", "5", "--out", dir)
	if r.code != 0 || !strings.Contains(r.out, "\nPASS  ") || !strings.Contains(r.out, "seed 5") || r.errs != "" {
		t.Errorf("%+v", r)
	}
	for _, name := range []string{report.JSONFile, report.JUnitFile, report.ConsoleFile, report.FindingsFile} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestCertifyAsJSON(t *testing.T) {
	r := streamcert(t, "", "certify", "--reference", "--only", few, "--format", "json")
	kit, err := schemas.Kit(schemas.FS)
	if err != nil {
		t.Fatal(err)
	}
	if result := kit.Document("report", schemas.Strict, []byte(r.out)); r.code != 0 || !result.OK() {
		t.Errorf("%d: %v", r.code, result.Findings)
	}
}

func TestCertifyABrokenServer(t *testing.T) {
	url := cmdtest.Broken(t, "inclusive-resume")
	config := write(t, "c.yaml", "target:\n  url: http://127.0.0.1:1\nheaders:\n  X-Key: very-secret-key\ncontrol:\n  token: very-secret-token\ntiming:\n  deadline: 1s\n")
	dir := t.TempDir()
	r := streamcert(t, "", "certify", "--config", config, "--target", url, "--only", "helix.resume.after-cursor", "--seed", "1", "--out", dir)
	if r.code != broken || !strings.Contains(r.out, "\nFAIL  helix.resume.after-cursor (MUST)\n") {
		t.Errorf("%+v", r)
	}
	for _, part := range []string{"want ", "got ", "> GET /streams/", "✗ ", "read   streamcert explain helix.resume.after-cursor, or https://streamcert.github.io/streamcert/helix/resume.html#helix.resume.after-cursor\n",
		fmt.Sprintf("rerun  streamcert certify --target %s --config %s --seed 1 --only features/helix/resume/cursor.feature:7\n", url, config)} {
		if !strings.Contains(r.out, part) {
			t.Errorf("the failure doesn't show %q:\n%s", part, r.out)
		}
	}
	findings, err := os.ReadFile(filepath.Join(dir, report.FindingsFile))
	if err != nil || !strings.HasPrefix(string(findings), `{"requirement":"helix.resume.`) {
		t.Errorf("%v %s", err, findings)
	}
	if strings.Contains(r.out+string(findings), "very-secret") {
		t.Error("a secret is shown")
	}
}

func TestAnInterruptEndsARunWithAReport(t *testing.T) {
	// The server interrupts the run when it is asked for the fourth writer: the
	// first is the preflight's.
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := &serve{heartbeat: 1e9, app: testApp()}
	h, err := s.handler()
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	writers := make(chan struct{}, 3)
	server, err := listen("127.0.0.1:0", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/writers") {
			select {
			case writers <- struct{}{}:
			default:
				cancel()
			}
		}
		h.ServeHTTP(w, r)
	}), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer server.stop()
	var out, errs bytes.Buffer
	n := testApp().Run(ctx, []string{"certify", "--target", server.URL, "--concurrency", "2", "--format", "json"}, strings.NewReader(""), &out, &errs)
	var rep report.Report
	if err := json.Unmarshal(out.Bytes(), &rep); err != nil {
		t.Fatal(err)
	}
	if n != failed || !rep.Interrupted || rep.Summary.Fail > 0 || rep.Summary.Error == 0 {
		t.Errorf("exit code %d, interrupted %v, %+v, %s", n, rep.Interrupted, rep.Summary, errs.String())
	}
}

const event = "id: 1\ndata: {\"type\":\"chunk\",\"chunk\":{\"type\":\"text_delta\",\"agentId\":\"r\",\"agentType\":\"a\",\"timestamp\":1702329600000,\"delta\":\"x\"},\"sequence\":1}\n\n"

func TestCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("several runs of the command")
	}
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	for name, c := range map[string]struct {
		in   string
		code int
		says string
	}{
		"good":           {event, 0, "1 events in"},
		"cut":            {event + event[:30], 0, "-:4: byte " + fmt.Sprint(len(event)) + ": note: the recording is cut"},
		"should":         {"event: x\n" + event, 0, "helix.wire.unnamed (SHOULD)"},
		"invalid UTF-8":  {strings.Replace(event, "\"x\"", "\"\xff\"", 1), broken, "helix.wire.utf8 (MUST)"},
		"deep":           {"data: " + deep + "\n\n", broken, "nested deeper than"},
		"absurd number":  {strings.Replace(event, "1702329600000", "1e100000000", 1), broken, "timestamp"},
		"ndjson, broken": {"{\"type\":\"end\"}\n{\n", broken, "-:2: byte 15: helix.wire.json (MUST)"},
	} {
		t.Run(name, func(t *testing.T) {
			r := streamcert(t, c.in, "check", "-")
			if r.code != c.code || !strings.Contains(r.out, c.says) || r.errs != "" {
				t.Errorf("%+v", r)
			}
			var doc struct{ Findings []any }
			r = streamcert(t, c.in, "check", "-", "--format", "json")
			if err := json.Unmarshal([]byte(r.out), &doc); err != nil || r.code != c.code {
				t.Errorf("%v: %+v", err, r)
			}
		})
	}
	if r := streamcert(t, "event: x\n"+event, "check", "-", "--strict"); r.code != broken {
		t.Errorf("%+v", r)
	}
	streamcert(t, "", "check", write(t, "empty.sse", "")).oneLine(t, failed, "empty.sse", "no event")
	long := "data: " + strings.Repeat("a", 20<<20)
	streamcert(t, event+long, "check", "-").oneLine(t, failed, "line 4", "exceeds")
}

func TestProbeOfARunningServer(t *testing.T) {
	s := &serve{heartbeat: 1e9, app: testApp()}
	h, err := s.handler()
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	server, err := listen("127.0.0.1:0", h, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer server.stop()
	r := streamcert(t, "", "probe", "--target", server.URL)
	if r.code != 0 || !strings.Contains(r.out, "observe, scripted") || !strings.Contains(r.out, "can be proven") {
		t.Errorf("%+v", r)
	}
}
