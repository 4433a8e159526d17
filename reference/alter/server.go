package alter

import (
	"net/http"
	"reflect"
	"strings"
)

// Server is a reference server with something around it.
type Server struct {
	http.Handler
	inner Closer
}

// Closer is a reference server.
type Closer interface {
	http.Handler
	Close() // ends every response that is open
}

// NewServer returns a server whose handler wrap has wrapped; nil leaves it.
func NewServer(inner Closer, wrap Around) *Server {
	s := &Server{Handler: inner, inner: inner}
	if wrap != nil {
		s.Handler = wrap(inner)
	}
	return s
}

// Close ends every response that is open.
func (s *Server) Close() { s.inner.Close() }

// All applies several changes to the options O of a server, one after the other.
func All[O any](changes ...func(O) O) func(O) O {
	return func(o O) O {
		for _, change := range changes {
			o = change(o)
		}
		return o
	}
}

// Replaced lists the fields of a struct in which two values differ, in lower case and in the order of their declaration.
func Replaced[O any](before, after O) []string {
	var names []string
	a, b := reflect.ValueOf(before), reflect.ValueOf(after)
	for i := range a.NumField() {
		if !same(a.Field(i), b.Field(i)) {
			names = append(names, strings.ToLower(a.Type().Field(i).Name))
		}
	}
	return names
}

// same compares two values of one option. Functions can't be compared; their code can, and a decorator's code is never
// that of a default. Of a map and a list it is the identity that counts.
func same(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Func, reflect.Map, reflect.Slice:
		return a.Pointer() == b.Pointer()
	case reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return a.Elem().Type() == b.Elem().Type() && same(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	}
	return a.Equal(b)
}
