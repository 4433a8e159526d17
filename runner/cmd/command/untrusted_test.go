package command

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestUnreachableServers: each pack explains why there was no answer, with a remedy.
func TestUnreachableServers(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	for _, pack := range testApp().packs.Names() {
		streamcert(t, "", "certify", "--pack", pack, "--target", closedAddress(t)).OneLine(t, failed, "connection refused; is the server running, and target.url right?")
		streamcert(t, "", "certify", "--pack", pack, "--target", server.URL).OneLine(t, failed, "failed to verify certificate", "tls.ca", "tls.insecure")
	}
	streamcert(t, "", "probe", "--target", server.URL).OneLine(t, failed, "failed to verify certificate", "tls.ca", "tls.insecure")
	streamcert(t, "", "observe", server.URL).OneLine(t, failed, "failed to verify certificate", "; -k trusts any certificate")
}
