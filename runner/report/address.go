package report

import (
	"strings"

	"github.com/streamcert/streamcert/schemas"
)

// Address returns the URL of a requirement on the public site, "" for an id that has no pack and no chapter.
func Address(id string) string {
	parts := strings.Split(id, ".")
	if len(parts) != 3 {
		return ""
	}
	return schemas.Site + parts[0] + "/" + parts[1] + ".html#" + id
}

// Read returns the two ways to a requirement that need no checkout: the command that explains it, and its page.
func Read(id string) string { return "streamcert explain " + id + ", or " + Address(id) }
