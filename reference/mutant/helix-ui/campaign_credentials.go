package helixui

import (
	"bytes"
	"io"
	"net/http"
	"strings"

	"github.com/streamcert/streamcert/reference/alter"
)

// signedIn takes requests for those of the first user, if is matches the credential that this one showed and the given one.
func signedIn(is func(r *http.Request, known, given string) bool) alter.Around {
	var shown alter.PerKey[string]
	return alter.OnRequests(alter.Any, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		given, known := r.Header.Get("Authorization"), ""
		shown.With("", func(first *string) {
			if *first == "" {
				*first = given
			}
			known = *first
		})
		if is(r, known, given) {
			r = r.Clone(r.Context())
			r.Header.Set("Authorization", known)
		}
		next.ServeHTTP(w, r)
	})
}

// repaired changes the bodies of messages before they are read.
func repaired(from, to string) alter.Around {
	posts := func(r *http.Request) bool { return r.Method == http.MethodPost && !alter.IsControl(r) }
	return alter.OnRequests(posts, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil { // who sent it has gone
			panic(http.ErrAbortHandler)
		}
		alter.SetBody(r, bytes.ReplaceAll(body, []byte(from), []byte(to)))
		next.ServeHTTP(w, r)
	})
}

// credentials lists mutants that err on the authorization of requests and readers, and on invalid requests.
func credentials() []Mutant {
	return []Mutant{
		{Name: "credentials-begin-right", Requirement: "helix-ui.requests.credential",
			Summary: "A credential is compared up to the length of the right one.",
			Wrap: signedIn(func(_ *http.Request, known, given string) bool {
				return known != "" && strings.HasPrefix(given, known)
			})},
		{Name: "credentials-end-right", Requirement: "helix-ui.requests.credential",
			Summary: "A credential is looked for at the end of its header.",
			Wrap: signedIn(func(_ *http.Request, known, given string) bool {
				_, token, _ := strings.Cut(known, " ")
				return token != "" && strings.HasSuffix(given, token)
			})},
		{Name: "who-comes-back-is-known", Requirement: "helix-ui.requests.credential",
			Summary: "A reader that comes back has shown its credential before, and isn't asked again.",
			Wrap: signedIn(func(r *http.Request, _, given string) bool {
				return given == "" && r.Header.Get("Last-Event-ID") != ""
			})},
		{Name: "histories-for-everybody", Requirement: "helix-ui.requests.credential",
			Summary: "The route of the history was added behind the others, and asks for no credential.",
			Wrap: signedIn(func(r *http.Request, _, _ string) bool {
				return strings.HasSuffix(r.URL.Path, "/messages")
			})},
		{Name: "numbers-that-are-none", Requirement: "helix-ui.requests.refused",
			Summary: "A request with NaN in it is read, as a lenient parser does.",
			Wrap:    repaired(":NaN}", ":0}")},
		{Name: "messages-by-number", Requirement: "helix-ui.requests.refused",
			Summary: "Messages that are an object are read as its members, as a form has them.",
			Wrap:    repaired(`{"messages": {"0": {"id": "user-1", "role": "user", "parts": [{"type": "text", "text": "words"}]}}}`, `{"messages": [{"id": "user-1", "role": "user", "parts": [{"type": "text", "text": "words"}]}]}`)},
	}
}
