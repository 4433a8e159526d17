package target

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// folder contains files by name.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// writeCertificate makes a certificate that signs itself, and its key, as PEM.
func writeCertificate(t *testing.T) (cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, k.Public(), k)
	if err != nil {
		t.Fatal(err)
	}
	pkcs, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs}))
}

func TestReadServerConfig(t *testing.T) {
	cert, key := writeCertificate(t)
	dir := folder(t, map[string]string{"ca.pem": cert, "cert.pem": cert, "key.pem": key, "known.yaml": ""})
	at := func(name string) string { return filepath.Join(dir, name) }
	got, err := readConfig(at("c.yaml"), []byte(`
target: {url: "https://127.0.0.1:1"}
tls: {ca: ca.pem, cert: cert.pem, key: "`+at("key.pem")+`", insecure: true}
launch:
  command: [./server, --port, 8080]
  cwd: .
  env: {B: "${SECRET}", A: 1, C: a=b}
  ready: https://127.0.0.1:1/health?deep
  stop: int
  timeout: 3s
baseline: known.yaml
output: out
packs: [aep, helix]
`), env(map[string]string{"SECRET": "s"}), nil, "aep", "helix")
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		URL: "https://127.0.0.1:1",
		TLS: TLS{CA: at("ca.pem"), Cert: at("cert.pem"), Key: at("key.pem"), Insecure: true},
		Launch: Launch{
			Command: []string{"./server", "--port", "8080"}, Cwd: dir, Env: []string{"A=1", "B=s", "C=a=b"},
			Ready: "https://127.0.0.1:1/health?deep", Stop: "SIGINT", Timeout: 3 * time.Second,
		},
		Baseline: at("known.yaml"), Output: at("out"), Packs: []string{"aep", "helix"}, Secrets: []string{"s"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Config{}, "Settings")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	each, err := readConfig("c.yaml", []byte(`
target: {url: "http://127.0.0.1:1"}
targets: ["http://127.0.0.1:1", "http://127.0.0.1:2"]
launch: {command: [./server, "{port}"], ready: "http://127.0.0.1:{port}/health"}
`), env(nil), nil)
	if err != nil || each.Launch.Ready != "http://127.0.0.1:{port}/health" {
		t.Errorf("with a port for each address it is ready at %q, %v", each.Launch.Ready, err)
	}
	shell, err := readConfig("c.yaml", []byte("launch: {command: npm start}"), env(nil), nil)
	if runtime.GOOS != "windows" && !slices.Equal(shell.Launch.Command, []string{"/bin/sh", "-c", "npm start"}) {
		t.Errorf("a text for the shell is %q, %v", shell.Launch.Command, err)
	}
}

