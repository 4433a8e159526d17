package golden

import "strings"

// line is one line of a frame with the bytes that end it: LF, CRLF, CR, or nothing at the end of a truncated frame.
type line struct{ text, end string }

const bom = "\ufeff"

// splitLines cuts a frame into its lines; joined again they are the same bytes.
func splitLines(frame string) []line {
	var lines []line
	for frame != "" {
		i := strings.IndexAny(frame, "\r\n")
		if i < 0 {
			return append(lines, line{text: frame})
		}
		n := 1
		if strings.HasPrefix(frame[i:], "\r\n") {
			n = 2
		}
		lines = append(lines, line{frame[:i], frame[i : i+n]})
		frame = frame[i+n:]
	}
	return lines
}

func joinLines(lines []line) []byte {
	var b []byte
	for _, l := range lines {
		b = append(b, l.text...)
		b = append(b, l.end...)
	}
	return b
}

// field reads a line as a field of an event stream. A byte order mark before it is passed over.
func (l line) field() (name, val string) {
	name, val, _ = strings.Cut(strings.TrimPrefix(l.text, bom), ":")
	return name, strings.TrimPrefix(val, " ")
}

// prefix returns the text before the value of a field.
func (l line) prefix() string {
	_, val := l.field()
	if !strings.Contains(l.text, ":") {
		return l.text + ": "
	}
	return strings.TrimSuffix(l.text, val)
}

// withoutComments drops comment and retry lines, whose timing is free.
func withoutComments(lines []line) (kept []line, dropped bool) {
	for _, l := range lines {
		name, _ := l.field()
		free := strings.HasPrefix(l.text, ":") || name == "retry" && !strings.HasPrefix(l.text, bom)
		// Without the line, a lone CR before it would make one line end with a LF after it, and a blank line be gone.
		if free && (len(kept) == 0 || kept[len(kept)-1].end != "\r" || l.end == "\r") {
			dropped = true
			continue
		}
		kept = append(kept, l)
	}
	return kept, dropped
}

// parts returns the indexes of a frame's data lines, and whether it is one event: no line follows a blank one.
func parts(lines []line) (data []int, single bool) {
	single = true
	begun, blank := false, false // blank lines before the event end nothing
	for i, l := range lines {
		if l.text == "" {
			blank = begun
			continue
		}
		begun = true
		single = single && !blank
		if name, _ := l.field(); name == "data" {
			data = append(data, i)
		}
	}
	return data, single
}

func joinData(lines []line, data []int) string {
	values := make([]string, len(data))
	for i, at := range data {
		_, values[i] = lines[at].field()
	}
	return strings.Join(values, "\n")
}
