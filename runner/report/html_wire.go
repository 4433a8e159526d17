package report

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/streamcert/streamcert/runner/record"
)

const (
	longLine      = 160     // bytes of a line of a head that is folded until it has the focus
	lineBytes     = 400     // bytes of one line on the wire
	exchangeBytes = 4 << 10 // bytes of one exchange
	scenarioBytes = 12 << 10
)

// transcripts converts exchanges for the page, as far as the size allows. Exchanges of one step are adjacent.
func (s *runView) transcripts(remainingBytes *int) {
	left := min(scenarioBytes, *remainingBytes)
	for _, e := range s.Scenario.Exchanges {
		if e.Hidden {
			continue
		}
		wire := wireHTML(e.text())
		size := len(wire) + len(e.Heading) + 1
		if left -= size; left < 0 {
			s.Full = true
			return
		}
		*remainingBytes -= size
		if n := len(s.Exchanges); n > 0 && s.Exchanges[n-1].Heading == e.Heading {
			s.Exchanges[n-1].Wire += "\n" + wire
			continue
		}
		s.Exchanges = append(s.Exchanges, exchangeView{e.Heading, wire})
	}
}

// text returns an exchange as lines: the request after >, the head of the response after <, the body unchanged, and its end
// after ==.
func (e Exchange) text() string {
	var b strings.Builder
	line := func(sign, text string) { b.WriteString(sign + clipped(OneLine(text), lineBytes) + "\n") }
	body := func(sign string, body Body) {
		begin, err := body.Begin(exchangeBytes)
		if err != nil {
			line(sign, "("+err.Error()+")")
			return
		}
		for text := range strings.SplitSeq(strings.TrimRight(string(begin), "\r\n"), "\n") {
			line(sign, text)
		}
		if len(begin) == exchangeBytes && body.Size() != exchangeBytes {
			line(sign, "… the rest is in the JSON report")
		}
	}
	line("> ", e.Method+" "+e.Path)
	for _, h := range e.Request {
		if !usual(h) {
			line("> ", h)
		}
	}
	if !e.Body.IsZero() {
		body("> ", e.Body)
	}
	if e.Status == 0 {
		line("< ", "no answer: "+e.Error)
		return b.String()
	}
	line("< ", fmt.Sprint(e.Status))
	for _, h := range e.Response {
		line("< ", h)
	}
	switch {
	case !e.Answer.IsZero():
		body("", e.Answer)
	case !e.Frames.IsZero():
		body("", e.Frames)
	}
	if e.Kind == record.Read {
		line("== ", strings.TrimSuffix(e.End.String()+" · "+e.Error, " · "))
	}
	return b.String()
}

// usual reports whether a header is the same in every request of the kit.
func usual(header string) bool {
	switch header {
	case "accept: text/event-stream", "accept: application/json", "accept-encoding: identity", "cache-control: no-cache":
		return true
	}
	return false
}

// wireHTML marks the lines of an exchange by their prefixes, and escapes the remainder.
func wireHTML(text string) template.HTML {
	var b strings.Builder
	open, is := "", ""
	put := func(class string) {
		if class != open {
			b.WriteString(is)
			if is = ""; class != "" {
				fmt.Fprintf(&b, `<i class="%s">`, class)
				is = "</i>"
			}
			open = class
		}
	}
	for line := range strings.SplitSeq(strings.TrimRight(Printable(text), "\n"), "\n") {
		escaped := template.HTMLEscapeString(line)
		if len(line) > longLine && (strings.HasPrefix(line, "> ") || strings.HasPrefix(line, "< ")) {
			escaped = `<span class="long" tabindex="0">` + escaped + "</span>"
		}
		switch {
		case strings.HasPrefix(line, "✗"):
			put("")
			b.WriteString("<mark>" + escaped + "</mark>\n")
			continue
		case strings.HasPrefix(line, "> "):
			put("q")
		case strings.HasPrefix(line, "< "):
			put("a")
		case strings.HasPrefix(line, "· "), strings.HasPrefix(strings.TrimSpace(line), "== "), strings.HasPrefix(strings.TrimSpace(line), "… "):
			put("e")
		default:
			put("")
		}
		b.WriteString(escaped + "\n")
	}
	put("")
	return template.HTML(b.String())
}

// endView is an end on the page.
type endView struct {
	Headline      string   // a sentence
	Lines, Output []string // what is known of it; Output: the server's last lines
}

// ShownEnds returns the ends of the server that the page shows.
func (v *view) ShownEnds() []endView {
	var out []endView
	for i, e := range v.ends() {
		if i == shown {
			out = append(out, endView{Headline: fmt.Sprintf("… and %d more ends of the server in the JSON report", len(v.Ends)-shown)})
			break
		}
		out = append(out, endView{e.Sentence() + e.during(), e.lines(), e.Output})
	}
	return out
}
