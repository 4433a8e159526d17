package httpserver

import (
	"errors"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Local returns why a request may be one that a web page made a browser send, nil where it can't be. A page of another
// origin sends its Origin; one whose name was made to lead here sends that name as its Host. JSON from another origin needs
// the server's leave first, which is the server's to give. known reports whether a public name is one of the server; nil: none is.
func Local(r *http.Request, known func(name string) bool) error {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	for _, origin := range r.Header.Values("Origin") {
		if u, err := url.Parse(origin); kind != "application/json" && (err != nil || !strings.EqualFold(u.Host, r.Host)) {
			return errors.New("requests from pages of another origin are refused")
		}
	}
	if !private(r.Host) && (known == nil || !known(hostname(r.Host))) {
		return errors.New("requests need an address or a name of this network as their Host")
	}
	return nil
}

// private reports whether a Host is an address or a name that can't be registered: localhost, one without a dot, or one of
// a domain that only local networks have.
func private(host string) bool {
	name := hostname(host)
	if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil || !strings.Contains(name, ".") {
		return true
	}
	return slices.ContainsFunc([]string{".localhost", ".internal", ".local", ".test"}, func(domain string) bool {
		return strings.HasSuffix(name, domain)
	})
}

// hostname returns a Host without its port, in lower case.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}
