package lint

import (
	"regexp"
	"strings"
)

// evasions are phrases that hide the actor or the noun of a sentence.
var evasions = []string{
	"affair", "anybody", "behind", "counts", "heard", "nobody", "ours", "right, too", "somebody", "tell", "tells", "told",
	"what", "whatever", "whoever",
}

var (
	evasion = regexp.MustCompile(`(?i)\b(?:` + strings.Join(evasions, "|") + `)\b`)
	fences  = regexp.MustCompile("(?ms)^```.*?^```$")
)

// wording: the sentence of a requirement and its prose name the actor and the thing.
func wording(t *tree) {
	if t.book == nil || t.partial() {
		return
	}
	for _, p := range t.packs {
		for _, q := range t.book.Pack(p.Name) {
			text := spans.ReplaceAllString(fences.ReplaceAllString(q.Sentence+"\n"+q.Why, ""), "``")
			for _, phrase := range evasion.FindAllString(strings.Join(strings.Fields(text), " "), -1) {
				t.report("wording", "spec/"+q.File, q.Line, "%s has %q: use the noun, or the actor", q.ID, strings.ToLower(phrase))
			}
		}
	}
}
