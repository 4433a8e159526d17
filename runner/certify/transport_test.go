package certify_test

import (
	"crypto/tls"
	"crypto/x509"
	"net/http/httptest"
	"testing"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/runner/certify/certifytest"
	"github.com/streamcert/streamcert/runner/target"
)

// TestTransports certifies the reference server over TLS, once with HTTP/1.1 and
// once with HTTP/2 for every request.
func TestTransports(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("two runs of the whole suite")
	}
	suite := certifytest.Load(t, "helix")
	for _, c := range []struct {
		name  string
		http2 bool
	}{{"HTTP/1.1 over TLS", false}, {"HTTP/2 over TLS", true}} {
		t.Run(c.name, func(t *testing.T) {
			ref := reference.New(certifytest.Options())
			defer ref.Close()
			srv := httptest.NewUnstartedServer(ref)
			srv.EnableHTTP2 = true
			srv.StartTLS()
			defer srv.Close()
			roots := x509.NewCertPool()
			roots.AddCert(srv.Certificate())
			res := certifytest.Run(t, suite, certifytest.Config(srv.URL), target.Options{TLS: &tls.Config{RootCAs: roots, ClientSessionCache: tls.NewLRUClientSessionCache(16), CurvePreferences: []tls.CurveID{tls.X25519}}, HTTP2: c.http2})
			certifytest.MustPass(t, res)
			if c.http2 {
				for _, n := range res.Report.Notes {
					t.Errorf("over HTTP/2 the transcript differs: %+v", n)
				}
			}
		})
	}
}
