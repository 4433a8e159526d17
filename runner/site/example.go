package site

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/golden"
)

// example is a recording that the playground offers.
type example struct{ Title, Text string }

// shown matches the comment by which the overview names an exchange of a golden; the others match placeholders of goldens,
// which a recording can't contain.
var (
	shown      = regexp.MustCompile(`<!-- wire: golden/(([^/]+)/\S+) § ([^§]+?)(?: § ([^§]+?))? -->`)
	quotedTime = regexp.MustCompile(`"\{ts(\d+)[^}"]*\}"`)
	bareTime   = regexp.MustCompile(`\{ts(\d+)[^}"]*\}`)
	aName      = regexp.MustCompile(`\{([a-zA-Z]+\d*)\}`)
)

// examples takes of each pack the first exchange that the overview shows: as it is, and with its last two events the other
// way round, so that something follows the end.
func (b *book) examples() []example {
	var out []example
	overview := string(b.docs["README.md"].source)
	for _, p := range b.packs {
		name := p.Suite.Pack.Name
		for _, m := range shown.FindAllStringSubmatch(overview, -1) {
			file, err := golden.Read(p.Suite.Files.Golden, m[1])
			if m[2] != name || err != nil {
				continue
			}
			frames := recorded(file, m[3], m[4])
			if len(frames) < 2 {
				continue
			}
			out = append(out, example{name + ": a stream that ends", strings.Join(frames, "")})
			broken := slices.Clone(frames)
			n := len(broken)
			broken[n-1], broken[n-2] = broken[n-2], broken[n-1]
			out = append(out, example{name + ": an event after the end", strings.Join(broken, "")})
			break
		}
	}
	return out
}

// recorded gives the frames of one exchange with values instead of placeholders.
func recorded(file golden.File, title, heading string) []string {
	for _, t := range file.Transcripts {
		for _, x := range t.Exchanges {
			if t.Title != title || heading != "" && x.Heading != heading || len(x.Frames) == 0 {
				continue
			}
			var out []string
			for _, f := range x.Frames {
				text := quotedTime.ReplaceAllStringFunc(string(f), func(s string) string {
					return fmt.Sprintf(`"2026-01-01T00:00:00.%03sZ"`, quotedTime.FindStringSubmatch(s)[1])
				})
				text = bareTime.ReplaceAllString(text, "17672256000${1}")
				out = append(out, aName.ReplaceAllString(text, "${1}-1"))
			}
			return out
		}
	}
	return nil
}