func TestReadServerConfigErrors(t *testing.T) {
	cert, key := writeCertificate(t)
	otherCert, _ := writeCertificate(t)
	dir := folder(t, map[string]string{"cert.pem": cert, "key.pem": key, "other.pem": otherCert, "text": "hello"})
	for _, c := range []struct{ name, src, want string }{
		{"unknown", "tls:\n  caa: x\n", ":2: unknown key `caa` (did you mean `ca`?); expected one of ca, cert, key, insecure"},
		{"unknown in launch", "launch:\n  comand: x\n", ":2: unknown key `comand` (did you mean `command`?); expected one of command, cwd"},
		{"one address", "target: {url: http://a}\ntargets: [http://a]\n", ":2: targets must be a list of at least two addresses"},
		{"no addresses", "targets: []\n", ":1: targets must be a list of addresses"},
		{"an address twice", "target: {url: http://a}\ntargets: [http://a, http://a]\n", ":2: targets: http://a stands twice"},
		{"no address", "target: {url: http://a}\ntargets: [http://a, b]\n", ":2: targets: \"b\" must begin with http"},
		{"another first", "target: {url: http://a}\ntargets: [http://b, http://a]\n", ":2: targets must begin with target.url, http://a; it begins with http://b"},
		{"no CA", "tls:\n  ca: nowhere.pem\n", ":2: tls.ca: there is no file " + filepath.Join(dir, "nowhere.pem")},
		{"CA a folder", "tls:\n  ca: .\n", ":2: tls.ca: "},
		{"CA a text", "tls:\n  insecure: false\n  ca: text\n", "text holds no certificate in PEM form; expected a file of certificates"},
		{"cert alone", "tls:\n  cert: cert.pem\n", ":2: tls.cert and tls.key go together"},
		{"key alone", "tls:\n  key: key.pem\n", ":2: tls.cert and tls.key go together"},
		{"no key", "tls:\n  cert: cert.pem\n  key: nowhere.pem\n", ":3: tls.key: there is no file"},
		{"a key of another", "tls:\n  cert: other.pem\n  key: key.pem\n", ":2: tls.cert: "},
		{"a list for a file", "tls:\n  ca: [a]\n", ":2: tls.ca must be a single value"},
		{"no truth", "tls:\n  insecure: maybe\n", `:2: tls.insecure must be true or false, got "maybe"`},
		{"a number for a truth", "tls:\n  insecure: 1\n", `:2: tls.insecure must be true or false, got "1"`},
		{"tls a text", "tls: yes\n", ":1: `tls` must be a mapping"},
		{"launch of nothing", "launch:\n  cwd: .\n", ":2: launch needs a command"},
		{"launch null", "launch:\n", ":1: launch needs a command"},
		{"no words", "launch:\n  command: []\n", ":2: launch.command must begin with a program"},
		{"a word that is a list", "launch:\n  command: [a, [b]]\n", ":2: launch.command must be a single value"},
		{"an empty text", "launch:\n  command: \" \"\n", ":2: launch.command must be a list"},
		{"no folder", "launch:\n  command: x\n  cwd: nowhere\n", ":3: launch.cwd: there is no folder " + filepath.Join(dir, "nowhere")},
		{"cwd a file", "launch:\n  command: x\n  cwd: text\n", ":3: launch.cwd: there is no folder"},
		{"env a list", "launch:\n  command: x\n  env: [A=b]\n", ":3: `launch.env` must be a mapping"},
		{"env name", "launch:\n  command: x\n  env: {A=B: c}\n", ":3: launch.env: \"A=B\" can't be set"},
		{"ready", "launch:\n  command: x\n  ready: localhost:80\n", ":3: launch.ready: \"localhost:80\""},
		{"ready at a port that is no port", "launch:\n  command: x\n  ready: http://a:{prot}/\n", ":3: launch.ready: \"http://a:{prot}/\" is not a URL"},
		{"signal", "launch:\n  command: x\n  stop: SIGTREM\n", ":3: launch.stop must be one of SIGTERM, SIGINT"},
		{"timeout", "launch:\n  command: x\n  timeout: 30\n", `:3: launch.timeout must be a duration from 1ms to 24h such as 250ms or 5s, got "30"`},
		{"no baseline", "baseline: nowhere.yaml\n", ":1: baseline: there is no file " + filepath.Join(dir, "nowhere.yaml") + "; `streamcert certify --write-baseline FILE` writes one"},
		{"baseline of no name", "baseline: \"\"\n", ":1: baseline must name a file"},
		{"baseline a list", "baseline: [a]\n", ":1: baseline must be a single value"},
		{"output a file", "output: text\n", ":1: output: " + filepath.Join(dir, "text") + " is a file"},
		{"packs a text", "packs: helix\n", ":1: packs must be a list of protocols"},
		{"no packs", "packs: []\n", ":1: packs must be a list of protocols"},
		{"unknown pack", "packs:\n  - hellix\n", ":2: packs: unknown protocol `hellix` (did you mean `helix`?); expected one of aep, helix"},
		{"pack twice", "packs: [helix, helix]\n", ":1: packs: helix stands twice"},
		{"unset variable", "launch:\n  command: x\n  env: {A: \"${NOPE}\"}\n", ":3: launch.env.A needs the environment variable NOPE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := readConfig(filepath.Join(dir, "c.yaml"), []byte(c.src), env(nil), nil, "aep", "helix")
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), filepath.Join(dir, "c.yaml")+":") ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v\nwant one line with %s", err, c.want)
			}
		})
	}
}

// TestTLSOfAConfig asks a server over TLS, as each config may.
func TestTLSOfAConfig(t *testing.T) {
	cert, key := writeCertificate(t)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TLS.PeerCertificates) == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	server.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	ca := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	dir := folder(t, map[string]string{"ca.pem": ca, "cert.pem": cert, "key.pem": key})
	at := func(name string) string { return filepath.Join(dir, name) }
	own := TLS{CA: at("ca.pem"), Cert: at("cert.pem"), Key: at("key.pem")}
	for name, c := range map[string]struct {
		tls  TLS
		says string
	}{
		"system":             {TLS{}, "certificate"},
		"another's":          {TLS{CA: at("cert.pem")}, "certificate"},
		"ca, no own":         {TLS{CA: at("ca.pem")}, "503"},
		"ca and own":         {own, ""},
		"insecure":           {TLS{Insecure: true, Cert: own.Cert, Key: own.Key}, ""},
		"gone since it read": {TLS{CA: at("gone.pem")}, "tls.ca: there is no file"},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.tls.Answers(t.Context(), server.URL, 5*time.Second)
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
	target, err := New(Config{URL: server.URL, TLS: own}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	client := target.Client()
	resp, err := client.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("the target's own transport got %d: it shows no certificate", resp.StatusCode)
	}
	if _, err := New(Config{URL: server.URL, TLS: TLS{CA: at("gone.pem")}}, Options{}); err == nil {
		t.Error("a target was made without its CA")
	}
}
