package request

import (
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// Local refuses requests that a web page can make a browser send to a local server: a body without a JSON content type, an Origin
// of another site, and, unless the request has a required token, a Host that is neither an address, nor a name of this
// machine, nor a known one. Errors are *Error.
func Local(r *http.Request, known func(name string) bool, token bool) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); r.ContentLength != 0 && (err != nil || kind != "application/json") {
		return &Error{http.StatusUnsupportedMediaType, "a body needs the Content-Type application/json"}
	}
	for _, origin := range r.Header.Values("Origin") {
		if u, err := url.Parse(origin); err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
			return &Error{http.StatusForbidden, "control calls from pages of another origin are refused"}
		}
	}
	if !token && !isLocal(r.Host, known) {
		return &Error{http.StatusForbidden, "control calls need an address or a known name as their Host; see --allow-host and --control-token"}
	}
	return nil
}

// isLocal reports whether a Host can't be a name that another party resolves to this machine.
func isLocal(host string, known func(name string) bool) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil {
		return true
	}
	return known(name)
}
