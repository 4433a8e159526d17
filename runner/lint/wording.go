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

// The phrases of sentences and prose; code blocks and tables of prose are left out.
var (
	evasion = regexp.MustCompile(`(?i)\b(?:` + strings.Join(evasions, "|") + `)\b`)
	fences  = regexp.MustCompile("(?ms)^```.*?^```$")
	// grants matches a freedom that prose gives to the actor of a rule.
	grants = regexp.MustCompile(`\b(?:A|The) (?:server|runtime|reader|client) (?:may|needn't)\b|\bIt (?:may|needn't)\b|\b(?:is|are) (?:free|accepted)\b|\bis (?:allowed|legal)\b|\beither\b`)
	// excepts matches an exception or a freedom of a sentence, or an actor that is only one of several.
	excepts = regexp.MustCompile(`\b(?:except|unless|if|may|or)\b|^An? (?:server|runtime|reader|client|kit) that\b`)
	rows    = regexp.MustCompile(`(?m)^\|.*$`)
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

// freedoms: prose under a MUST grants no freedom if the sentence has none, since only the sentence binds.
func freedoms(t *tree) {
	if t.book == nil || t.partial() {
		return
	}
	for _, p := range t.packs {
		for _, q := range t.book.Pack(p.Name) {
			if !q.Level.Mandatory() || q.Withdrawn != "" || excepts.MatchString(spans.ReplaceAllString(q.Sentence, "``")) {
				continue
			}
			prose := rows.ReplaceAllString(fences.ReplaceAllString(q.Why, ""), "")
			if found := grants.FindString(strings.Join(strings.Fields(prose), " ")); found != "" {
				t.report("freedom", "spec/"+q.File, q.Line, "the prose of %s grants a freedom (%q), and its sentence has none: move it there", q.ID, found)
			}
		}
	}
}
