package lint

import (
	"path"
	"slices"

	"github.com/streamcert/streamcert/spec"
)

// idleFolder is reported as the file of an idle server, which is code.
const idleFolder = "reference/idle"

// idleServers: every idle server has a unique name, and each subject that it never shows is that of a requirement of its
// pack which a run can prove.
func idleServers(t *tree) {
	if t.book == nil {
		return
	}
	names := map[string]bool{}
	for _, server := range t.in.Idle {
		report := func(format string, args ...any) { t.report("idle", idleFolder, 0, format, args...) }
		if server.Name == "" || names[server.Pack+" "+server.Name] {
			report("the name %q is empty or belongs to two idle servers", server.Name)
		}
		names[server.Pack+" "+server.Name] = true
		if len(server.Never) == 0 {
			report("%s names no subject that it never shows", server.Name)
		}
		for _, pattern := range server.Never {
			matches := func(q spec.Requirement) bool {
				ok, err := path.Match(pattern, q.ID) // ids have no slash, so a star spans dots
				return ok && err == nil && q.Testable()
			}
			if !slices.ContainsFunc(t.book.Pack(server.Pack), matches) {
				report("%s never shows %q, which no testable requirement of pack %s is called", server.Name, pattern, server.Pack)
			}
		}
	}
}
