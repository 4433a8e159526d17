package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/spec"
)

// bound lists, for each role that a requirement may have, the words that its sentence may have as subject. A pack uses
// those of them that its table of roles explains.
var bound = map[string][]string{
	spec.RoleServer: {"server", "runtime"},
	spec.RoleReader: {"reader", "client"},
	spec.RoleKit:    {"kit"},
}

var (
	// binds matches the keyword of a sentence; Load accepts only sentences with exactly one.
	binds = regexp.MustCompile(`\b(?:MUST|SHOULD|MAY)\b`)
	// spans matches code, whose commas and keywords don't belong to the sentence.
	spans = regexp.MustCompile("`[^`]*`")
	// subjects matches an article and a noun where a clause begins.
	subjects = regexp.MustCompile(`(?:^|[,;:] (?:and |or |but |then |so )?)(?i:a|an|the|each|every|no|any|another) ([a-z-]+)`)
	// qualifies matches the text between a subject and its keyword: none, or a qualification of the subject.
	qualifies = regexp.MustCompile(`^(?: |, [^,]+, | (?:that|which|who|whose|with|without|of|to|in|on|at|for|from|behind) (?:[^,]*|[^,]*,[^,]*, ))$`)
)

// actors: the subject of a binding sentence is one that the pack's table of roles explains. A sentence about a frame
// doesn't say who is responsible for it, and may demand something that no server can satisfy.
func actors(t *tree) {
	if t.book == nil {
		return
	}
	for _, p := range t.packs {
		roles := t.book.Roles(p.Name)
		if len(roles) == 0 {
			// One problem in place of one for each sentence.
			if slices.Contains(t.book.Packs(), p.Name) {
				t.report("actor", "spec/"+p.Name+"/README.md", 0, "the pack %s has no table of roles: expected one below the heading \"Roles\"", p.Name)
			}
			continue
		}
		for _, q := range t.book.Pack(p.Name) {
			if q.Withdrawn != "" || !binds.MatchString(spans.ReplaceAllString(q.Sentence, "")) {
				continue // it has no keyword, which spec reports if it needs one
			}
			words := slices.DeleteFunc(slices.Clone(bound[q.Role]), func(word string) bool {
				return !slices.ContainsFunc(roles, func(r spec.Role) bool { return r.Name == word })
			})
			switch {
			case len(words) == 0:
				t.report("actor", "spec/"+q.File, q.Line, "%s binds the role %s, which the table of roles of %s has no word for", q.ID, q.Role, p.Name)
			case !slices.Contains(words, subject(q.Sentence)):
				t.report("actor", "spec/"+q.File, q.Line, "%s doesn't say whom it binds: expected the subject \"A %s\" before %s",
					q.ID, strings.Join(words, `" or "A `), q.Level)
			}
		}
	}
}

// subject returns the noun that the keyword of a sentence belongs to, "" if there is none.
func subject(sentence string) string {
	text := spans.ReplaceAllString(sentence, "``")
	at := binds.FindStringIndex(text)
	if at == nil {
		return ""
	}
	text = text[:at[0]]
	found := subjects.FindAllStringSubmatchIndex(text, -1)
	if found == nil {
		return ""
	}
	last := found[len(found)-1]
	if !qualifies.MatchString(text[last[3]:]) {
		return ""
	}
	return text[last[2]:last[3]]
}
