package golden

import (
	"strconv"
	"strings"
)

// Format writes a file of transcripts as text. Parse reads it back to the same value, if the file contains a transcript and
// each End is one of the words that FORMAT.md lists.
func Format(f File) []byte {
	var dst []byte
	for i, t := range f.Transcripts {
		if i > 0 {
			dst = append(dst, '\n')
		}
		dst = append(dst, "# "...)
		dst = appendWord(dst, t.Name, "")
		if t.Title != "" {
			dst = append(dst, " · "...)
			dst = appendEscaped(dst, t.Title)
		}
		dst = append(dst, '\n')
		for _, e := range t.Exchanges {
			dst = appendExchange(dst, e)
		}
	}
	return dst
}

func appendExchange(dst []byte, e Exchange) []byte {
	dst = append(dst, "=="...)
	if e.Heading != "" {
		dst = append(dst, ' ')
		if isEnd(e.Heading) {
			dst = append(dst, escNothing...)
		}
		dst = appendEscaped(dst, e.Heading)
	}
	dst = append(dst, '\n')
	if e.Method != "" || e.Path != "" || len(e.Headers) > 0 || len(e.Body) > 0 {
		dst = append(dst, "> "...)
		dst = appendWord(dst, e.Method, "")
		dst = append(dst, ' ')
		dst = appendWord(dst, e.Path, "")
		dst = append(dst, '\n')
		dst = appendHeaders(dst, "> ", e.Headers)
		dst = appendBody(dst, ">|", e.Body)
	}
	dst = appendResponse(dst, e.response())
	for _, a := range e.Alternatives {
		dst = append(dst, '?')
		if a.Reason != "" {
			dst = append(dst, ' ')
			dst = appendEscaped(dst, a.Reason)
		}
		dst = append(dst, '\n')
		dst = appendResponse(dst, a)
	}
	return dst
}

func appendResponse(dst []byte, r Alternative) []byte {
	if r.Status != 0 || len(r.Also) > 0 || len(r.ResponseHeaders) > 0 {
		dst = append(dst, "< "...)
		dst = strconv.AppendInt(dst, int64(r.Status), 10)
		for _, status := range r.Also {
			dst = append(dst, " | "...)
			dst = strconv.AppendInt(dst, int64(status), 10)
		}
		dst = append(dst, '\n')
		dst = appendHeaders(dst, "< ", r.ResponseHeaders)
	}
	dst = appendBody(dst, "<|", r.Answer)
	for _, frame := range r.Frames {
		dst = appendFrame(dst, frame)
	}
	if r.End != "" {
		dst = append(dst, "== "...)
		dst = appendEscaped(dst, r.End)
		dst = append(dst, '\n')
	}
	return dst
}

func appendHeaders(dst []byte, mark string, headers []Header) []byte {
	for _, h := range headers {
		dst = append(dst, mark...)
		dst = appendWord(dst, h.Name, ":")
		dst = append(dst, ':')
		if h.Value != "" {
			dst = append(dst, ' ')
			dst = appendEscaped(dst, h.Value)
		}
		dst = append(dst, '\n')
	}
	return dst
}

func appendBody(dst []byte, mark string, body []byte) []byte {
	if len(body) == 0 {
		return dst
	}
	for line := range strings.SplitSeq(string(body), "\n") {
		dst = append(dst, mark...)
		if line != "" {
			dst = append(dst, ' ')
			dst = appendEscaped(dst, line)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// appendFrame writes a frame's lines. Its blank line ends it; one before that, or as its first line, is guarded.
func appendFrame(dst []byte, frame []byte) []byte {
	lines := strings.Split(string(frame), "\n")
	rest := lines[len(lines)-1]
	lines = lines[:len(lines)-1]
	closed := rest == "" && len(lines) > 1 && isBlank(lines[len(lines)-1])
	for i, line := range lines {
		if (isBlank(line) && !(closed && i == len(lines)-1)) || isMarked(line) {
			dst = append(dst, escNothing...)
		}
		dst = appendEscaped(dst, line)
		dst = append(dst, '\n')
	}
	if closed {
		return dst
	}
	if isMarked(rest) {
		dst = append(dst, escNothing...)
	}
	dst = appendEscaped(dst, rest)
	dst = append(dst, escEnd...)
	return append(dst, '\n')
}

// isBlank reports whether a line that LF ends is a blank line of a stream: empty, or CR alone.
func isBlank(line string) bool { return line == "" || line == "\r" }

// isMarked reports whether a line begins like a line of the format.
func isMarked(line string) bool { return line != "" && strings.IndexByte("=><#?", line[0]) >= 0 }
