package excerpt

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/golden"
)

const (
	begin = "<!-- wire:"
	end   = "<!-- /wire -->"
	fence = "```"
)

// Problem is an excerpt that can't be shown, or differs from its golden.
type Problem struct {
	Line    int // of the comment, from 1
	Message string
}

// Update returns a Markdown text with every excerpt as it is in the golden, and the problems of the text before. goldens is
// rooted at the folder of the goldens. If an excerpt isn't found, the text stays as it is.
func Update(goldens fs.FS, text string) (string, []Problem) {
	var out strings.Builder
	var problems []Problem
	lines := strings.SplitAfter(text, "\n")
	for i := 0; i < len(lines); i++ {
		out.WriteString(lines[i])
		of, ok := strings.CutPrefix(strings.TrimSpace(lines[i]), begin)
		if !ok {
			continue
		}
		report := func(format string, args ...any) {
			problems = append(problems, Problem{Line: i + 1, Message: fmt.Sprintf(format, args...)})
		}
		length := slices.IndexFunc(lines[i+1:], func(l string) bool { return strings.TrimSpace(l) == end })
		if length < 0 {
			report("the place has no %s", end)
			continue
		}
		piece, err := find(goldens, strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(of), "-->")))
		if err != nil {
			report("%s", err)
			continue
		}
		if wanted := fence + "http\n" + piece + fence + "\n"; strings.Join(lines[i+1:i+1+length], "") != wanted {
			report("the block differs from the golden: run `make golden`")
			out.WriteString(wanted)
			i += length
		}
	}
	return out.String(), problems
}

// CountMarkers counts the markers of a Markdown text.
func CountMarkers(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), begin) {
			n++
		}
	}
	return n
}

// find gives the piece of a golden that a marker names, without the line that names its transcript.
func find(goldens fs.FS, of string) (string, error) {
	parts := strings.Split(of, " § ")
	name, inGolden := strings.CutPrefix(parts[0], "golden/")
	if len(parts) < 2 || len(parts) > 3 || !inGolden {
		return "", fmt.Errorf("the place is %q, expected golden/<file> § <title> [§ <heading>]", of)
	}
	file, err := golden.Read(goldens, name)
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(file.Transcripts, func(t golden.Transcript) bool { return t.Title == parts[1] })
	if at < 0 {
		return "", fmt.Errorf("%s has no transcript %q", parts[0], parts[1])
	}
	shown := file.Transcripts[at]
	if len(parts) == 3 {
		// A heading that occurs twice selects the first one.
		one := slices.IndexFunc(shown.Exchanges, func(x golden.Exchange) bool { return x.Heading == parts[2] })
		if one < 0 {
			return "", fmt.Errorf("the transcript %q of %s has no exchange %q", parts[1], parts[0], parts[2])
		}
		shown.Exchanges = shown.Exchanges[one : one+1]
	}
	_, piece, _ := bytes.Cut(golden.Format(golden.File{Transcripts: []golden.Transcript{shown}}), []byte("\n"))
	return string(piece), nil
}
