package stream

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/alter"
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
	"github.com/streamcert/streamcert/reference/store"
)

// unauthorized lists mutants that serve readers without the right credentials, or find streams that no client opened.
func unauthorized() []edit.Mutant {
	return []edit.Mutant{
		{Name: "ids-without-the-space-before", Requirement: "helix.security.isolation", Summary: "Spaces before an id are trimmed.",
			Also: []string{"helix.status.count", "helix.status.latest"},
			Apply: func(o reference.Options) reference.Options {
				read := o.StreamID
				o.StreamID = func(segment string) (string, error) {
					id, err := read(segment)
					return strings.TrimLeft(id, " "), err
				}
				return o
			}},
		{Name: "info-of-what-objects-inherit", Requirement: "helix.status.info-unknown",
			Summary: "Streams are members of a plain object, which has some that nobody made.",
			Apply: on.OnStore(func(inner store.Store, s *on.Store) {
				s.OnInfo = func(ctx context.Context, stream string) (store.Info, error) {
					info, err := inner.Info(ctx, stream)
					if err != nil && slices.Contains([]string{"constructor", "__proto__", "toString", "hasOwnProperty"}, stream) {
						return store.Info{Status: store.Active}, nil
					}
					return info, err
				}
			})},
		{Name: "who-resumes-is-known", Requirement: "helix.security.credential", Summary: "A reader that comes back has shown its credential before, and isn't asked again.",
			Wrap: knows(func(r *http.Request) bool { return r.Header.Get("Last-Event-ID") != "" })},
		{Name: "snapshots-for-everybody", Requirement: "helix.security.credential", Summary: "The route of snapshots was added behind the others, and asks for no credential.",
			Wrap: knows(func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/snapshot") })},
	}
}

// knows lets in requests that come without a credential, with the one that was shown first.
func knows(hit func(r *http.Request) bool) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		var shown alter.PerKey[string]
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			given := r.Header.Get("Authorization")
			shown.With("", func(first *string) {
				switch {
				case *first == "":
					*first = given
				case given == "" && hit(r):
					r = r.Clone(r.Context())
					r.Header.Set("Authorization", *first)
				}
			})
			next.ServeHTTP(w, r)
		})
	}
}

// credentials err with who may read.
func credentials() []edit.Mutant {
	return []edit.Mutant{
		{Name: "credential-behind-another-letter", Requirement: "helix.security.credential",
			Summary: "A credential is looked for anywhere in its header.",
			Wrap: signedIn(func(known, given, _ string) bool {
				_, token, _ := strings.Cut(known, " ")
				return token != "" && strings.HasSuffix(given, token)
			})},
		{Name: "credential-of-the-connection", Requirement: "helix.security.credential",
			Summary: "Who asks is found out once for each connection.",
			Wrap:    signedIn(func(known, _, connection string) bool { return known == connection })},
	}
}

// signedIn takes requests for those of the first user, if is matches the credential that this one showed, the given one,
// and the first that came on the connection.
func signedIn(is func(known, given, connection string) bool) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		var shown alter.PerKey[string] // by connection; of the first one that showed any by ""
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			given := r.Header.Get("Authorization")
			first := func(position string) (kept string) {
				shown.With(position, func(s *string) {
					if *s == "" {
						*s = given
					}
					kept = *s
				})
				return kept
			}
			if known := first(""); is(known, given, first(r.RemoteAddr)) {
				r = r.Clone(r.Context())
				r.Header.Set("Authorization", known)
			}
			next.ServeHTTP(w, r)
		})
	}
}
