package target

import (
	"maps"
	"reflect"
	"strings"

	"github.com/streamcert/streamcert/runner/target/config"
)

// Section is the part of a config that a pack defines: the routes of its requests, and a section of keys that only the pack
// reads.
type Section struct {
	Name string // of the pack, and of the section
	Doc  string // of the section, without a capital and a full stop
	// New returns a pointer to a tagged struct into which the section is parsed; nil for a pack without keys. A struct
	// that contains credentials implements [Principals].
	New    func() any
	Routes []Route
	// Starters are configs for servers that are made with public software.
	Starters []Starter
}

// Starter is a config that `streamcert init` writes when its flag is set.
type Starter struct {
	Flag string // without dashes
	Doc  string // of the flag
	Text string // of the config, without the line that names the schema to editors
}

// Route is the path of a kind of request.
type Route struct {
	Name string // its key in the section routes
	// Template is the path below the base URL unless the config states another.
	Template    string
	Placeholder string // placeholder that every template must contain, "" for none
	Doc         string // purpose, without a capital and a full stop
}

// ControlPrefix returns the route that prefixes every route of the control binding.
func ControlPrefix() Route {
	return Route{Name: "control", Template: "/control", Doc: "what every route of the control binding begins with"}
}

// User selects the credential of a request: that of one of the users below, or of one that a section names.
type User string

// The users that every pack has.
const (
	First         User = ""                        // the config's headers
	Anonymous     User = "nobody"                  // without any credential
	WrongToken    User = "wrong token"             // with an invalid credential instead of the right one
	LongToken     User = "long token"              // with a credential that begins with the right one and is longer
	ShortToken    User = "short token"             // with the beginning of the right one
	CaseToken     User = "case token"              // with the letters of the right one in the other case
	PrefixedToken User = "late token"              // with something before the right one
	TokenElse     User = "token of another scheme" // which begins with the right one
	TokenAlone    User = "token without a scheme"  // likewise
)

// Nearly returns the users whose credential resembles the right one and isn't it.
func Nearly() []User {
	return []User{LongToken, ShortToken, PrefixedToken, CaseToken, TokenElse, TokenAlone}
}

// Principals returns the headers of users in addition to the first one. They are sent instead of the config's headers.
type Principals interface {
	Principals() map[User]map[string]string
}

// SectionOf returns the target's config section of type T, with defaults for the keys that it doesn't set.
func SectionOf[T any](t *Target) T {
	var out T
	for _, section := range t.cfg.Sections {
		if v, ok := reflect.Indirect(reflect.ValueOf(section)).Interface().(T); ok {
			out = v
		}
	}
	config.SetDefaults(&out)
	return out
}

// Path returns the template of a route, or the default of it, that the server has.
func (t *Target) Path(r Route) string {
	if s, ok := t.cfg.Routes[r.Name]; ok {
		return s
	}
	return r.Template
}

// path replaces the placeholders in a route's template. pathValues are their values, by name without braces.
func (t *Target) path(r Route, pathValues map[string]string) string {
	path := t.Path(r)
	for name, value := range pathValues {
		path = strings.ReplaceAll(path, "{"+name+"}", EscapeSegment(value))
	}
	return path
}

// ofStream fills the template of a route with a stream id.
func (t *Target) ofStream(r Route, stream string) string {
	return t.path(r, map[string]string{"stream": stream})
}

// Sets reports whether the config gives requests a header of a name, in whichever case.
func (t *Target) Sets(name string) bool {
	for own := range t.cfg.Headers {
		if strings.EqualFold(own, name) {
			return true
		}
	}
	return false
}

// headersOf returns the headers that authenticate a user.
func (t *Target) headersOf(as User) map[string]string {
	switch as {
	case First:
		return t.cfg.Headers
	case Anonymous:
		return nil
	case WrongToken:
		return wrong(t.cfg.Headers)
	case LongToken:
		out := map[string]string{}
		for name, v := range t.cfg.Headers {
			out[name] = v + "x"
		}
		return out
	case ShortToken:
		return changed(t.cfg.Headers, func(word string) string { return word[:2*len(word)/3] })
	case CaseToken:
		return changed(t.cfg.Headers, otherCase)
	case PrefixedToken:
		return changed(t.cfg.Headers, func(word string) string { return "x" + word })
	case TokenElse:
		return recast(t.cfg.Headers, func(_, word string) string { return "Token " + word + "x" })
	case TokenAlone:
		return recast(t.cfg.Headers, func(_, word string) string { return word + "x" })
	}
	for _, section := range t.cfg.Sections {
		if p, ok := section.(Principals); ok {
			if headers, named := p.Principals()[as]; named {
				return headers
			}
		}
	}
	return nil
}

// Signs reports whether requests of a user carry a credential.
func (t *Target) Signs(as User) bool { return len(t.headersOf(as)) > 0 }

// Showing returns the headers that authenticate a user, instead of Credentials; empty if there are none.
func (t *Target) Showing(as User) map[string]string { return maps.Clone(t.headersOf(as)) }

// credential is the minimum length of a word that counts as a credential.
const credential = 8

// Shows reports whether a text contains the credential of a user's Authorization header, without its scheme if it has one.
func (t *Target) Shows(as User, text string) bool {
	for name, v := range t.headersOf(as) {
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
