package lint

import (
	"bufio"
	"bytes"
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/streamcert/streamcert/spec"
)

// leftFile lists, inside the specification, how often a pack may still have a phrase: a line each with the pack, the number
// and the phrase. A phrase without a line may not occur. The numbers only fall.
const leftFile = "wording.txt"

// evasions are phrases that hide the actor or the noun of a sentence.
var evasions = []string{
	"affair", "anybody", "behind", "counts", "heard", "nobody", "ours", "right, too", "somebody", "tell", "tells", "told",
	"what", "whatever", "whoever",
}

var (
	evasion = regexp.MustCompile(`(?i)\b(?:` + strings.Join(evasions, "|") + `)\b`)
	fences  = regexp.MustCompile("(?ms)^```.*?^```$")
)

// left is a line of leftFile.
type left struct {
	line   int
	pack   string
	phrase string
	most   int
}

// wording: the sentence of a requirement and its prose name the actor and the thing.
func wording(t *tree) {
	if t.book == nil || t.partial() {
		return
	}
	all := readLeft(t)
	for _, p := range t.packs {
		uses := map[string][]spec.Requirement{}
		for _, q := range t.book.Pack(p.Name) {
			text := spans.ReplaceAllString(fences.ReplaceAllString(q.Sentence+"\n"+q.Why, ""), "``")
			for _, phrase := range evasion.FindAllString(strings.Join(strings.Fields(text), " "), -1) {
				phrase = strings.ToLower(phrase)
				uses[phrase] = append(uses[phrase], q)
			}
		}
		for _, phrase := range evasions {
			var l left
			if at := slices.IndexFunc(all, func(l left) bool { return l.pack == p.Name && l.phrase == phrase }); at >= 0 {
				l = all[at]
			}
			atMostLeft(t, l, p.Name, phrase, uses[phrase])
		}
	}
}

// atMostLeft reports the requirements that have a phrase, unless a line of leftFile lets the pack have as many, and a line
// whose number is too high. A pack without a line has the zero one.
func atMostLeft(t *tree, l left, pack, phrase string, uses []spec.Requirement) {
	const remedy = "use the noun, or the actor"
	switch {
	case len(uses) < l.most:
		t.report("wording", "spec/"+leftFile, l.line, "%s has %q %d times: lower the number, or delete the line", pack, phrase, len(uses))
	case len(uses) > l.most && l.most > 0:
		t.report("wording", "spec/"+leftFile, l.line, "%s has %q %d times, and %d may stay: %s", pack, phrase, len(uses), l.most, remedy)
	default:
		for _, q := range uses[l.most:] {
			t.report("wording", "spec/"+q.File, q.Line, "%s has %q: %s", q.ID, phrase, remedy)
		}
	}
}

// readLeft reads leftFile, without the lines that it reports.
func readLeft(t *tree) []left {
	data, err := fs.ReadFile(t.in.Spec, leftFile)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			t.report("wording", "spec/"+leftFile, 0, "%s", plain(err))
		}
		return nil
	}
	var out []left
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		report := func(format string, args ...any) { t.report("wording", "spec/"+leftFile, n, format, args...) }
		fields := strings.SplitN(lines.Text(), " ", 3)
		l := left{line: n}
		if len(fields) == 3 {
			l.pack, l.phrase = fields[0], fields[2]
			l.most, _ = strconv.Atoi(fields[1])
		}
		switch {
		case l.most < 1:
			report("expected a pack, a number above 0 and a phrase")
		case !slices.ContainsFunc(t.packs, func(p *pack) bool { return p.Name == l.pack }):
			report("there is no pack %s", l.pack)
		case !slices.Contains(evasions, l.phrase):
			report("%q is not in the list of lint", l.phrase)
		case slices.ContainsFunc(out, func(o left) bool { return o.pack == l.pack && o.phrase == l.phrase }):
			report("%s %q has a line already", l.pack, l.phrase)
		default:
			out = append(out, l)
		}
	}
	return out
}
