//go:build unix

package lab

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestProxiesOfTheEnvironment: observe and view send requests through the proxy of HTTP_PROXY, certify and probe don't. It
// keeps SECURITY.md true.
func TestProxiesOfTheEnvironment(t *testing.T) {
	requests := make(chan string, 1000)
	proxy := served(t, io.NopCloser(nil), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case requests <- r.Host:
		default:
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	const server = "http://server.invalid" // Go uses no proxy for addresses of this machine
	for _, c := range []struct {
		line    []string
		proxied bool
	}{
		{[]string{"observe", server + "/streams/s/events"}, true},
		{[]string{"view", server + "/streams/s/events"}, true},
		{[]string{"probe", "--target", server}, false},
		{[]string{"certify", "--target", server, "--pack", "helix"}, false},
	} {
		cmd := program(c.line...)
		cmd.Env = append(slices.DeleteFunc(cmd.Env, func(v string) bool { return strings.HasPrefix(strings.ToUpper(v), "NO_PROXY=") }), "HTTP_PROXY="+proxy)
		text, err := cmd.CombinedOutput()
		if err == nil {
			t.Errorf("%s ends with 0: %.500s", c.line[0], text)
		}
		proxied := false
		for len(requests) > 0 {
			proxied = <-requests == "server.invalid" || proxied
		}
		if proxied != c.proxied {
			t.Errorf("%s uses the proxy: %t, want %t: %.500s", c.line[0], proxied, c.proxied, text)
		}
	}
}
