package helixui

import (
	"maps"
	"net/http"
	"strings"

	helixui "github.com/streamcert/streamcert/reference/helix-ui"
)

// treated err with texts that a formatter reads, and with readers that leave again and again.
func treated() []Mutant {
	return []Mutant{
		{Name: "dollar-signs-of-the-history", Requirement: "helix-ui.history.whole", Stateful: true,
			Summary: "A text of the history is put into a template by a replacement, in which two dollar signs are one.",
			Apply: func(o helixui.Options) helixui.Options {
				o.History = func(all []helixui.Message) []helixui.Message {
					for i := range all {
						for j, p := range all[i].Parts {
							if p.Type() == "text" {
								all[i].Parts[j] = maps.Clone(p)
								all[i].Parts[j]["text"] = strings.ReplaceAll(p.Text("text"), "$$", "$")
							}
						}
					}
					return all
				}
				return o
			}},
		{Name: "fifty-readers-leave", Requirement: "helix-ui.resume.goes-on", Stateful: true,
			Summary: "A chat has room for fifty readers that come back, and those who leave never make any.",
			Wrap: func(next http.Handler) http.Handler {
				var left counts
				return returning(true, func(next http.Handler, w http.ResponseWriter, r *http.Request) {
					if left.seen(r.URL.Path) >= 50 {
						<-r.Context().Done()
						return
					}
					next.ServeHTTP(w, r)
					if r.Context().Err() != nil {
						left.next(r.URL.Path)
					}
				})(next)
			}},
	}
}

// seen is how often a key was counted.
func (c *counts) seen(key string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.of[key]
}
