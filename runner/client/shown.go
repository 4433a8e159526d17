package client

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/redact"
	"github.com/streamcert/streamcert/runner/report"
)

// Hidden replaces redacted text.
const Hidden = redact.Mark

// telling are parts of names of query parameters whose values are secrets.
var telling = []string{"token", "key", "secret", "auth", "password", "sig", "session", "credential", "jwt"}

// maySecret reports whether the value of a query parameter may be a secret, by its name as the URL spells it.
func maySecret(name string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	name = strings.ToLower(strings.ToUpper(name)) // ſ is an s only in upper case
	return slices.ContainsFunc(telling, func(t string) bool { return strings.Contains(name, t) })
}

// Shown returns a URL without its password and without query values that may be
// secrets.
func Shown(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "the URL"
	}
	if u.User != nil {
		u.User = url.User(Hidden)
	}
	parts := strings.Split(u.RawQuery, "&")
	for i, part := range parts {
		name, _, has := strings.Cut(part, "=")
		if has && maySecret(name) {
			parts[i] = part[:len(name)] + "=" + Hidden
		}
	}
	u.RawQuery = strings.Join(parts, "&")
	return strings.ReplaceAll(u.String(), url.PathEscape(Hidden), Hidden)
}

// Secrets returns the parts of the request that no output may show: values of headers, the word after a scheme, the
// credential of the URL, and query values that may be secrets.
func (r Request) Secrets() []string {
	var out []string
	for name, values := range r.Header {
		if Public(name) {
			continue
		}
		for _, value := range values {
			_, token, _ := strings.Cut(value, " ")
			out = append(out, value, token)
		}
	}
	u, err := url.Parse(r.URL)
	if err != nil {
		return out
	}
	if u.User != nil {
		password, both := u.User.Password()
		out = append(out, password, u.User.String())
		if both {
			out = append(out, u.User.Username()+":"+password)
		} else {
			out = append(out, u.User.Username(), u.User.Username()+":")
		}
	}
	for name, values := range u.Query() {
		if maySecret(name) {
			out = append(out, values...)
		}
	}
	return out
}

// Redacted replaces every secret of the request in s.
func (r Request) Redacted(s string) string { return redact.New(r.Secrets()...).Redact(s) }

// Public reports whether the value of a request header can't be a secret.
func Public(name string) bool {
	switch strings.ToLower(name) {
	case "accept", "accept-encoding", "content-type", "cache-control", "last-event-id", "origin", "user-agent", "host":
		return true
	}
	return false
}

// Curl returns a command that sends the request, with the values of headers left out.
func (r Request) Curl(cursor *string) string {
	words := []string{"curl", "-N"}
	if r.Method != "" && r.Method != http.MethodGet {
		words = append(words, "-X", r.Method)
	}
	words = append(words, r.Flags()...)
	if cursor != nil {
		words = append(words, "-H", report.Shell("Last-Event-ID: "+*cursor))
	}
	return strings.Join(append(words, report.Shell(Shown(r.URL))), " ")
}

// Flags returns the headers and the body, for a shell, with secrets left out.
func (r Request) Flags() []string {
	var words []string
	if r.TLS != nil && r.TLS.InsecureSkipVerify {
		words = append(words, "-k")
	}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		for _, value := range r.Header[name] {
			if !Public(name) {
				value = Hidden
			}
			words = append(words, "-H", report.Shell(name+": "+value))
		}
	}
	if len(r.Body) > 0 {
		words = append(words, "-d", "@body")
	}
	return words
}
