package runner_test

import (
	"bufio"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// dialectFile lists words that newcomers have to guess, a line each: the word, and how often it may stand in declared names
// and in doc comments. The numbers only fall: a commit that uses a plain word instead of one of these lowers its number.
const dialectFile = "testdata/dialect.txt"

// dialect reads dialectFile: how often each word may stand.
func dialect(t *testing.T) map[string]int {
	t.Helper()
	f, err := os.Open(dialectFile)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	out := map[string]int{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var word string
		var most int
		if _, err := fmt.Sscan(lines.Text(), &word, &most); err != nil {
			t.Fatalf("%s: %q: expected a word and a number", dialectFile, lines.Text())
		}
		out[word] = most
	}
	return out
}

// parts splits an identifier or a file name at its capitals, digits and signs, in lower case.
func parts(name string) []string {
	var b strings.Builder
	before := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && !unicode.IsUpper(before) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before = r
	}
	return strings.FieldsFunc(strings.ToLower(b.String()), func(r rune) bool { return !unicode.IsLetter(r) })
}

// declared returns the names that a file declares outside function bodies, with that of the file without its ending, and its
// doc comments.
func declared(s source) (names, docs []string) {
	names = append(names, strings.TrimSuffix(strings.TrimSuffix(path.Base(s.name), ".go"), "_test"), s.file.Name.Name)
	doc := func(groups ...*ast.CommentGroup) {
		for _, g := range groups {
			if g != nil {
				docs = append(docs, g.Text())
			}
		}
	}
	doc(s.file.Doc)
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			names = append(names, n.Name.Name)
			doc(n.Doc)
			return false
		case *ast.GenDecl:
			doc(n.Doc)
		case *ast.TypeSpec:
			names = append(names, n.Name.Name)
			doc(n.Doc, n.Comment)
		case *ast.ValueSpec:
			for _, name := range n.Names {
				names = append(names, name.Name)
			}
			doc(n.Doc, n.Comment)
		case *ast.Field:
			for _, name := range n.Names {
				names = append(names, name.Name)
			}
			doc(n.Doc, n.Comment)
		case *ast.FuncLit:
			return false
		}
		return true
	})
	return names, docs
}

// dialectUses counts the words of a list in declared names and doc comments.
func dialectUses(sources []source, words map[string]int) map[string]int {
	out := map[string]int{}
	for word := range words {
		out[word] = 0
	}
	count := func(all []string) {
		for _, word := range all {
			if _, listed := words[word]; listed {
				out[word]++
			}
		}
	}
	for _, s := range sources {
		names, docs := declared(s)
		for _, name := range names {
			count(parts(name))
		}
		for _, doc := range docs {
			count(strings.FieldsFunc(strings.ToLower(doc), func(r rune) bool { return !unicode.IsLetter(r) }))
		}
	}
	return out
}

// TestDialectFalls: no word of the list is used more often than its number allows, and a number is lowered with the last use.
func TestDialectFalls(t *testing.T) {
	most := dialect(t)
	uses := dialectUses(moduleSources(t), most)
	if diff := cmp.Diff(most, uses); diff != "" {
		total := 0
		var b strings.Builder
		for _, word := range slices.Sorted(maps.Keys(uses)) {
			fmt.Fprintf(&b, "%s %d\n", word, uses[word])
			total += uses[word]
		}
		t.Errorf("uses of words that have to be guessed (- may be, + are; %d in all). Where there are more, use the field's word; where there are fewer, lower the numbers of %s:\n%s\n%s", total, dialectFile, diff, b.String())
	}
}

func TestDialectUses(t *testing.T) {
	sources, err := readSources(fstest.MapFS{"kids/torn_test.go": {Data: []byte(`// Package kids holds kids.
package kids

// Kid is torn.
type Kid struct {
	aKid, kidney int // of a kid
}

func (Kid) KidsOf() { kid := 1; _ = kid }
`)}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"kid": 4, "kids": 4, "torn": 2, "said": 0}
	if diff := cmp.Diff(want, dialectUses(sources, want)); diff != "" {
		t.Error(diff)
	}
}

// evasive matches a doc comment that describes a thing by a clause instead of a noun, or refers to the sentence before it.
var evasive = regexp.MustCompile(`^\w+ (?:is|are) what\b|\b(?:does|do), too\.`)

// mostEvasive is how many doc comments evasive may match. It only falls.
const mostEvasive = 0

// TestDocCommentsSayWhat: a doc comment names the thing, since a reader has only that.
func TestDocCommentsSayWhat(t *testing.T) {
	var found []string
	for _, s := range moduleSources(t) {
		_, docs := declared(s)
		for _, doc := range docs {
			if evasive.MatchString(doc) {
				found = append(found, fmt.Sprintf("%s: %s", s.name, strings.TrimSpace(doc)))
			}
		}
	}
	if len(found) != mostEvasive {
		t.Errorf("%d doc comments say what a thing is by a clause, expected %d, a number that only falls:\n%s", len(found), mostEvasive, strings.Join(found, "\n"))
	}
}
