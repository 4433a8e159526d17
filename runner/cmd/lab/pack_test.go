package lab

import (
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/cmd/altered"
	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
	"github.com/streamcert/streamcert/runner/cmd/command"
	"github.com/streamcert/streamcert/runner/cmd/servers"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/packs"
	different "github.com/streamcert/streamcert/runner/packs/testdata/runner/cmd/altered/beacon"
	server "github.com/streamcert/streamcert/runner/packs/testdata/runner/cmd/servers/beacon"
	"github.com/streamcert/streamcert/runner/packs/testdata/runner/pack/beacon"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/stepstest"
)

// beaconFolder contains a pack that no shared code knows: the example of runner/packs/testdata/README.md.
var beaconFolder = filepath.Join("..", "..", "packs", "testdata")

// beaconApp returns the program with that pack alone.
func beaconApp() *app {
	return appOf(packs.List{beacon.Pack()}, servers.List{server.Pack()}, altered.List{different.Pack()})
}

// withBeacon runs a command of that program on the folders of the pack.
func withBeacon(t *testing.T, in string, args ...string) cmdtest.Ran {
	t.Helper()
	var out, errs bytes.Buffer
	code := beaconApp().Run(t.Context(), append([]string{"--dir", beaconFolder}, args...), strings.NewReader(in), &out, &errs)
	return cmdtest.Ran{Code: code, Out: out.String(), Errs: errs.String()}
}

// TestPackInFoldersOfItsAuthor: every command works for a pack as for those of this build, without code that knows the pack.
func TestPackInFoldersOfItsAuthor(t *testing.T) {
	if *update {
		if r := withBeacon(t, "", "derived"); r.Code != 0 {
			t.Fatal(r.Errs, r.Out)
		}
		if r := withBeacon(t, "", "golden"); r.Code != 0 {
			t.Fatal(r.Errs, r.Out)
		}
	}
	for args, says := range map[string]string{
		"lint":                            "8 requirements, 8 scenarios (8 rows), 7 mutants",
		"certify --reference --seed 1":    "Core  earned",
		"golden --check":                  "8 golden files, 0 problems",
		"mutants":                         "7 mutants",
		"variants --all":                  "1 variant",
		"idle":                            "no-orders",
		"explain beacon.signals.numbered": "numbers-from-zero",
		"--version":                       "pack beacon 0.1.0 sha256:",
		"derived --check":                 "1 derived files, 0 different",
		"completion bash":                 "streamcert",
		"diff " + beaconFolder:            "nothing changed",
	} {
		t.Run(args, func(t *testing.T) {
			r := withBeacon(t, "", strings.Fields(args)...)
			if r.Code != 0 || !strings.Contains(r.Out, says) {
				t.Errorf("exit code %d, want %q (-update writes goldens anew)\n%s\n%s", r.Code, says, r.Errs, r.Out)
			}
		})
	}
}

// TestPackBringsItsConfig: a config has the section and the route of the pack, and a server is found by them.
func TestPackBringsItsConfig(t *testing.T) {
	at := serving(t, beaconApp().Servers().Reference(servers.Settings{}))
	config := filepath.Join(t.TempDir(), "streamcert.yaml")
	if r := withBeacon(t, "", "init", "--pack", "beacon", config); r.Code != 0 {
		t.Fatal(r.Errs)
	}
	text, err := os.ReadFile(config)
	if err != nil || !strings.Contains(string(text), "lamp: north") || !strings.Contains(string(text), "/lamps/{lamp}/watch") {
		t.Fatalf("%v\n%s", err, text)
	}
	south := write(t, "south.yaml", "target: {url: "+at+"}\nbeacon: {lamp: the south}\n")
	if r := withBeacon(t, "", "probe", "--config", south); r.Code != 0 || !strings.Contains(r.Out, "8 can be proven") {
		t.Errorf("exit code %d\n%s\n%s", r.Code, r.Errs, r.Out)
	}
	if r := withBeacon(t, "", "certify", "--config", south); r.Code != 0 {
		t.Errorf("exit code %d\n%s\n%s", r.Code, r.Errs, r.Out)
	}
	unknown := write(t, "east.yaml", "target: {url: "+at+"}\nbeacon: {lmap: east}\n")
	if r := withBeacon(t, "", "certify", "--config", unknown); r.Code != misuse || !strings.Contains(r.Errs, "did you mean `lamp`?") {
		t.Errorf("exit code %d\n%s", r.Code, r.Errs)
	}
}

