package command

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/schemas"
	"github.com/streamcert/streamcert/spec"
)

// off matches the mark of a line that is off.
var off = regexp.MustCompile(`(?m)^#(\S|  )`)

// everything turns on every line of a config that init wrote.
func everything(text string) string { return off.ReplaceAllString(text, "$1") }

func initialised(t *testing.T, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "c.yaml")
	r := streamcert(t, "", append(append([]string{"init"}, args...), file)...)
	if r.Code != 0 || r.Errs != "" || !strings.Contains(r.Out, "wrote "+file) {
		t.Fatalf("%+v", r)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// loadedBook is the spec, read once.
var loadedBook = sync.OnceValues(func() (*spec.Book, error) {
	book, _, err := spec.Load(spec.FS)
	return book, err
})

// loaded reads a config in a folder that has every file which init names.
func loaded(t *testing.T, text string) (target.Config, error) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	pkcs, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	dir := t.TempDir()
	for name, b := range map[string][]byte{
		"ca.pem": cert, "cert.pem": cert, "key.pem": pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs}), "baseline.yaml": nil,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := func(string) (string, bool) { return "from-the-environment", true }
	book, err := loadedBook()
	if err != nil {
		t.Fatal(err)
	}
	var capabilities []string
	for _, pack := range book.Packs() {
		for _, c := range book.Capabilities(pack) {
			capabilities = append(capabilities, c.Name)
		}
	}
	format := target.Format{Sections: packs.All().Sections(), Capabilities: capabilities, Packs: book.Packs()}
	return format.Read(filepath.Join(dir, "c.yaml"), []byte(text), target.Environment{Lookup: env})
}

func TestInitLoadsBack(t *testing.T) {
	for _, args := range [][]string{nil, {"--pack", "helix"}, {"--pack", "aep"}, {"--pack", "aep", "--pack", "helix"}} {
		text := initialised(t, args...)
		cfg, err := loaded(t, text)
		if err != nil {
			t.Errorf("%v: %v", args, err)
		}
		var packs []string
		for i, arg := range args {
			if i%2 == 1 {
				packs = append(packs, arg)
			}
		}
		if diff := cmp.Diff(target.Config{URL: "http://127.0.0.1:8080", Packs: packs}, cfg, cmpopts.IgnoreFields(target.Config{}, "Settings")); diff != "" {
			t.Errorf("%v: the file says more than where the server is (-want +got):\n%s", args, diff)
		}
		if len(packs) > 0 && strings.Contains(text, "aep") != slices.Contains(packs, "aep") {
			t.Errorf("%v: aep is there, or not, against what was asked", args)
		}
		full, err := loaded(t, everything(text))
		if err != nil {
			t.Errorf("%v: with every line on: %v", args, err)
		}
		if len(full.Without) == 0 || len(full.Launch.Command) == 0 || full.ControlToken != "from-the-environment" {
			t.Errorf("%v: lines that should be on are not: %+v", args, full)
		}
		if every := full.Launch.Stop != "" && full.Headers["Authorization"] == "Bearer from-the-environment"; every != (packs == nil) {
			t.Errorf("%v: every key is there: %v", args, every)
		}
	}
}

// TestInitOfAPackIsShort: the config of a pack has the keys that the pack needs, and each of them when it is on.
func TestInitOfAPackIsShort(t *testing.T) {
	for _, p := range packs.All() {
		text := initialised(t, "--pack", p.Name)
		if n := strings.Count(text, "\n"); n > 72 {
			t.Errorf("%s: %d lines", p.Name, n)
		}
		for _, key := range []string{"timing", "limits", "tls", "model", "baseline", "headers", "targets"} {
			if regexp.MustCompile(`(?m)^#?` + key + `:`).MatchString(text) {
				t.Errorf("%s: the config has %s", p.Name, key)
			}
		}
		for _, r := range p.Config.Routes {
			if !strings.Contains(text, "#  "+r.Name+": ") {
				t.Errorf("%s: the config has no route %s", p.Name, r.Name)
			}
		}
		if !strings.HasSuffix(text, "\n# `streamcert init` without flags writes every key.\n") {
			t.Errorf("%s ends with %q", p.Name, text[len(text)-80:])
		}
		for i := range strings.SplitAfter(text, "\n") {
			if one, is := lineOn(text, i); is {
				if _, err := loaded(t, one); err != nil {
					t.Errorf("%s: line %d on: %v", p.Name, i+1, err)
				}
			}
		}
		listsWith(t, text)
	}
}

