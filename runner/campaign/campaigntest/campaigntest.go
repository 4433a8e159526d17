package campaigntest

import (
	"net"
	"net/http"
	"testing"

	"github.com/streamcert/streamcert/reference/restart"
	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/schemas"
)

// Serve starts a server over HTTP/1.1 and HTTP/2 without TLS. It returns a target of it, which has the config but for its
// URL, and what ends both.
func Serve(t testing.TB, h http.Handler, cfg target.Config) (*target.Target, func()) {
	t.Helper()
	return serve(t, h, cfg, target.Options{})
}

func serve(t testing.TB, h http.Handler, cfg target.Config, o target.Options) (*target.Target, func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: h, Protocols: new(http.Protocols)}
	srv.Protocols.SetHTTP1(true)
	srv.Protocols.SetUnencryptedHTTP2(true)
	done := make(chan struct{})
	go func() { defer close(done); _ = srv.Serve(l) }()
	cfg.URL = "http://" + l.Addr().String()
	tg, err := target.New(cfg, o)
	if err != nil {
		t.Fatal(err)
	}
	return tg, func() {
		tg.Close()
		_ = srv.Close()
		<-done
	}
}

// ServeLives is Serve for a server that is killed and started again over one disk.
func ServeLives(t testing.TB, host *restart.Host, cfg target.Config) (*target.Target, func()) {
	t.Helper()
	tg, stop := Serve(t, host, cfg)
	tg.RunsAs(host)
	return tg, func() {
		host.Close()
		stop()
	}
}

// Judge has a judge look at every response by the schemas of a pack.
func Judge(t testing.TB, pack string, by judge.Judge) campaign.Judge {
	t.Helper()
	set, err := schemas.Load(schemas.FS, pack)
	if err != nil {
		t.Fatal(err)
	}
	return func(e *record.Exchange) ([]record.Finding, map[string]int) {
		return judge.Exchange(by, judge.Options{Schemas: set}, e)
	}
}