// TestPackIsKnownByTheNamesOfItsEvents: a recording and a live stream are recognised among other packs by the event field,
// because the data doesn't identify them.
func TestPackIsKnownByTheNamesOfItsEvents(t *testing.T) {
	t.Parallel()
	const lit, flash, dark = "event: lit\ndata: {\"watch\":\"w\"}\n\n", "event: flash\ndata: {\"watch\":\"w\",\"n\":2,\"text\":\"ho\"}\n\n",
		"event: dark\ndata: {\"watch\":\"w\",\"flashes\":1}\n\n"
	a := appOf(append(packs.All(), beacon.Pack()), append(command.Servers(), server.Pack()), altered.List{different.Pack()})
	dir := merged(t)
	ran := func(args ...string) cmdtest.Ran {
		var out, errs bytes.Buffer
		code := a.Run(t.Context(), append([]string{"--dir", dir}, args...), strings.NewReader(""), &out, &errs)
		return cmdtest.Ran{Code: code, Out: out.String(), Errs: errs.String()}
	}
	if r := ran("check", write(t, "a.sse", lit+flash+dark)); r.Code != command.Broken || !strings.Contains(r.Out, "beacon.signals.numbered") {
		t.Errorf("exit code %d\n%s\n%s", r.Code, r.Errs, r.Out)
	}
	at := serving(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, lit+flash)
		_ = http.NewResponseController(w).Flush()
		_, _ = io.WriteString(w, dark)
	}))
	if r := ran("observe", at); r.Code != command.Broken || !strings.Contains(r.Out, "beacon.signals.numbered") {
		t.Errorf("exit code %d\n%s\n%s", r.Code, r.Errs, r.Out)
	}
}

// merged returns a working copy with the folders of this build and of the pack.
func merged(t *testing.T) string {
	t.Helper()
	dir := cmdtest.WorkingCopy(t)
	for _, part := range []string{"spec", "schemas", "features", "golden"} {
		folder := filepath.Join(part, "beacon")
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join(beaconFolder, folder))); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestFixturesOfThePack plays its fixtures.
func TestFixturesOfThePack(t *testing.T) {
	t.Parallel()
	suite, err := packs.List{beacon.Pack()}.Load(filesOf(t), "beacon")
	if err != nil {
		t.Fatal(err)
	}
	all := servers.List{server.Pack()}
	(&stepstest.Stage{
		Vocabulary: suite.Vocabulary,
		Env: steps.Env{Schemas: suite.Schemas, Judge: func(e *record.Exchange) ([]record.Finding, map[string]int) {
			return suite.Judge(e, nil)
		}},
		Server: func(name string) stepstest.Server {
			if name == "" {
				return all.Reference(servers.Settings{})
			}
			for _, m := range different.Pack().Mutants() {
				if m.Of.Name == name {
					return m.New(servers.Settings{})
				}
			}
			return nil
		},
	}).Fixtures(t, beacon.Pack().Fixtures())
}

// filesOf returns the folders of the pack.
func filesOf(t *testing.T) pack.Files {
	t.Helper()
	open := func(name string) fs.FS { return os.DirFS(filepath.Join(beaconFolder, name)) }
	return pack.Files{Spec: open("spec"), Schemas: open("schemas"), Features: open("features"), Golden: open("golden")}
}

// serving puts a handler on a loopback socket and returns its URL.
func serving(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}
