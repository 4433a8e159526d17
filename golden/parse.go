package golden

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// ParseError is a mistake in a golden, with its line.
type ParseError struct {
	File        string
	Line        int    // 1-based
	Want, Found string // for people
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("%s:%d: expected %s, found %s", e.File, e.Line, e.Want, e.Found)
}

// Parse reads the text of a golden; name is the file's, for errors, which are of type *ParseError. It accepts only
// what Format writes, byte for byte, so that every golden has one spelling.
func Parse(name string, b []byte) (File, error) {
	p := parser{name: name}
	text := string(b)
	if complete, ok := strings.CutSuffix(text, "\n"); ok {
		p.lines = strings.Split(complete, "\n")
	} else if text != "" {
		p.lines = strings.Split(text, "\n")
		return File{}, &ParseError{name, len(p.lines), "a line end", "end of file"}
	}
	f, err := p.file()
	if err != nil {
		return File{}, err
	}
	if written := Format(f); !bytes.Equal(written, b) {
		return File{}, misspelt(name, written, b)
	}
	return f, nil
}

// misspelt finds the first line that Format would have written in another way.
func misspelt(name string, want, found []byte) error {
	w, f := strings.Split(string(want), "\n"), strings.Split(string(found), "\n")
	for i := 0; i < len(w) && i < len(f); i++ {
		if w[i] != f[i] {
			return &ParseError{name, i + 1, quote(w[i]), quote(f[i])}
		}
	}
	if len(f) > len(w) {
		return &ParseError{name, len(w), "end of file", quote(f[len(w)-1])}
	}
	return &ParseError{name, len(f), quote(w[len(f)-1]), "end of file"}
}

func quote(line string) string {
	const most = 200 // a line that long is recognised by its beginning
	if len(line) > most {
		return strconv.Quote(line[:most]) + "…"
	}
	return strconv.Quote(line)
}

type parser struct {
	name  string   // of the file, for errors
	lines []string // without their ends
	at    int      // index of the next line
}

func (p *parser) fail(want string) error {
	found := "end of file"
	if p.at < len(p.lines) {
		found = quote(p.lines[p.at])
	}
	return &ParseError{p.name, p.at + 1, want, found}
}

func (p *parser) current() (string, bool) {
	if p.at < len(p.lines) {
		return p.lines[p.at], true
	}
	return "", false
}

// take returns the text of the current line after its mark, and goes on, if the line has that mark.
func (p *parser) take(mark string) (string, bool) {
	line, ok := p.current()
	if !ok {
		return "", false
	}
	if line == mark {
		p.at++
		return "", true
	}
	rest, ok := strings.CutPrefix(line, mark+" ")
	if ok {
		p.at++
	}
	return rest, ok
}

// text unescapes the content of the last line taken.
func (p *parser) text(s string) (string, error) {
	text, ended, err := unescape(s)
	if err == nil && ended {
		err = fmt.Errorf("%s only in a frame", escEnd)
	}
	if err != nil {
		p.at--
		return "", p.fail(err.Error())
	}
	return text, nil
}

func (p *parser) word(s string) (string, error) {
	text, err := unescapeWord(s)
	if err != nil {
		p.at--
		return "", p.fail(err.Error())
	}
	return text, nil
}

func (p *parser) file() (File, error) {
	var f File
	for {
		line, ok := p.take("#")
		if !ok {
			return File{}, p.fail(`"# name · title"`)
		}
		t, err := p.transcript(line)
		if err != nil {
			return File{}, err
		}
		f.Transcripts = append(f.Transcripts, t)
		switch line, ok := p.current(); {
		case !ok:
			return f, nil
		case line != "":
			return File{}, p.fail(`"== heading", or a blank line before the next transcript`)
		}
		p.at++
	}
}

