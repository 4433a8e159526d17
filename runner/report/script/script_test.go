package script_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/report/script"
)

// TestCommands: a request that depends on no other is one line of curl, and one that depends on others a script of all,
// with fresh names, ids taken from the server's answers, and secrets as variables.
func TestCommands(t *testing.T) {
	k := report.Recorder{Prefix: "sc-1a", Redact: func(s string) string { return strings.ReplaceAll(s, "top secret", "***") }}
	call := func(kind record.Kind, method, path, body, answer string, end record.End) script.Call {
		return script.Call{Exchange: &record.Exchange{
			Request:  record.Request{Kind: kind, Method: method, Path: path, Body: []byte(body), Header: []record.Header{{Name: "x-key", Value: "top secret"}}},
			Response: record.Response{Answer: []byte(answer), End: end},
		}}
	}
	read := call(record.Read, "GET", "/s/{1}?from=2", "", "", record.Open)
	const want = `curl --max-time 5 -i -N -g -H 'x-key: '"$X_KEY" 'http://h/s/{1}?from=2'`
	if curl, lines := script.Commands(k, []script.Call{call(record.Document, "GET", "/s", "", "", record.ServerClose), read}, 1, "http://h/"); curl != want || lines != "" {
		t.Errorf("got %s\n%s\nwant %s", curl, lines, want)
	}
	post := call(record.Read, "POST", "/chat/sc-1a-1", "@it's", "", record.ServerClose)
	if curl, _ := script.Commands(k, []script.Call{post}, 0, "http://h"); !strings.HasSuffix(curl, `--data-raw '@it'\''s' http://h/chat/sc-1a-1-$$`) {
		t.Errorf("got %s", curl)
	}
	led := []script.Call{
		call(record.Control, "POST", "/runs", `{"stream":"sc-1a-1"}`, `{"runId": "run-77777"}`, record.ServerClose),
		call(record.Read, "GET", "/streams/sc-1a-1", "", "", record.ServerClose),
		call(record.Control, "POST", "/runs/run-77777/end", "", "", record.ServerClose),
	}
	curl, lines := script.Commands(k, led, 1, "http://h")
	const want2 = `: "${X_KEY:?set it to what the report shows as ***}"
call() { curl -sS --max-time 5 "$@"; echo; }
base=http://h
name1=sc-1a-1-$$
answer=$(call -X POST -H 'x-key: '"$X_KEY" --data-raw '{"stream":"'"$name1"'"}' "$base"/runs); echo "$answer"
runId2=$(echo "$answer" | grep -o '"runId" *: *"[^"]*"' | head -n 1 | cut -d '"' -f 4)
out=$(mktemp); call -i -N -H 'x-key: '"$X_KEY" "$base"/streams/"$name1" > "$out" & sleep 1
call -X POST -H 'x-key: '"$X_KEY" "$base"/runs/"$runId2"/end
wait; cat "$out"`
	if curl != "" || lines != want2 {
		t.Errorf("got %s\n%s\nwant\n%s", curl, lines, want2)
	}
	large := call(record.Control, "POST", "/runs", strings.Repeat("x", 20<<10), "", record.ServerClose)
	for name, calls := range map[string][]script.Call{
		"large": {large, read}, "many": append(slices.Repeat(led[:1], 40), read), "none": {{Exchange: &record.Exchange{}}},
	} {
		if curl, lines := script.Commands(k, calls, len(calls)-1, "http://h"); curl+lines != "" {
			t.Errorf("%s: got %s%s", name, curl, lines)
		}
	}
}