// lineOn turns on one key of a config, with the line of its section; false for a line that has no key that is off.
func lineOn(text string, i int) (string, bool) {
	lines := strings.Split(text, "\n")
	if !regexp.MustCompile(`^#(\w[\w-]*: .|  \w[\w-]*: .|  - )`).MatchString(lines[i]) {
		return "", false
	}
	for j := i; strings.HasPrefix(lines[i], "#  ") && j >= 0; j-- {
		if regexp.MustCompile(`^#[\w-]+:$`).MatchString(lines[j]) {
			lines[j] = lines[j][1:]
			break
		}
	}
	launches := strings.HasPrefix(lines[i], "#  env: ") // which needs a command
	for j := range lines {
		if j == i || launches && strings.HasPrefix(lines[j], "#  command: ") {
			lines[j] = lines[j][1:]
		}
	}
	return strings.Join(lines, "\n"), true
}

// listsWith lists the scenarios of a run with a config, which needs no server.
func listsWith(t *testing.T, text string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := streamcert(t, "", "certify", "--list", "--config", file); r.Code != 0 || r.Out == "" {
		t.Errorf("certify --list: %d, %s", r.Code, r.Errs)
	}
}

// TestInitOfStarters: each config that a flag writes is read, and states the pack, the server and the model.
func TestInitOfStarters(t *testing.T) {
	for _, section := range packs.All().Sections() {
		for _, s := range section.Starters {
			text := initialised(t, "--"+s.Flag)
			cfg, err := loaded(t, text)
			if err != nil || cfg.URL == "" || !slices.Contains(cfg.Packs, section.Name) || len(cfg.Launch.Command) == 0 {
				t.Errorf("--%s: %+v, %v", s.Flag, cfg, err)
			}
			if n := strings.Count(text, "\n"); n > 35 {
				t.Errorf("--%s: %d lines", s.Flag, n)
			}
			listsWith(t, text)
			streamcert(t, "", "init", "--"+s.Flag, "--pack", section.Name).OneLine(t, misuse, "--pack and --"+s.Flag)
		}
	}
}

// TestInitNamesTheSchema: the first line of each config names the schema that the site serves, which accepts the config.
func TestInitNamesTheSchema(t *testing.T) {
	kit, err := schemas.Kit(schemas.FS)
	if err != nil {
		t.Fatal(err)
	}
	calls := [][]string{nil}
	for _, p := range packs.All() {
		calls = append(calls, []string{"--pack", p.Name})
		for _, s := range p.Config.Starters {
			calls = append(calls, []string{"--" + s.Flag})
		}
	}
	for _, args := range calls {
		text := initialised(t, args...)
		if first, _, _ := strings.Cut(text, "\n"); first != "# yaml-language-server: $schema=https://streamcert.github.io/streamcert/schemas/streamcert.json" {
			t.Errorf("%v begins with %q", args, first)
		}
		shown := []string{text}
		if len(args) == 2 { // of a pack
			shown = append(shown, everything(text))
		}
		for _, each := range shown {
			document, err := yaml.YAMLToJSON([]byte(each))
			if err != nil {
				t.Fatal(err)
			}
			if r := kit.Document("config", schemas.Strict, document); !r.OK() {
				t.Errorf("%v: the schema refuses the config: %+v", args, r.Findings)
			}
		}
	}
}

