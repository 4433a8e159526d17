package diff

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// wording describes a change of a sentence and its effect on the requirement. text is "" if the sentence didn't change.
type wording struct {
	effect effect // same if text is ""
	text   string
}

// worded compares two sentences without their keyword. negative reports that they forbid. Only some changes of words show
// their effect: a number in a bound, a clause that makes an exception or a condition, one that demands more. All others are
// unclear.
func worded(old, now string, negative bool) wording {
	before, after := words(old), words(now)
	if slices.Equal(before, after) {
		return wording{}
	}
	if slices.Equal(meanings(before), meanings(after)) {
		return wording{same, fmt.Sprintf("other words for the same, %q", strings.TrimSpace(now))}
	}
	var effects []effect
	var said []string
	for _, s := range spans(before, after) {
		effects = append(effects, s.effect(before, negative))
		said = append(said, s.String())
	}
	out := effects[0]
	for _, e := range effects[1:] {
		switch {
		case e == same || e == out:
		case out == same:
			out = e
		default:
			out = unclear
		}
	}
	return wording{out, strings.Join(said, "; ")}
}

var wordPattern = regexp.MustCompile("`[^`]*`|[\\pL\\pN][\\pL\\pN'’-]*(?:\\.[\\pN]+)?")

// words returns the words of a sentence, without its punctuation and emphasis; a code span is one word.
func words(sentence string) []string {
	var out []string
	for _, w := range wordPattern.FindAllString(strings.NewReplacer("*", "", "_", " ").Replace(spaced(sentence)), -1) {
		if !strings.HasPrefix(w, "`") {
			w = strings.ToLower(w)
		}
		out = append(out, w)
	}
	return out
}

// spaced replaces underscores and asterisks in code spans, where they are no emphasis, by other characters.
func spaced(sentence string) string {
	parts := strings.Split(sentence, "`")
	for i := 1; i < len(parts); i += 2 {
		parts[i] = strings.NewReplacer("_", "\x01", "*", "\x02").Replace(parts[i])
	}
	return strings.Join(parts, "`")
}

// meanings leaves out articles and maps words to one of those that mean the same.
func meanings(in []string) []string {
	alike := map[string]string{
		"each": "every", "all": "every", "which": "that", "can": "may", "cannot": "can't", "reply": "answer", "respond": "answer",
		"begins": "starts", "begin": "start", "ends": "finishes", "end": "finish", "isn't": "is-not", "onto": "on", "into": "in",
		"after": "behind", "upon": "on", "shows": "has", "holds": "has",
	}
	var out []string
	for _, w := range in {
		switch w {
		case "a", "an", "the", "then", "also", "of":
			continue
		}
		if to, ok := alike[w]; ok {
			w = to
		}
		out = append(out, w)
	}
	return out
}

// span is a position where two sentences differ: removed words, added ones, or both.
type span struct {
	at             int      // of the first removed word
	removed, added []string // words; at least one of both isn't empty
}

func (s span) String() string {
	removed, added := shown(s.removed), shown(s.added)
	switch {
	case removed == "":
		return "“" + added + "” is added"
	case added == "":
		return "“" + removed + "” is gone"
	}
	return "“" + added + "” in place of “" + removed + "”"
}

func shown(words []string) string {
	return strings.NewReplacer("\x01", "_", "\x02", "*").Replace(strings.Join(words, " "))
}

// spans returns the spans between the longest common subsequence of words.
func spans(old, now []string) []span {
	table := make([][]int, len(old)+1)
	for i := range table {
		table[i] = make([]int, len(now)+1)
	}
	for i := len(old) - 1; i >= 0; i-- {
		for j := len(now) - 1; j >= 0; j-- {
			if old[i] == now[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	var out []span
	open := false
	at := func(i int) *span {
		if !open {
			out, open = append(out, span{at: i}), true
		}
		return &out[len(out)-1]
	}
	i, j := 0, 0
	for i < len(old) || j < len(now) {
		switch {
		case i < len(old) && j < len(now) && old[i] == now[j]:
			i, j, open = i+1, j+1, false
		case j == len(now) || i < len(old) && table[i+1][j] >= table[i][j+1]:
			s := at(i)
			s.removed = append(s.removed, old[i])
			i++
		default:
			s := at(i)
			s.added = append(s.added, now[j])
			j++
		}
	}
	return out
}

// effect returns how the change of a span changes the requirement. before are the words of the old sentence; negative is true for
// a sentence that forbids.
func (s span) effect(before []string, negative bool) effect {
	switch {
	case slices.Equal(meanings(s.removed), meanings(s.added)):
		return same
	case len(s.removed) == 1 && len(s.added) == 1:
		return numbered(s, before, negative)
	case len(s.removed) == 0:
		return clause(s.added, negative)
	case len(s.added) == 0:
		return opposite(clause(s.removed, negative))
	}
	return unclear
}

// clause returns the effect of words that a sentence gains.
func clause(added []string, negative bool) effect {
	switch added[0] {
	case "unless", "except", "if", "when", "while", "where", "until", "as", "for", "from", "after", "before", "once", "to":
		return relaxed
	case "only", "exactly", "immediately", "always", "both", "without", "even", "at", "within", "in", "nor":
		return stricter
	case "or":
		if negative {
			return stricter
		}
		return relaxed
	case "and":
		return stricter
	}
	return unclear
}

// numbered returns the effect of another number in a bound.
func numbered(s span, before []string, negative bool) effect {
	old, err := strconv.ParseFloat(s.removed[0], 64)
	now, err2 := strconv.ParseFloat(s.added[0], 64)
	if err != nil || err2 != nil {
		return unclear
	}
	bound := strings.Join(before[max(0, s.at-3):s.at], " ")
	up := unclear // the effect of a higher number
	switch {
	case strings.HasSuffix(bound, "every"), strings.HasSuffix(bound, "within"), strings.HasSuffix(bound, "at most"), strings.HasSuffix(bound, "up to"),
		strings.HasSuffix(bound, "less than"), strings.HasSuffix(bound, "below"), strings.HasSuffix(bound, "no more than"):
		up = relaxed
	case strings.HasSuffix(bound, "at least"), strings.HasSuffix(bound, "more than"), strings.HasSuffix(bound, "above"), strings.HasSuffix(bound, "longer than"):
		up = stricter
	default:
		return unclear
	}
	// A prohibition above a number is a permission up to it.
	if negative != (now < old) {
		return opposite(up)
	}
	return up
}

// opposite returns the effect of the reverse change.
func opposite(e effect) effect {
	switch e {
	case relaxed:
		return stricter
	case stricter:
		return relaxed
	}
	return e
}
