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
	"testing"

	"github.com/google/go-cmp/cmp"

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
	if r.code != 0 || r.errs != "" || !strings.Contains(r.out, "wrote "+file) {
		t.Fatalf("%+v", r)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

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
	book, _, err := spec.Load(spec.FS)
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
		if diff := cmp.Diff(target.Config{URL: "http://127.0.0.1:8080", Packs: packs}, cfg); diff != "" {
			t.Errorf("%v: the file says more than where the server is (-want +got):\n%s", args, diff)
		}
		if len(packs) > 0 && strings.Contains(text, "aep") != slices.Contains(packs, "aep") {
			t.Errorf("%v: aep is there, or not, against what was asked", args)
		}
		full, err := loaded(t, everything(text))
		if err != nil {
			t.Errorf("%v: with every line on: %v", args, err)
		}
		if len(full.Without) == 0 || full.Launch.Stop == "" || full.Headers["Authorization"] != "Bearer from-the-environment" {
			t.Errorf("%v: lines that should be on are not: %+v", args, full)
		}
	}
}

// TestInitShowsTheDefaults: what a line that is off shows is what holds without it.
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

// TestInitSaysEverything: every key that the schema has, with a comment, and every
// capability of the spec.
func TestInitSaysEverything(t *testing.T) {
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
	if r := streamcert(t, "", "init"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	if err := os.WriteFile(defaultConfig, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	streamcert(t, "", "init").oneLine(t, misuse, defaultConfig, "left alone", "--force")
	if b, _ := os.ReadFile(defaultConfig); string(b) != "mine" {
		t.Errorf("the file is %q now", b)
	}
	if r := streamcert(t, "", "init", "--force"); r.code != 0 {
		t.Errorf("%+v", r)
	}
	if b, _ := os.ReadFile(defaultConfig); !strings.Contains(string(b), "target:") {
		t.Errorf("the file is %q still", b)
	}
	streamcert(t, "", "init", "--pack", "helx", "x.yaml").oneLine(t, misuse, "helx", "did you mean helix?")
	streamcert(t, "", "init", "a", "b").oneLine(t, misuse, "no place for \"b\"")
	streamcert(t, "", "init", ".").oneLine(t, misuse, "folder")
	streamcert(t, "", "init", "nowhere/x.yaml").oneLine(t, misuse, "nowhere")
	streamcert(t, "", "init", "--force", "nowhere/x.yaml").oneLine(t, misuse, "nowhere")
}
