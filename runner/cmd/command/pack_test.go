package command

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/cmd/servers"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/packs"
	server "github.com/streamcert/streamcert/runner/packs/testdata/runner/cmd/servers/beacon"
	"github.com/streamcert/streamcert/runner/packs/testdata/runner/pack/beacon"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/steps"
	"github.com/streamcert/streamcert/steps/stepstest"
)

// beaconFolder holds a pack that no shared code knows: what runner/packs/testdata/README.md tells how to write.
var beaconFolder = filepath.Join("..", "..", "packs", "testdata")

// beaconApp is the program with that pack alone.
func beaconApp() *app {
	return newApp(packs.List{beacon.Pack()}, servers.List{server.Pack()})
}

// withBeacon runs a command of that program on the folders of the pack.
func withBeacon(t *testing.T, in string, args ...string) ran {
	t.Helper()
	var out, errs bytes.Buffer
	code := beaconApp().run(t.Context(), append([]string{"--dir", beaconFolder}, args...), strings.NewReader(in), &out, &errs)
	return ran{code, out.String(), errs.String()}
}

// TestPackInRoomsOfItsOwn: every command does for a pack what it does for those of this build, and none of the code that
// does it knows the pack.
func TestPackInRoomsOfItsOwn(t *testing.T) {
	if *update {
		if r := withBeacon(t, "", "golden"); r.code != 0 {
			t.Fatal(r.errs, r.out)
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
		"completion bash":                 "streamcert",
		"diff " + beaconFolder:            "nothing changed",
	} {
		t.Run(args, func(t *testing.T) {
			r := withBeacon(t, "", strings.Fields(args)...)
			if r.code != 0 || !strings.Contains(r.out, says) {
				t.Errorf("exit code %d, want %q (-update writes goldens anew)\n%s\n%s", r.code, says, r.errs, r.out)
			}
		})
	}
}

// TestPackBringsItsConfig: a config has the section and the route of the pack, and a server is found by them.
func TestPackBringsItsConfig(t *testing.T) {
	at := serving(t, beaconApp().servers.Reference(servers.Settings{}))
	config := filepath.Join(t.TempDir(), "streamcert.yaml")
	if r := withBeacon(t, "", "init", "--pack", "beacon", config); r.code != 0 {
		t.Fatal(r.errs)
	}
	text, err := os.ReadFile(config)
	if err != nil || !strings.Contains(string(text), "lamp: north") || !strings.Contains(string(text), "/lamps/{lamp}/watch") {
		t.Fatalf("%v\n%s", err, text)
	}
	south := write(t, "south.yaml", "target: {url: "+at+"}\nbeacon: {lamp: the south}\n")
	if r := withBeacon(t, "", "probe", "--config", south); r.code != 0 || !strings.Contains(r.out, "8 can be proven") {
		t.Errorf("exit code %d\n%s\n%s", r.code, r.errs, r.out)
	}
	if r := withBeacon(t, "", "certify", "--config", south); r.code != 0 {
		t.Errorf("exit code %d\n%s\n%s", r.code, r.errs, r.out)
	}
	unknown := write(t, "east.yaml", "target: {url: "+at+"}\nbeacon: {lmap: east}\n")
	if r := withBeacon(t, "", "certify", "--config", unknown); r.code != misuse || !strings.Contains(r.errs, "did you mean `lamp`?") {
		t.Errorf("exit code %d\n%s", r.code, r.errs)
	}
}

// TestPackIsKnownByTheNamesOfItsEvents: among other packs, a recording and a live stream are told by the event field, as
// nothing in the data says what it is.
func TestPackIsKnownByTheNamesOfItsEvents(t *testing.T) {
	t.Parallel()
	const lit, flash, dark = "event: lit\ndata: {\"watch\":\"w\"}\n\n", "event: flash\ndata: {\"watch\":\"w\",\"n\":2,\"text\":\"ho\"}\n\n",
		"event: dark\ndata: {\"watch\":\"w\",\"flashes\":1}\n\n"
	a := newApp(append(packs.All(), beacon.Pack()), append(everyServer(), server.Pack()))
	a.dir = merged(t)
	command := func(args ...string) ran {
		var out, errs bytes.Buffer
		code := a.run(t.Context(), append([]string{"--dir", a.dir}, args...), strings.NewReader(""), &out, &errs)
		return ran{code, out.String(), errs.String()}
	}
	if r := command("check", write(t, "a.sse", lit+flash+dark)); r.code != broken || !strings.Contains(r.out, "beacon.signals.numbered") {
		t.Errorf("exit code %d\n%s\n%s", r.code, r.errs, r.out)
	}
	at := serving(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, lit+flash)
		_ = http.NewResponseController(w).Flush()
		_, _ = io.WriteString(w, dark)
	}))
	if r := command("observe", at); r.code != broken || !strings.Contains(r.out, "beacon.signals.numbered") {
		t.Errorf("exit code %d\n%s\n%s", r.code, r.errs, r.out)
	}
}

// merged is a working copy with the folders of this build and of the pack.
func merged(t *testing.T) string {
	t.Helper()
	dir := workingCopy(t)
	for _, part := range []string{"spec", "schemas", "features", "golden"} {
		folder := filepath.Join(part, "beacon")
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join(beaconFolder, folder))); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestPairsOfThePack plays its pairs of worlds.
func TestPairsOfThePack(t *testing.T) {
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
			for _, m := range all.Mutants("beacon") {
				if m.Of.Name == name {
					return m.New(servers.Settings{})
				}
			}
			return nil
		},
	}).Pairs(t, beacon.Pack().Pairs())
}

// filesOf are the folders of the pack.
func filesOf(t *testing.T) pack.Files {
	t.Helper()
	a := beaconApp()
	a.dir = beaconFolder
	files, err := a.files()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// serving puts a handler on a loopback socket and returns its URL.
func serving(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}
