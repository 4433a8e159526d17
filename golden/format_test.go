package golden

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func sample(t testing.TB) File {
	t.Helper()
	b, err := fs.ReadFile(FS, "testdata/transcripts/resume.txt")
	if err != nil {
		t.Fatal(err)
	}
	f, err := Parse("testdata/transcripts/resume.txt", b)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestSampleRoundTrips(t *testing.T) {
	b, err := fs.ReadFile(FS, "testdata/transcripts/resume.txt")
	if err != nil {
		t.Fatal(err)
	}
	f := sample(t)
	if diff := cmp.Diff(string(b), string(Format(f))); diff != "" {
		t.Errorf("formatting what was parsed (-want +got):\n%s", diff)
	}
	e := f.Transcripts[1].Exchanges
	if len(e) != 2 || len(e[0].Alternatives) != 1 || e[0].End != StillOpen || e[1].Status != 201 || len(e[1].Also) != 1 {
		t.Errorf("parsed %+v", e)
	}
	if got := len(f.Transcripts[0].Exchanges[0].Frames); got != 5 {
		t.Errorf("parsed %d frames, want 5", got)
	}
}

// frameText formats a transcript with one frame, and returns the lines of the frame.
func frameText(frame string) string {
	b := Format(File{[]Transcript{{Name: "n", Exchanges: []Exchange{{Heading: "h", Status: 200, Frames: [][]byte{[]byte(frame)}}}}}})
	return strings.TrimPrefix(string(b), "# n\n== h\n< 200\n")
}

func TestFrames(t *testing.T) {
	for _, c := range []struct{ name, frame, want string }{
		{"plain", "data: x\n\n", "data: x\n\n"},
		{"carriage returns", "data: x\r\n\r\n", "data: x\\<CR>\n\\<CR>\n"},
		{"lone carriage returns", "data: x\r\r", "data: x\\<CR>\\<CR>\\<end>\n"},
		{"no blank line", "data: x\n", "data: x\n\\<end>\n"},
		{"cut", "data: x", "data: x\\<end>\n"},
		{"nothing", "", "\\<end>\n"},
		{"a blank line alone", "\n", "\\<>\n\\<end>\n"},
		{"blank lines first", "\n\ndata: x\n\n", "\\<>\n\\<>\ndata: x\n\n"},
		{"blank line within", "id: 1\n\ndata: x\n\n", "id: 1\n\\<>\ndata: x\n\n"},
		{"byte order mark", "\ufeffdata: x\n\n", "\\<BOM>data: x\n\n"},
		{"marks", "== x\n> x\n< x\n# x\n? x\n\n", "\\<>== x\n\\<>> x\n\\<>< x\n\\<># x\n\\<>? x\n\n"},
		{"a mark that is cut", "=", "\\<>=\\<end>\n"},
		{"an escape's look", `data: \<CR>` + "\n\n", `data: \<5c><CR>` + "\n\n"},
		{"JSON's backslashes", `data: "\\\"\n"` + "\n\n", `data: "\\\"\n"` + "\n\n"},
		{"not UTF-8", "data: \xff\x00\x1b\t\n\n", `data: \<ff>\<NUL>\<1b>\<TAB>` + "\n\n"},
		{"space at the end", "data: x  \n\n", "data: x \\<20>\n\n"},
		{"unseen characters", "data: a\u200db\u00a0\u2028é日\n\n", `data: a\<U+200D>b\<U+00A0>\<U+2028>é日` + "\n\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, frameText(c.frame)); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			f, err := Parse("x", []byte("# n\n== h\n< 200\n"+c.want))
			if err != nil {
				t.Fatal(err)
			}
			if got := string(f.Transcripts[0].Exchanges[0].Frames[0]); got != c.frame {
				t.Errorf("parsed %q, want %q", got, c.frame)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", `x:1: expected "# name · title", found end of file`},
		{"no title", "== h\n", `x:1: expected "# name · title", found "== h"`},
		{"no line end", "# n\n== h", `x:2: expected a line end, found end of file`},
		{"windows", "# n\r\n== h\r\n", `x:1: expected "# n\\<CR>", found "# n\r"`},
		{"no exchange", "# n\n> GET /\n", `x:2: expected "== heading", or a blank line before the next transcript, found "> GET /"`},
		{"end first", "# n\n== server closes\n", `x:2: expected "== heading", found "== server closes"`},
		{"status", "# n\n== h\n< 2OO\n", `x:3: expected a status like "< 200" or "< 200 | 204", found "< 2OO"`},
		{"status spelt otherwise", "# n\n== h\n< 0200\n", `x:3: expected "< 200", found "< 0200"`},
		{"header", "# n\n== h\n< 200\n< allow\n", `x:4: expected "< name: value", found "< allow"`},
		{"frame open", "# n\n== h\n< 200\ndata: x\n== server closes\n", `x:5: expected the blank line that ends the frame, or \<end>, found "== server closes"`},
		{"frame cut", "# n\n== h\n< 200\ndata: x\n", `x:5: expected the blank line that ends the frame, or \<end>, found end of file`},
		{"escape", "# n\n== h\n< 200\ndata: \\<XX>\n\n", `x:4: expected an escape like \<CR>, found "data: \\<XX>"`},
		{"escape in heading", "# n\n== h\\<nul>\n", `x:2: expected an escape like \<CR>, found "== h\\<nul>"`},
		{"end in heading", "# n\n== h\\<end>\n", `x:2: expected \<end> only in a frame, found "== h\\<end>"`},
		{"after the end of a frame", "# n\n== h\ndata\\<end>x\n", `x:3: expected nothing after \<end>, found "data\\<end>x"`},
		{"needless escape", "# n\n== \\<41>\n", `x:2: expected "== A", found "== \\<41>"`},
		{"blank line last", "# n\n== h\n\n", `x:4: expected "# name · title", found end of file`},
		{"two blank lines", "# n\n\n\n# m\n", `x:3: expected "# name · title", found ""`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("x", []byte(c.text))
			var parseError *ParseError
			if !errors.As(err, &parseError) {
				t.Fatalf("got error %v, want a *ParseError", err)
			}
			if diff := cmp.Diff(c.want, err.Error()); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

// TestAnyFileRoundTrips writes files with content that is hard to write, and reads them back.
func TestAnyFileRoundTrips(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of transcripts")
	}
	pieces := []string{"", "a", "-", " ", "  ", ":", ": ", "=", "== ", "==", "> ", ">|", "<|", "< ", "# ", "? ", "\n", "\n\n", "\r", "\r\n",
		"\x00", "\t", "\\", `\<`, `\<>`, `\<end>`, `\<CR>`, ">", " · ", " | ", "\ufeff", "\u200b", "é", "\xff", "\xc3", "·", ServerCloses, StillOpen, "data: x"}
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range r.IntN(4) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	many := func(add func()) {
		for range r.IntN(3) {
			add()
		}
	}
	headers := func() (h []Header) {
		many(func() { h = append(h, Header{text(), text()}) })
		return h
	}
	ends := []string{"", ServerCloses, ClientCloses, ConnectionReset, StillOpen}
	response := func() (a Alternative) {
		a = Alternative{Status: r.IntN(3) * 100, ResponseHeaders: headers(), Answer: []byte(text()), End: ends[r.IntN(len(ends))]}
		many(func() { a.Also = append(a.Also, r.IntN(600)) })
		many(func() { a.Frames = append(a.Frames, []byte(text()+text())) })
		return a
	}
	for range 1_500 {
		f := File{Transcripts: []Transcript{{Name: text(), Title: text()}, {Name: text(), Title: text()}}}
		for i := range f.Transcripts {
			many(func() {
				e := Exchange{Heading: text(), Method: text(), Path: text(), Headers: headers(), Body: []byte(text())}
				e.answered(response())
				many(func() {
					a := response()
					a.Reason = text()
					e.Alternatives = append(e.Alternatives, a)
				})
				f.Transcripts[i].Exchanges = append(f.Transcripts[i].Exchanges, e)
			})
		}
		b := Format(f)
		back, err := Parse("x", b)
		if err != nil {
			t.Fatalf("parsing: %v\n%s", err, b)
		}
		if diff := cmp.Diff(f, back, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("round trip (-want +got):\n%s\n%s", diff, b)
		}
	}
}
