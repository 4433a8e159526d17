package servers

import (
	"net/http"
	"slices"

	"github.com/streamcert/streamcert/runner/prove/listed"
)

// List is the servers of several packs.
type List []Pack

// of finds those of a pack; the zero value if there are none.
func (l List) of(pack string) Pack {
	if i := slices.IndexFunc(l, func(p Pack) bool { return p.Name == pack }); i >= 0 {
		return l[i]
	}
	return Pack{}
}

// Has reports whether a pack is listed.
func (l List) Has(pack string) bool { return l.of(pack).New != nil }

// Altered returns names and words of the altered servers of a pack, none where it isn't listed.
func (l List) Altered(pack string) (listed.Servers, error) {
	if p := l.of(pack); p.Altered != nil {
		return listed.Read(p.Altered)
	}
	return listed.Servers{}, nil
}

// Sections returns the config sections of the packs for servers with these settings.
func (l List) Sections(s Settings) []any {
	var out []any
	for _, p := range l {
		if p.Sections != nil {
			out = append(out, p.Sections(s)...)
		}
	}
	return out
}

// Reference makes a server that serves every pack of the list.
func (l List) Reference(s Settings) Server {
	all := &joined{}
	for _, p := range l {
		all.parts = append(all.parts, part{p.Serves, p.New(s)})
	}
	return all
}

// joined serves several packs, each at its paths.
type joined struct{ parts []part }

type part struct {
	serves func(path string) bool
	Server
}

// ServeHTTP implements http.Handler.
func (j *joined) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.EscapedPath()
	for _, p := range j.parts {
		if p.serves != nil && p.serves(path) {
			p.ServeHTTP(w, r)
			return
		}
	}
	for _, p := range j.parts {
		if p.serves == nil {
			p.ServeHTTP(w, r)
			return
		}
	}
	http.NotFound(w, r)
}

// Close ends every open response, and returns when none is left.
func (j *joined) Close() {
	for _, p := range j.parts {
		p.Close()
	}
}
