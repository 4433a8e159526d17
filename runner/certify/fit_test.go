package certify_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/model"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// offersStrict returns a proxy before a provider: it makes requests offer tools whose schema accepts only {"fitted": …}.
func offersStrict(t *testing.T, address string) string {
	t.Helper()
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	var tools []any
	for _, name := range []string{"find_route", "clock", "find_customer", "find_ship", "book", "pay", "tool-0", "tool-1", "tool-2"} {
		tools = append(tools, map[string]any{"type": "function", "function": map[string]any{"name": name, "parameters": map[string]any{
			"type": "object", "properties": map[string]any{"fitted": map[string]any{"type": "boolean"}}, "required": []string{"fitted"}, "additionalProperties": false,
		}}})
	}
	proxy := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: at.Scheme, Host: at.Host})
		body, _ := io.ReadAll(r.In.Body)
		var request map[string]any
		if strings.HasSuffix(r.In.URL.Path, "/chat/completions") && json.Unmarshal(body, &request) == nil {
			request["tools"] = tools
			body, _ = json.Marshal(request)
		}
		r.Out.Body, r.Out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Out.Header.Del("Content-Length")
	}}
	return certifytest.Serve(t, http.HandlerFunc(proxy.ServeHTTP)) + at.Path
}

// TestArgumentsThatASchemaAccepts: the model gives tools of any schema arguments that they accept, and a server that sends
// these on is right.
func TestArgumentsThatASchemaAccepts(t *testing.T) {
	t.Parallel()
	for _, pack := range []string{"aep", "helix"} {
		t.Run(pack, func(t *testing.T) {
			t.Parallel()
			schemaAccepts(t, pack)
		})
	}
}

// schemaAccepts certifies the reference server of a pack behind offersStrict.
func schemaAccepts(t *testing.T, pack string) {
	player, err := provider.Start(provider.Options{Key: "key-of-the-test"})
	if err != nil {
		t.Fatal(err)
	}
	defer player.Close()
	client := model.New(offersStrict(t, player.URL()), player.Key())
	defer client.Close()
	o := certifytest.Options()
	o.Model = client
	h := reference.New(o)
	defer h.Close()
	cfg := certifytest.Config(certifytest.Serve(t, h))
	cfg.Model = target.Model{Listen: "127.0.0.1:0", Key: player.Key(), Player: player, Tools: true, Only: true}
	tg, err := target.New(cfg, target.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tg.Close()
	res, err := certify.Run(t.Context(), certifytest.Load(t, pack), certify.Options{Target: tg, Seed: 1, Effort: campaign.Standard, Record: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range res.Report.Requirements {
		if q.Verdict == report.Fail || q.Verdict == report.Warn || strings.HasPrefix(q.ID, pack+".tools.arguments") && q.Verdict != report.Pass {
			t.Errorf("%s: %s %s %v", q.ID, q.Verdict, q.Reason, q.Findings)
		}
	}
	fitted := 0
	for _, row := range res.Report.Scenarios {
		for _, x := range row.Exchanges {
			frames, err := x.Frames.Bytes()
			fitted += strings.Count(string(frames), "fitted")
			if err != nil {
				t.Error(err)
			}
		}
	}
	if fitted == 0 {
		t.Error("the model gave no arguments that the schema accepts")
	}
}
