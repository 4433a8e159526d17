package excerpt

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// goldens is a file with two transcripts, the second of two exchanges.
var goldens = fstest.MapFS{"toy/echo/calling.txt": {Data: []byte("# toy.echo.same · Calling a\n" +
	"== somebody calls\n> GET /a\n< 200\n<| a\n\n" +
	"# toy.echo.same · Calling b\n" +
	"== somebody calls\n> GET /b\n< 200\n<| b\n== somebody waits\n> GET /c\n< 204\n")}}

const marker = "<!-- wire: golden/toy/echo/calling.txt § "

func TestUpdate(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		problems         []Problem
	}{
		{"no place", "# Echo\n\n```http\nx\n```\n", "", nil},
		{"right", marker + "Calling a -->\n```http\n== somebody calls\n> GET /a\n< 200\n<| a\n```\n<!-- /wire -->\n", "", nil},
		{"nothing yet", "A.\n\n" + marker + "Calling b § somebody waits -->\n<!-- /wire -->\n\nB.\n",
			"A.\n\n" + marker + "Calling b § somebody waits -->\n```http\n== somebody waits\n> GET /c\n< 204\n```\n<!-- /wire -->\n\nB.\n",
			[]Problem{{3, "the block differs from the golden: run `make golden`"}}},
		{"drifted", marker + "Calling b -->\n```http\n== somebody calls\n> GET /a\n```\n<!-- /wire -->\n",
			marker + "Calling b -->\n```http\n== somebody calls\n> GET /b\n< 200\n<| b\n== somebody waits\n> GET /c\n< 204\n```\n<!-- /wire -->\n",
			[]Problem{{1, "the block differs from the golden: run `make golden`"}}},
		{"no end", marker + "Calling a -->\n", "", []Problem{{1, "the place has no <!-- /wire -->"}}},
		{"no title", "<!-- wire: golden/toy/echo/calling.txt -->\n<!-- /wire -->\n", "",
			[]Problem{{1, `the place is "golden/toy/echo/calling.txt", expected golden/<file> § <title> [§ <heading>]`}}},
		{"no golden", "<!-- wire: golden/toy/echo/lost.txt § Calling a -->\n<!-- /wire -->\n", "",
			[]Problem{{1, "reading golden toy/echo/lost.txt: open toy/echo/lost.txt: file does not exist"}}},
		{"no transcript", marker + "Calling c -->\n<!-- /wire -->\n", "",
			[]Problem{{1, `golden/toy/echo/calling.txt has no transcript "Calling c"`}}},
		{"no exchange", marker + "Calling a § somebody waits -->\n<!-- /wire -->\n", "",
			[]Problem{{1, `the transcript "Calling a" of golden/toy/echo/calling.txt has no exchange "somebody waits"`}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := c.want
			if want == "" {
				want = c.text
			}
			got, problems := Update(goldens, c.text)
			if diff := cmp.Diff(want, got) + cmp.Diff(c.problems, problems); diff != "" {
				t.Error(diff)
			}
			if again, _ := Update(goldens, got); again != got {
				t.Errorf("a second update changes the text again:\n%s", again)
			}
		})
	}
}

func TestCountMarkers(t *testing.T) {
	if got := CountMarkers("a\n" + marker + "Calling a -->\n" + marker + "Calling b -->\n"); got != 2 {
		t.Errorf("got %d places, expected 2", got)
	}
}