// TestInitShowsTheDefaults: the values of disabled lines are the defaults.
func TestInitShowsTheDefaults(t *testing.T) {
	cfg, err := loaded(t, everything(initialised(t)))
	if err != nil {
		t.Fatal(err)
	}
	shown, err := target.New(cfg, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	bare, err := target.New(target.Config{URL: cfg.URL}, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	timing := shown.Timing()
	timing.Heartbeat, timing.MaxConnection = 0, 0                                                                          // has no default
	limits := target.Limits{Frame: shown.Limits().Frame, Answer: shown.Limits().Answer, Scenario: shown.Limits().Scenario} // nor what a server declares
	for _, diff := range []string{cmp.Diff(bare.Timing(), timing), cmp.Diff(bare.Limits(), limits)} {
		if diff != "" {
			t.Errorf("(-default +shown):\n%s", diff)
		}
	}
	routes := []target.Route{target.ControlPrefix()}
	for _, section := range packs.All().Sections() {
		routes = append(routes, section.Routes...)
	}
	for _, r := range routes {
		if bare.Path(r) != shown.Path(r) {
			t.Errorf("route %s: default %s, shown %s", r.Name, bare.Path(r), shown.Path(r))
		}
	}
}

// TestInitPrintsEverything: every key that the schema has, with a comment, and every
// capability of the spec.
func TestInitPrintsEverything(t *testing.T) {
	src, err := schemas.FS.ReadFile("config.json")
	if err != nil {
		t.Fatal(err)
	}
	type section struct {
		Properties map[string]section
	}
	var schema section
	if err := json.Unmarshal(src, &schema); err != nil {
		t.Fatal(err)
	}
	text := initialised(t)
	lines := strings.Split(text, "\n")
	has := func(prefix string) bool {
		return slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, prefix) })
	}
	for name, s := range schema.Properties {
		i := slices.IndexFunc(lines, func(line string) bool {
			return strings.HasPrefix(line, name+":") || strings.HasPrefix(line, "#"+name+":")
		})
		if i < 0 {
			t.Errorf("there is no key %s", name)
			continue
		}
		if name != "target" && !strings.HasPrefix(lines[i-1], "# ") {
			t.Errorf("%s has no comment above it", name)
		}
		for key := range s.Properties {
			if !has("#  "+key+": ") && !has("  "+key+": ") {
				t.Errorf("there is no key %s.%s", name, key)
			}
		}
	}
	book, _, err := spec.Load(spec.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, pack := range book.Packs() {
		for _, c := range book.Capabilities(pack) {
			if !regexp.MustCompile(`(?m)^#  - ` + c.Name + ` +# .+; `).MatchString(text) {
				t.Errorf("capability %s of %s isn't explained", c.Name, pack)
			}
		}
	}
	for _, line := range lines {
		if len([]rune(line)) > 130 {
			t.Errorf("too long to be read: %s", line)
		}
	}
}

func TestInitLeavesFilesAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	if r := streamcert(t, "", "init"); r.Code != 0 {
		t.Fatalf("%+v", r)
	}
	if err := os.WriteFile(defaultConfig, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	streamcert(t, "", "init").OneLine(t, misuse, defaultConfig, "left alone", "--force")
	if b, _ := os.ReadFile(defaultConfig); string(b) != "mine" {
		t.Errorf("the file is %q now", b)
	}
	if r := streamcert(t, "", "init", "--force"); r.Code != 0 {
		t.Errorf("%+v", r)
	}
	if b, _ := os.ReadFile(defaultConfig); !strings.Contains(string(b), "target:") {
		t.Errorf("the file is %q still", b)
	}
	streamcert(t, "", "init", "--pack", "helx", "x.yaml").OneLine(t, misuse, "helx", "did you mean helix?")
	streamcert(t, "", "init", "a", "b").OneLine(t, misuse, "no place for \"b\"")
	streamcert(t, "", "init", ".").OneLine(t, misuse, "folder")
	streamcert(t, "", "init", "nowhere/x.yaml").OneLine(t, misuse, "nowhere")
	streamcert(t, "", "init", "--force", "nowhere/x.yaml").OneLine(t, misuse, "nowhere")
}
