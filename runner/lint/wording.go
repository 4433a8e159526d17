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

const (
	// leftFile lists, inside the specification, how often a pack may still have a phrase: a line each with the pack, the
	// number and the phrase. A phrase without a line may not occur. The numbers only fall.
	leftFile = "wording.txt"
	// tableElsewhere is the phrase under which leftFile lists the sentences that tables reports.
	tableElsewhere = "the table"
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
			t.atMost(p.Name, phrase, uses[phrase], `has "`+phrase+`"`, "use the noun, or the actor")
		}
	}
}

// atMost reports the requirements that have a phrase, unless leftFile lets the pack have as many, and a number of leftFile
// that is too high.
func (t *tree) atMost(pack, phrase string, uses []spec.Requirement, problem, remedy string) {
	var l left
	if at := slices.IndexFunc(t.left, func(l left) bool { return l.pack == pack && l.phrase == phrase }); at >= 0 {
		l = t.left[at]
	}
	switch {
	case len(uses) < l.most:
		t.report("wording", "spec/"+leftFile, l.line, "%s has %q %d times: lower the number, or delete the line", pack, phrase, len(uses))
	case len(uses) > l.most && l.most > 0:
		t.report("wording", "spec/"+leftFile, l.line, "%s has %q %d times, and %d may stay: %s", pack, phrase, len(uses), l.most, remedy)
	default:
		for _, q := range uses[l.most:] {
			t.report("wording", "spec/"+q.File, q.Line, "%s %s: %s", q.ID, problem, remedy)
		}
	}
}

// readLeft reads leftFile, without the lines that it reports.
func (t *tree) readLeft() []left {
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
		case l.phrase != tableElsewhere && !slices.Contains(evasions, l.phrase):
			report("%q is not in the list of lint", l.phrase)
		case slices.ContainsFunc(out, func(o left) bool { return o.pack == l.pack && o.phrase == l.phrase }):
			report("%s %q has a line already", l.pack, l.phrase)
		default:
			out = append(out, l)
		}
	}
	return out
}
