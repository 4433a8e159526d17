package command

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/runner/cmd/cmdtest"
)

// TestNamesOfAConfig: members that a server names differently are compared by the names in its config, in a recording and
// live.
func TestNamesOfAConfig(t *testing.T) {
	body := ""
	for i, event := range []string{
		`{"event":"metadata","agentId":"a","threadId":"t"`,
		`{"event":"text","messageId":"m","blockId":"b","blockIndex":0,"stage":"start"`,
		`{"event":"text","messageId":"m","blockId":"b","stage":"delta","deltaIndex":0,"delta":"Bergen"`,
		`{"event":"text","messageId":"m","blockId":"b","stage":"stop","content":"Oslo"`,
		`{"event":"done","finishReason":"stop","content":[{"type":"text","content":"Bergen"}]`,
	} {
		name := strings.Split(event, `"`)[3]
		body += fmt.Sprintf("event: %s\ndata: %s,\"requestId\":\"r\",\"timestamp\":%d}\n\n", name, event, 1702329600000+i)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, body)
	}))
	defer server.Close()
	config := cmdtest.Write(t, "own.yaml", "aep:\n  text: content\n")
	const rule = "aep.content.final-text"
	for _, args := range [][]string{{"check", "-"}, {"observe", server.URL}} {
		if r := streamcert(t, body, args...); strings.Contains(r.Out, rule) {
			t.Errorf("%v: compared under a name that nobody told: %+v", args, r)
		}
		if r := streamcert(t, body, append(args, "--config", config)...); !strings.Contains(r.Out, rule) || r.Code != broken {
			t.Errorf("%v: %+v", args, r)
		}
		r := streamcert(t, body, append(args, "--config", config+".none")...)
		if r.Code != 2 || !strings.Contains(r.Errs, ".none") {
			t.Errorf("%v: %+v", args, r)
		}
	}
}
