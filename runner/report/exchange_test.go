package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/record"
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

// TestCommands: a request that depends on no other is one line of curl, and one that depends on others a script of all,
// with fresh names, ids taken from the server's answers, and secrets as variables.
func TestCommands(t *testing.T) {
	k := report.Recorder{Prefix: "sc-1a", Redact: func(s string) string { return strings.ReplaceAll(s, "top secret", "***") }}
	call := func(kind record.Kind, method, path, body, answer string, end record.End) report.Call {
		return report.Call{Exchange: &record.Exchange{
			Request:  record.Request{Kind: kind, Method: method, Path: path, Body: []byte(body), Header: []record.Header{{Name: "x-key", Value: "top secret"}}},
			Response: record.Response{Answer: []byte(answer), End: end},
		}}
	}
	read := call(record.Read, "GET", "/s/{1}?from=2", "", "", record.Open)
	const want = `curl --max-time 5 -i -N -g -H 'x-key: '"$X_KEY" 'http://h/s/{1}?from=2'`
	if curl, script := k.Commands([]report.Call{call(record.Document, "GET", "/s", "", "", record.ServerClose), read}, 1, "http://h/"); curl != want || script != "" {
		t.Errorf("got %s\n%s\nwant %s", curl, script, want)
	}
	post := call(record.Read, "POST", "/chat/sc-1a-1", "@it's", "", record.ServerClose)
	if curl, _ := k.Commands([]report.Call{post}, 0, "http://h"); !strings.HasSuffix(curl, `--data-raw '@it'\''s' http://h/chat/sc-1a-1-$$`) {
		t.Errorf("got %s", curl)
	}
	led := []report.Call{
		call(record.Control, "POST", "/runs", `{"stream":"sc-1a-1"}`, `{"runId": "run-77777"}`, record.ServerClose),
		call(record.Read, "GET", "/streams/sc-1a-1", "", "", record.ServerClose),
		call(record.Control, "POST", "/runs/run-77777/end", "", "", record.ServerClose),
	}
	curl, script := k.Commands(led, 1, "http://h")
	const lines = `: "${X_KEY:?set it to what the report shows as ***}"
call() { curl -sS --max-time 5 "$@"; echo; }
base=http://h
name1=sc-1a-1-$$
answer=$(call -X POST -H 'x-key: '"$X_KEY" --data-raw '{"stream":"'"$name1"'"}' "$base"/runs); echo "$answer"
runId2=$(echo "$answer" | grep -o '"runId" *: *"[^"]*"' | head -n 1 | cut -d '"' -f 4)
out=$(mktemp); call -i -N -H 'x-key: '"$X_KEY" "$base"/streams/"$name1" > "$out" & sleep 1
call -X POST -H 'x-key: '"$X_KEY" "$base"/runs/"$runId2"/end
wait; cat "$out"`
	if curl != "" || script != lines {
		t.Errorf("got %s\n%s\nwant\n%s", curl, script, lines)
	}
	large := call(record.Control, "POST", "/runs", strings.Repeat("x", 20<<10), "", record.ServerClose)
	for name, calls := range map[string][]report.Call{
		"large": {large, read}, "many": append(slices.Repeat(led[:1], 40), read), "none": {{Exchange: &record.Exchange{}}},
	} {
		if curl, script := k.Commands(calls, len(calls)-1, "http://h"); curl+script != "" {
			t.Errorf("%s: got %s%s", name, curl, script)
		}
	}
}
