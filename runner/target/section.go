package target

import (
	"net/url"
	"strings"
)

// Section is the part of a config that a pack defines: the routes of its requests, and a section of keys that only the pack
// reads.
type Section struct {
	Name string // of the pack, and of the section
	Doc  string // of the section, without a capital and a full stop
	// New returns a pointer to a tagged struct into which the section is parsed; nil for a pack without keys. A struct
	// that contains credentials implements [Principals].
	New    func() any
	Routes []Route // of the requests of the pack
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

// EscapeSegment percent-encodes a stream id as one path segment. Unlike
// url.PathEscape it leaves no dot segment that a client or proxy could resolve.
func EscapeSegment(s string) string {
	if s == "." || s == ".." {
		return strings.ReplaceAll(s, ".", "%2E")
	}
	return url.PathEscape(s)
}
