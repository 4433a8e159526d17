package target

import (
	"maps"
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/runner/redact"
)

// credentials are the headers by which a server recognises users. They are secrets: nothing but a request carries them
// unredacted.
type credentials struct {
	headers      map[string]string // of the first user, sent with every request; nil where the server wants none
	controlToken string            // of control calls, "" for none
	sections     []any             // of the config: one that implements Principals names further users
	redactor     *redact.Redactor  // of all secrets of the config, made once: every header of every exchange is redacted
}

// headersOf returns the headers that authenticate a user.
func (c *credentials) headersOf(as User) map[string]string {
	switch as {
	case First:
		return c.headers
	case Anonymous:
		return nil
	case WrongToken:
		return wrong(c.headers)
	case LongToken:
		out := map[string]string{}
		for name, v := range c.headers {
			out[name] = v + "x"
		}
		return out
	case ShortToken:
		return changed(c.headers, func(word string) string { return word[:2*len(word)/3] })
	case CaseToken:
		return changed(c.headers, otherCase)
	case PrefixedToken:
		return changed(c.headers, func(word string) string { return "x" + word })
	case TokenElse:
		return recast(c.headers, func(_, word string) string { return "Token " + word + "x" })
	case TokenAlone:
		return recast(c.headers, func(_, word string) string { return word + "x" })
	}
	for _, section := range c.sections {
		if p, ok := section.(Principals); ok {
			if headers, named := p.Principals()[as]; named {
				return headers
			}
		}
	}
	return nil
}

// Sets reports whether the config gives requests a header of a name, in whichever case.
func (c *credentials) Sets(name string) bool {
	for own := range c.headers {
		if strings.EqualFold(own, name) {
			return true
		}
	}
	return false
}

// Signs reports whether requests of a user carry a credential.
func (c *credentials) Signs(as User) bool { return len(c.headersOf(as)) > 0 }

// Showing returns the headers that authenticate a user, instead of Credentials; empty if there are none.
func (c *credentials) Showing(as User) map[string]string { return maps.Clone(c.headersOf(as)) }

// credential is the minimum length of a word that counts as a credential.
const credential = 8

// Shows reports whether a text contains the credential of a user's Authorization header, without its scheme if it has one.
func (c *credentials) Shows(as User, text string) bool {
	for name, v := range c.headersOf(as) {
		word := v[strings.Index(v, " ")+1:]
		if strings.EqualFold(name, "Authorization") && len(word) >= credential && strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// changed changes the token of an Authorization with the scheme Bearer; none of the headers is left where there is no
// such token, or where it stays the same.
func changed(headers map[string]string, change func(word string) string) map[string]string {
	return recast(headers, func(scheme, word string) string { return scheme + " " + change(word) })
}

// recast returns headers in which say has rewritten a Bearer Authorization; nil if there is none, or if say changes nothing.
func recast(headers map[string]string, say func(scheme, word string) string) map[string]string {
	for name, v := range headers {
		scheme, word, _ := strings.Cut(v, " ")
		if strings.EqualFold(name, "Authorization") && strings.EqualFold(scheme, "Bearer") && say(scheme, word) != scheme+" "+word {
			out := maps.Clone(headers)
			out[name] = say(scheme, word)
			return out
		}
	}
	return nil
}

// otherCase returns a token with its letters in the other case, or as it is where they may be hexadecimal digits, as in a
// UUID: those are the same in both.
func otherCase(word string) string {
	if !strings.ContainsAny(strings.ToLower(word), "ghijklmnopqrstuvwxyz") {
		return word
	}
	if upper := strings.ToUpper(word); upper != word {
		return upper
	}
	return strings.ToLower(word)
}

// wrong replaces each credential by an invalid one and keeps the scheme before it.
func wrong(headers map[string]string) map[string]string {
	out := map[string]string{}
	for name, v := range headers {
		scheme, _, found := strings.Cut(v, " ")
		out[name] = "nobody-was-given-this"
		if found {
			out[name] = scheme + " " + out[name]
		}
	}
	return out
}

// sign adds the configured headers, but not those named in leave.
func (c *credentials) sign(req *http.Request, leave map[string]bool) {
	for name, v := range c.headers {
		if !leave[strings.ToLower(name)] && req.Header.Get(name) == "" {
			req.Header.Set(name, v)
		}
	}
}

// signAs adds the headers of a user.
func (c *credentials) signAs(req *http.Request, as User) {
	for name, v := range c.headersOf(as) {
		if req.Header.Get(name) == "" {
			req.Header.Set(name, v)
		}
	}
}

// RequestHeaders returns the configured headers. Their values are secrets.
func (c *credentials) RequestHeaders() map[string]string { return maps.Clone(c.headers) }

// Credentials returns the names of the configured headers in lower case.
func (c *credentials) Credentials() []string {
	var out []string
	for name := range c.headers {
		out = append(out, strings.ToLower(name))
	}
	return out
}

// HasControlToken reports whether the config has a token for control calls.
func (c *credentials) HasControlToken() bool { return c.controlToken != "" }

// Redact replaces every secret in s. Values too short to be secrets are left
// alone: replacing them would make nonsense of the text and hide nothing.
func (c *credentials) Redact(s string) string { return c.redactor.Redact(s) }
