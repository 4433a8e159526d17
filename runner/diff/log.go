package diff

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
)

const changeLogFile = "CHANGELOG.md"

// section is the section of the change log on the new version.
type section struct {
	there   bool             // the change log has one on the version
	first   bool             // it is the first of all versions
	text    string           // Markdown
	classes map[string]Class // of ids, as the lists of the section have them; an id may end with *
}

// changeLog reads the section of the new version. A list in it names the requirements of a class:
//
//   - breaking for servers: `<pack>.resume.complete`, `<pack>.wire.*`
func (r *Report) changeLog() (section, error) {
	s := section{classes: map[string]Class{}}
	if !r.after.there {
		return s, nil
	}
	data, err := fs.ReadFile(r.after.source.Files, r.file(changeLogFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, fmt.Errorf("reading the change log: %w", err)
	}
	var lines []string
	headings := 0
	inside := false
	for line := range strings.Lines(strings.ReplaceAll(string(data), "\r\n", "\n")) {
		if version, ok := strings.CutPrefix(strings.TrimSpace(line), "## "); ok {
			headings++
			if inside = version == r.New.Number; inside {
				s.there, s.first = true, headings == 1
			}
			continue
		}
		if inside {
			lines = append(lines, strings.TrimRight(line, "\n"))
		}
	}
	s.text = strings.TrimSpace(strings.Join(lines, "\n"))
	class := None
	for _, line := range lines {
		if item, ok := strings.CutPrefix(line, "- "); ok {
			class = None
			for _, c := range Classes() {
				if strings.HasPrefix(strings.ToLower(item), string(c)+":") {
					class = c
				}
			}
		} else if !strings.HasPrefix(line, "  ") {
			class = None
		}
		for _, span := range codeSpan.FindAllString(line, -1) {
			if class != None {
				s.classes[strings.Trim(span, "`")] = class
			}
		}
	}
	return s, nil
}

// class returns the class that the section lists for an id, exactly or by a pattern; None if it doesn't list the id.
func (s section) class(id string) Class {
	if c, ok := s.classes[id]; ok {
		return c
	}
	for pattern, c := range s.classes {
		if prefix, ok := strings.CutSuffix(pattern, "*"); ok && strings.HasPrefix(id, prefix) {
			return c
		}
	}
	return None
}

// names reports whether the section speaks of an id.
func (s section) names(id string) bool {
	return s.class(id) != None || strings.Contains(s.text, "`"+id+"`")
}

// declared takes the class of the change log for changes whose class no rule determines.
func (r *Report) declared(log section) {
	for i := range r.Changed {
		for j := range r.Changed[i].Changes {
			c := &r.Changed[i].Changes[j]
			if class := log.class(r.Changed[i].ID); c.Undecided && class != None {
				c.Class, c.Undecided = class, false
				c.Why = "as the change log says"
			}
		}
	}
}

// logged compares the change log with the classes of the changes.
func (r *Report) logged(log section) []string {
	name := r.file(changeLogFile)
	switch {
	case r.Class == None || !r.before.there || !r.after.there:
		return nil
	case !log.there:
		return []string{fmt.Sprintf("%s: no heading ## %s", name, r.New.Number)}
	case log.text == "":
		return []string{fmt.Sprintf("%s: nothing stands below ## %s; say what changed", name, r.New.Number)}
	case !log.first:
		return []string{fmt.Sprintf("%s: ## %s isn't the first version; the newest stands on top", name, r.New.Number)}
	}
	var out []string
	for _, item := range r.Changed {
		class := log.class(item.ID)
		switch {
		case item.ID == "" || item.Class == Editorial && class == None || class == item.Class:
		case class == None:
			out = append(out, fmt.Sprintf("%s: %s is %s, and no list below ## %s has it; write: - %s: `%s`", name, item.ID, item.Class, r.New.Number, item.Class, item.ID))
		default:
			out = append(out, fmt.Sprintf("%s: %s is %s, and is listed as %s", name, item.ID, item.Class, class))
		}
	}
	return out
}

// WriteChangeLog prints the lists that the change log needs, to be pasted below the heading of the new version.
func (r *Report) WriteChangeLog(w io.Writer) error {
	var b strings.Builder
	for _, class := range slices.Backward(Classes()) {
		var ids []string
		for _, item := range r.Changed {
			if item.ID != "" && item.Class == class && class != Editorial {
				ids = append(ids, "`"+item.ID+"`")
			}
		}
		if len(ids) == 0 {
			continue
		}
		line := "- " + string(class) + ":"
		for i, id := range ids {
			if i < len(ids)-1 {
				id += ","
			}
			if len(line)+1+len(id) > 120 {
				fmt.Fprintln(&b, line)
				line = " "
			}
			line += " " + id
		}
		fmt.Fprintln(&b, line)
	}
	return written(w, b.String())
}