func (p *parser) transcript(line string) (t Transcript, err error) {
	name, title, _ := strings.Cut(line, " · ")
	if t.Name, err = p.word(name); err != nil {
		return t, err
	}
	if t.Title, err = p.text(title); err != nil {
		return t, err
	}
	for {
		heading, ok := p.take("==")
		if !ok {
			return t, nil
		}
		if isEnd(heading) {
			p.at--
			return t, p.fail(`"== heading"`)
		}
		e := Exchange{}
		if e.Heading, err = p.text(heading); err != nil {
			return t, err
		}
		if err = p.exchange(&e); err != nil {
			return t, err
		}
		t.Exchanges = append(t.Exchanges, e)
	}
}

func (p *parser) exchange(e *Exchange) (err error) {
	if line, ok := p.take(">"); ok {
		method, path, _ := strings.Cut(line, " ")
		if e.Method, err = p.word(method); err != nil {
			return err
		}
		if e.Path, err = p.word(path); err != nil {
			return err
		}
		if e.Headers, err = p.headers(">"); err != nil {
			return err
		}
		if e.Body, err = p.body(">|"); err != nil {
			return err
		}
	}
	r, err := p.response()
	if err != nil {
		return err
	}
	e.answered(r)
	for {
		reason, ok := p.take("?")
		if !ok {
			return nil
		}
		text, err := p.text(reason)
		if err != nil {
			return err
		}
		a, err := p.response()
		if err != nil {
			return err
		}
		a.Reason = text
		e.Alternatives = append(e.Alternatives, a)
	}
}

func (p *parser) response() (r Alternative, err error) {
	if line, ok := p.take("<"); ok {
		for i, word := range strings.Split(line, " | ") {
			status, err := strconv.Atoi(word)
			if err != nil {
				p.at--
				return r, p.fail(`a status like "< 200" or "< 200 | 204"`)
			}
			if i == 0 {
				r.Status = status
			} else {
				r.Also = append(r.Also, status)
			}
		}
		if r.ResponseHeaders, err = p.headers("<"); err != nil {
			return r, err
		}
	}
	if r.Answer, err = p.body("<|"); err != nil {
		return r, err
	}
	for {
		line, ok := p.current()
		if !ok || line == "" || isMarked(line) {
			break
		}
		frame, err := p.frame()
		if err != nil {
			return r, err
		}
		r.Frames = append(r.Frames, frame)
	}
	if line, ok := p.current(); ok {
		if end, ok := strings.CutPrefix(line, "== "); ok && isEnd(end) {
			r.End = end
			p.at++
		}
	}
	return r, nil
}

func (p *parser) headers(mark string) ([]Header, error) {
	var headers []Header
	for {
		line, ok := p.take(mark)
		if !ok {
			return headers, nil
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			p.at--
			return nil, p.fail(fmt.Sprintf("%q", mark+" name: value"))
		}
		var h Header
		var err error
		if h.Name, err = p.word(name); err != nil {
			return nil, err
		}
		if h.Value, err = p.text(strings.TrimPrefix(value, " ")); err != nil {
			return nil, err
		}
		headers = append(headers, h)
	}
}

func (p *parser) body(mark string) ([]byte, error) {
	var body []byte
	for n := 0; ; n++ {
		line, ok := p.take(mark)
		if !ok {
			return body, nil
		}
		text, err := p.text(line)
		if err != nil {
			return nil, err
		}
		if n > 0 {
			body = append(body, '\n')
		}
		body = append(body, text...)
	}
}

func (p *parser) frame() ([]byte, error) {
	frame := []byte{}
	for first := true; ; first = false {
		line, ok := p.current()
		if !ok || isMarked(line) {
			return nil, p.fail("the blank line that ends the frame, or " + escEnd)
		}
		p.at++
		if !first && (line == "" || line == escCR) {
			if line == escCR {
				frame = append(frame, '\r')
			}
			return append(frame, '\n'), nil
		}
		text, ended, err := unescape(line)
		if err != nil {
			p.at--
			return nil, p.fail(err.Error())
		}
		frame = append(frame, text...)
		if ended {
			return frame, nil
		}
		frame = append(frame, '\n')
	}
}
