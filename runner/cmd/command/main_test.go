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

// testApp returns the program with every pack of this build.
func testApp() *App { return New(Program{Name: "streamcert"}, packs.All(), Servers()) }

// streamcert runs a command line of the program of users.
func streamcert(t *testing.T, in string, args ...string) cmdtest.Ran {
	t.Helper()
	return cmdtest.Program(testApp().Run).Run(t, in, args...)
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
			r.OneLine(t, misuse, words...)
			if r.Out != "" {
				t.Errorf("standard output has %q", r.Out)
			}
		})
	}
}

func TestHelpAndVersion(t *testing.T) {
	if r := streamcert(t, "", "--version"); r.Code != 0 || !strings.Contains(r.Out, "pack helix 0.") || r.Errs != "" {
		t.Errorf("%+v", r)
	}
	for _, args := range [][]string{nil, {"--help"}, {"certify", "--help"}} {
		if r := streamcert(t, "", args...); r.Code != 0 || !strings.Contains(r.Out, "--dir") {
			t.Errorf("%v: %+v", args, r)
		}
	}
}

func TestConfigErrors(t *testing.T) {
	path := cmdtest.Write(t, "c.yaml", "target:\n  url: http://127.0.0.1:1\nheders:\n  a: b\n")
	streamcert(t, "", "certify", "--config", path).OneLine(t, misuse, "c.yaml:3", "heders", "headers")
	path = cmdtest.Write(t, "c.yaml", "without: [resume]\n")
	streamcert(t, "", "certify", "--config", path).OneLine(t, misuse, "target.url")
	t.Chdir(t.TempDir())
	if err := os.WriteFile(defaultConfig, []byte("target: [\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	streamcert(t, "", "certify").OneLine(t, misuse, defaultConfig)
	streamcert(t, "", "probe").OneLine(t, misuse, defaultConfig)
}

func TestABrokenFeature(t *testing.T) {
	t.Parallel()
	dir := cmdtest.WorkingCopy(t)
	if r := streamcert(t, "", "--version", "--dir", dir); r.Code != 0 || r.Out != streamcert(t, "", "--version").Out {
		t.Errorf("a copy is not what is embedded: %+v", r)
	}
	feature := filepath.Join(dir, "features/helix/ordering/order.feature")
	if err := os.WriteFile(feature, []byte("Feature: x\n  Scenario: y\n    Given a\n    Gvien b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	streamcert(t, "", "certify", "--reference", "--dir", dir).OneLine(t, misuse, "order.feature:4: ")
}

// closedAddress returns an address without a listener.
func closedAddress(t *testing.T) string {
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
		streamcert(t, "", command, "--target", closedAddress(t)).OneLine(t, failed, "connection refused; is the server running, and target.url right?")
		r := streamcert(t, "", command, "--target", page.URL)
		r.OneLine(t, failed, "HTML", "target.url")
		if r.Out != "" {
			t.Errorf("standard output has %q", r.Out)
		}
	}
}

func TestAFaultIsAReportToo(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	r := streamcert(t, "", "certify", "--target", closedAddress(t), "--format", "json", "--out", dir)
	r.OneLine(t, failed, "connection refused")
	var rep report.Report
	if err := json.Unmarshal([]byte(r.Out), &rep); err != nil || rep.Fault == "" {
		t.Errorf("%v: %s", err, r.Out)
	}
	if _, err := os.Stat(filepath.Join(dir, report.JUnitFile)); err != nil {
		t.Error(err)
	}
	// It says nothing of the server that transcripts would have to bear out.
	if r := streamcert(t, "", "verify", filepath.Join(dir, report.JSONFile)); r.Code != 0 || !strings.Contains(r.Out, " 0 scenarios ") {
		t.Errorf("%+v", r)
	}
}

func TestCertifyTheReference(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	r := streamcert(t, "", "certify", "--reference", "--only", few, "--seed", "5", "--out", dir)
	if r.Code != 0 || !strings.Contains(r.Out, "\nPASS  ") || !strings.Contains(r.Out, "seed 5") || r.Errs != "" {
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
	if result := kit.Document("report", schemas.Strict, []byte(r.Out)); r.Code != 0 || !result.OK() {
		t.Errorf("%d: %v", r.Code, result.Findings)
	}
}

func TestCertifyABrokenServer(t *testing.T) {
	url := cmdtest.Broken(t, "inclusive-resume")
	config := cmdtest.Write(t, "c.yaml", "target:\n  url: http://127.0.0.1:1\nheaders:\n  X-Key: very-secret-key\ncontrol:\n  token: very-secret-token\ntiming:\n  deadline: 1s\n")
	dir := t.TempDir()
	r := streamcert(t, "", "certify", "--config", config, "--target", url, "--only", "helix.resume.after-cursor", "--seed", "1", "--out", dir)
	if r.Code != broken || !strings.Contains(r.Out, "\nFAIL  helix.resume.after-cursor (MUST)\n") {
		t.Errorf("%+v", r)
	}
	for _, part := range []string{"want ", "got ", "> GET /streams/", "✗ ", "read   streamcert explain helix.resume.after-cursor, or https://streamcert.github.io/streamcert/helix/resume.html#helix.resume.after-cursor\n",
		fmt.Sprintf("rerun  streamcert certify --target %s --config %s --seed 1 --only features/helix/resume/cursor.feature:7\n", url, config)} {
		if !strings.Contains(r.Out, part) {
			t.Errorf("the failure doesn't show %q:\n%s", part, r.Out)
		}
	}
	findings, err := os.ReadFile(filepath.Join(dir, report.FindingsFile))
	if err != nil || !strings.HasPrefix(string(findings), `{"requirement":"helix.resume.`) {
		t.Errorf("%v %s", err, findings)
	}
	if strings.Contains(r.Out+string(findings), "very-secret") {
		t.Error("a secret is shown")
	}
}

func TestAnInterruptEndsARunWithAReport(t *testing.T) {
	// The server interrupts the run at the request for the fourth writer: the first is the preflight's.
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
			if r.Code != c.code || !strings.Contains(r.Out, c.says) || r.Errs != "" {
				t.Errorf("%+v", r)
			}
			var doc struct{ Findings []any }
			r = streamcert(t, c.in, "check", "-", "--format", "json")
			if err := json.Unmarshal([]byte(r.Out), &doc); err != nil || r.Code != c.code {
				t.Errorf("%v: %+v", err, r)
			}
		})
	}
	if r := streamcert(t, "event: x\n"+event, "check", "-", "--strict"); r.Code != broken {
		t.Errorf("%+v", r)
	}
	streamcert(t, "", "check", cmdtest.Write(t, "empty.sse", "")).OneLine(t, failed, "empty.sse", "no event")
	long := "data: " + strings.Repeat("a", 20<<20)
	streamcert(t, event+long, "check", "-").OneLine(t, failed, "line 4", "exceeds")
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
	if r.Code != 0 || !strings.Contains(r.Out, "observe, scripted") || !strings.Contains(r.Out, "can be proven") {
		t.Errorf("%+v", r)
	}
}
