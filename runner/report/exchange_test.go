package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/report"
)

func TestBody(t *testing.T) {
	noise := make([]byte, 2<<20)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	for name, c := range map[string]struct {
		in   []byte
		form string // of its JSON
	}{
		"empty":     {nil, `""`},
		"text":      {[]byte("a\r\n<b>\x00\u2028é\n"), `"a\r\n<b>`},
		"binary":    {[]byte("a\xff"), `{"gzip":"`},
		"long":      {bytes.Repeat([]byte("abc"), 100_000), `{"gzip":"`},
		"too large": {noise, `{"omitted":2097152}`},
	} {
		text, err := json.Marshal(report.NewBody(c.in))
		if err != nil || !strings.HasPrefix(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(text)), c.form) {
			t.Errorf("%s: %v %.60s", name, err, text)
		}
		var back report.Body
		if err := json.Unmarshal(text, &back); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		got, err := back.Bytes()
		if name == "too large" {
			if !errors.Is(err, report.ErrOmitted) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || !bytes.Equal(got, c.in) {
			t.Errorf("%s: %v, %d bytes, want %d", name, err, len(got), len(c.in))
		}
		if begin, err := back.Begin(2); err != nil || !bytes.Equal(begin, c.in[:min(2, len(c.in))]) {
			t.Errorf("%s begins with %q, %v", name, begin, err)
		}
	}
}

func TestDamagedBodies(t *testing.T) {
	for _, text := range []string{`{"gzip":"AAAA"}`, `{"gzip":""}`} {
		var b report.Body
		if err := json.Unmarshal([]byte(text), &b); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Bytes(); err == nil {
			t.Errorf("%s can be read", text)
		}
	}
	var b report.Body
	for _, text := range []string{`7`, `{"gzip":"?"}`, `[]`} {
		if json.Unmarshal([]byte(text), &b) == nil {
			t.Errorf("%s is a body", text)
		}
	}
	bomb, err := json.Marshal(report.NewBody(make([]byte, 65<<20)))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(bomb, &b); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Bytes(); err == nil {
		t.Error("65 MiB were unpacked")
	}
}

// TestShell passes quoted arguments to a shell.
func TestShell(t *testing.T) {
	for in, want := range map[string]string{"": "''", "a-b/c:1": "a-b/c:1", "it's": `'it'\''s'`, "a b": "'a b'", "$(x)": "'$(x)'"} {
		if got := report.Shell(in); got != want {
			t.Errorf("Shell(%q) = %s, want %s", in, got, want)
		}
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	const nasty = "a'b\"c $(echo x) `echo y` \\ ; & | \n*"
	out, err := exec.Command(sh, "-c", "printf %s "+report.Shell(nasty)).Output()
	if err != nil || string(out) != nasty {
		t.Errorf("%q came back as %q, %v", nasty, out, err)
	}
}
