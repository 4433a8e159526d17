package golden

import (
	"fmt"
	"regexp"
	"strings"
)

// LineChange describes a change of one line between two versions of a transcript. What is the same for equal changes of
// other lines, such as "member `date` removed". Example shows the line.
type LineChange struct {
	Requirement string // of the transcript
	What        string // equal for equal changes of other lines
	Example     string // one such line
}

// Changes lists what changed between two versions of a file, line by line. A transcript that only one of them has is one
// change. Payloads are compared by their members, so that one member in many events is one kind of change.
func Changes(old, now File) []LineChange {
	var out []LineChange
	before, after := titled(old), titled(now)
	for _, key := range before.keys {
		a := before.byKey[key]
		b, there := after.byKey[key]
		if !there {
			out = append(out, LineChange{Requirement(a.Name), "a transcript is gone", a.Title})
			continue
		}
		out = append(out, changes(a, b)...)
	}
	for _, key := range after.keys {
		if _, there := before.byKey[key]; !there {
			b := after.byKey[key]
			out = append(out, LineChange{Requirement(b.Name), "a transcript is new", b.Title})
		}
	}
	return out
}

// titles are the transcripts of a file by name and title.
type titles struct {
	keys  []string // in the order of the file
	byKey map[string]Transcript
}

func titled(f File) titles {
	t := titles{byKey: map[string]Transcript{}}
	for _, one := range f.Transcripts {
		key := Requirement(one.Name) + "\x00" + one.Title
		for i := 2; t.byKey[key].Name != ""; i++ {
			key = fmt.Sprintf("%s\x00%s\x00%d", Requirement(one.Name), one.Title, i)
		}
		t.keys = append(t.keys, key)
		t.byKey[key] = one
	}
	return t
}

func changes(old, now Transcript) []LineChange {
	if old.Name == now.Name && Equal(old, now) == "" {
		return nil
	}
	var out []LineChange
	say := func(example, format string, args ...any) {
		out = append(out, LineChange{Requirement(now.Name), fmt.Sprintf(format, args...), example})
	}
	edits := script(splitText(Format(File{[]Transcript{withoutChoices(old)}})), splitText(Format(File{[]Transcript{withoutChoices(now)}})))
	for i := 0; i < len(edits); {
		if edits[i].op == ' ' {
			i++
			continue
		}
		var removed, added []string
		for ; i < len(edits) && edits[i].op != ' '; i++ {
			if edits[i].op == '-' {
				removed = append(removed, edits[i].text)
			} else {
				added = append(added, edits[i].text)
			}
		}
		compareLines(removed, added, say)
	}
	return out
}

// compareLines compares each removed line with the added line at its position.
func compareLines(removed, added []string, say func(example, format string, args ...any)) {
	for len(removed) > 0 && len(added) > 0 && mark(removed[0]) == mark(added[0]) {
		was, is := payloads([]edit{{'-', removed[0]}}), payloads([]edit{{'+', added[0]}})
		if len(was) == 1 && len(is) == 1 {
			for _, d := range exactly(was[0], is[0]) {
				say(d.String(), "%s", memberChange(d))
			}
		} else {
			say(removed[0]+" → "+added[0], "%s changed", mark(removed[0]))
		}
		removed, added = removed[1:], added[1:]
	}
	for _, line := range removed {
		say(line, "%s removed", mark(line))
	}
	for _, line := range added {
		say(line, "%s added", mark(line))
	}
}

// memberChange describes the change of a member, at any index of an array.
func memberChange(d Difference) string {
	where := "`" + strings.TrimPrefix(index.ReplaceAllString(d.Where, "/*"), "/") + "`"
	switch {
	case d.Want == "":
		return "member " + where + " added"
	case d.Got == "":
		return "member " + where + " removed"
	}
	return "member " + where + " changed"
}

var index = regexp.MustCompile(`/\d+`)

// mark returns the kind of a line, without its content.
func mark(line string) string {
	head, _, _ := strings.Cut(line, ":")
	switch {
	case strings.HasPrefix(line, "> ") || strings.HasPrefix(line, "< "):
		if strings.Contains(line, ": ") {
			return "header `" + head[2:] + "` of a " + map[byte]string{'>': "request", '<': "response"}[line[0]]
		}
		return map[byte]string{'>': "request line", '<': "status"}[line[0]]
	case strings.HasPrefix(line, ">|"), strings.HasPrefix(line, "<|"):
		return map[byte]string{'>': "body of a request", '<': "body of an answer"}[line[0]]
	case strings.HasPrefix(line, "== "):
		return "line `" + line + "`"
	case line == "":
		return "blank line"
	case strings.HasPrefix(line, ":"):
		return "comment"
	}
	return "line `" + head + "`"
}
