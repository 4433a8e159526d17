package helix_test

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/judge/helix"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/wire"
	"github.com/streamcert/streamcert/schemas"
)

func Example() {
	set, err := schemas.Load(schemas.FS, "helix")
	if err != nil {
		fmt.Println(err)
		return
	}
	body := "id: 4\ndata: {\"type\":\"status\",\"status\":\"paused\"}\n\nid: 5\ndata: {\"type\":\"end\"}\n\n"
	m := helix.New(judge.Options{Schemas: set})
	findings := m.Head(judge.Head{Status: 200, Header: map[string][]string{
		"content-type": {"text/event-stream"}, "cache-control": {"no-cache"},
	}})
	r := wire.NewReader(strings.NewReader(body), wire.Options{})
	for {
		f, err := r.Next()
		if err != nil {
			break
		}
		findings = append(findings, m.Frame(f)...)
	}
	for _, f := range append(findings, m.Close(record.ServerClose)...) {
		fmt.Printf("line %d: %s: %s: want %s, got %s\n", f.Line, f.Requirement, f.Message, f.Want, f.Got)
	}
	fmt.Println("body-closes checked", m.Occasions()["helix.lifecycle.body-closes"], "time")
	// Output:
	// line 1: helix.status.no-id: a status frame carries an id of its own: want no id, got "4"
	// body-closes checked 1 time
}
