package target

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
)

func TestRedactor(t *testing.T) {
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("reader:open-sesame"))
	cfg := Config{
		URL:          "https://someone:url-password@host/api",
		Headers:      map[string]string{"Authorization": basic, "Cookie": `session="cookie-value"; theme=dark`, "X-Key": "Token header-token"},
		ControlToken: "control-token", Sections: []any{struct {
			Other map[string]string `key:"other"`
		}{map[string]string{"Authorization": "Bearer other-token"}}},
		Launch:  Launch{Env: []string{"API_KEY=launch-key", "NODE_ENV=production"}},
		Secrets: []string{"from-the-environment", "host/api"},
	}
	r := cfg.Redactor()
	for _, secret := range []string{
		basic, "reader:open-sesame", "open-sesame", "cookie-value", "header-token", "control-token", "other-token", "launch-key",
		"from-the-environment", "url-password", base64.StdEncoding.EncodeToString([]byte("someone:url-password")), url.QueryEscape(basic),
	} {
		if got := r.Redact("a " + secret + " b"); got != "a *** b" {
			t.Errorf("%s became %q", secret, got)
		}
	}
	for _, text := range []string{"production", "someone", "https://host/api", "Bearer", "Basic"} {
		if got := r.Redact(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	alone := Config{URL: "http://lonely-token@host"}.Redactor()
	if got := alone.Redact("http://lonely-token@host"); got != "http://***@host" {
		t.Error(got)
	}
}

// TestConfigErrorsShowNoSecret: an error quotes the file, never the value of a variable or a URL.
func TestConfigErrorsShowNoSecret(t *testing.T) {
	const secret = `s3cr3t"value`
	env := Environment{Lookup: func(name string) (string, bool) { return secret, name == "SECRET" }}
	format := Format{Capabilities: []string{"resume"}, Packs: []string{"helix"}}
	for _, src := range []string{
		`target: {url: "ftp://${SECRET}"}`,
		`target: {url: "http://host?${SECRET}"}`,
		`target: {url: "ftp://user:s3cr3t-value@host"}`,
		`routes: {control: "${SECRET}"}`,
		`timing: {deadline: "${SECRET}"}`,
		`limits: {frame: "${SECRET}"}`,
		`launch: {command: x, ready: "${SECRET}"}`,
		`launch: {command: x, stop: "${SECRET}"}`,
		`launch: {command: x, cwd: "${SECRET}"}`,
		`tls: {ca: "${SECRET}"}`,
		`baseline: "${SECRET}"`,
		`without: ["${SECRET}"]`,
		`packs: ["${SECRET}"]`,
		"tokn: x\ntiming: {deadline: \"${SECRET}\"}\nlimits: {frame: \"${SECRET}\"}",
	} {
		_, err := format.Read("c.yaml", []byte(src), env)
		if err == nil {
			t.Errorf("%s: no error", src)
			continue
		}
		if text := err.Error(); strings.Contains(text, "s3cr3t") || strings.Contains(src, "${") && !strings.Contains(text, "${SECRET}") {
			t.Errorf("%s: %s", src, text)
		}
	}
}
