package target

import (
	"net/url"
	"strings"
)

// routes are the addresses of a server's requests.
type routes struct {
	base      string            // every URL of the server's first address begins with it; no slash at its end
	templates map[string]string // paths by the names of their routes, where they differ from the default
}

// Path returns the template of a route, or the default of it, that the server has.
func (r *routes) Path(of Route) string {
	if s, ok := r.templates[of.Name]; ok {
		return s
	}
	return of.Template
}

// path replaces the placeholders in a route's template. pathValues are their values, by name without braces.
func (r *routes) path(of Route, pathValues map[string]string) string {
	path := r.Path(of)
	for name, value := range pathValues {
		path = strings.ReplaceAll(path, "{"+name+"}", EscapeSegment(value))
	}
	return path
}

// ofStream fills the template of a route with a stream id.
func (r *routes) ofStream(of Route, stream string) string {
	return r.path(of, map[string]string{"stream": stream})
}

// controlPath returns the path of a control call, which is given relative to the control prefix.
func (r *routes) controlPath(path string) string { return r.Path(ControlPrefix()) + path }

// template makes a path readable again: the ids become their names.
func (r *routes) template(path string) string {
	parts := strings.Split(r.controlPath(path), "/")
	for i := 1; i < len(parts); i++ {
		switch parts[i-1] {
		case "streams":
			parts[i] = "{stream}"
		case "writers":
			parts[i] = "{writer}"
		case "runs":
			parts[i] = "{run}"
		}
	}
	return strings.Join(parts, "/")
}

// StreamURL returns the URL of a stream at a route.
func (r *routes) StreamURL(of Route, stream string) string { return r.base + r.ofStream(of, stream) }

// Origin returns the Origin header that a page of the server itself sends, such as http://127.0.0.1:8080.
func (r *routes) Origin() string {
	at, err := url.Parse(r.base)
	if err != nil { // New has read it
		return ""
	}
	return at.Scheme + "://" + at.Host
}
