package view

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/fatih/color"
	"github.com/rivo/uniseg"

	"github.com/streamcert/streamcert/runner/report"
)

// A style is the style of a piece of text.
type style int

const (
	unstyled style = iota
	bold
	dim
	good
	bad
	unusual
	styles
)

func palette(on bool) [styles]func(a ...any) string {
	var out [styles]func(a ...any) string
	for s, attributes := range [styles][]color.Attribute{
		unstyled: {}, bold: {color.Bold}, dim: {color.Faint}, good: {color.FgGreen}, bad: {color.FgRed}, unusual: {color.FgYellow},
	} {
		if !on || style(s) == unstyled {
			out[s] = fmt.Sprint
			continue
		}
		c := color.New(attributes...)
		c.EnableColor()
		out[s] = c.SprintFunc()
	}
	return out
}

// narrow is the least width of a
// line of text, however far it is indented.
const narrow = 16

// A page breaks text at spaces into lines of a width, as the text comes. It delays only the last incomplete word.
type page struct {
	w     *bufio.Writer
	err   error
	width int // columns; 0 doesn't break
	paint [styles]func(a ...any) string

	prefix  string // of the open line, until text is written on it
	hanging string // prefix of the later lines of the paragraph
	style   style
	soft    bool // lines may end after a comma
	open    bool // a line was started and has no end yet
	fresh   bool // the line contains only its prefix
	column  int
	from    int // the column at which the text of a line begins
	blanks  int // seen and not yet written
	word    strings.Builder
	wide    int // columns of the word
}

func newPage(w io.Writer, width int, colored bool) *page {
	return &page{w: bufio.NewWriter(w), width: width, paint: palette(colored)}
}

func (p *page) put(s string) {
	if _, err := p.w.WriteString(s); err != nil && p.err == nil {
		p.err = fmt.Errorf("writing the transcript: %w", err)
	}
}

func (p *page) flush() error {
	if err := p.w.Flush(); err != nil && p.err == nil {
		p.err = fmt.Errorf("writing the transcript: %w", err)
	}
	return p.err
}

// begin starts a paragraph on a new line. first is the prefix of its first line, rest that of the others; they are never broken.
func (p *page) begin(first, rest string, s style) {
	p.end()
	p.hanging, p.style = rest, s
	p.line(first)
}

func (p *page) line(prefix string) {
	p.prefix, p.open, p.fresh, p.from = prefix, true, true, uniseg.StringWidth(prefix)
	p.column, p.blanks = p.from, 0
}

// end completes the paragraph, if one is open.
func (p *page) end() {
	if !p.open {
		return
	}
	p.feed()
	p.open, p.soft = false, false
}

// margin writes the prefix of a line. Blanks are written without style.
func (p *page) margin(prefix string) {
	if strings.Trim(prefix, " ") != "" {
		prefix = p.paint[dim](prefix)
	}
	p.put(prefix)
}

// feed completes a line.
func (p *page) feed() {
	p.settle()
	if p.fresh {
		p.margin(strings.TrimRight(p.prefix, " "))
	}
	p.put("\n")
	p.blanks = 0
}

// say adds to the paragraph. Line feeds are stored, everything else that a
// terminal would obey is not.
func (p *page) say(text string) {
	text = Safe(text)
	for state := -1; text != ""; {
		var cluster string
		var width int
		cluster, text, width, state = uniseg.FirstGraphemeClusterInString(text, state)
		switch cluster {
		case "\n":
			p.feed()
			p.line(p.hanging)
		case " ":
			p.settle()
			p.blanks++
		case "\t":
			p.settle()
			p.blanks += 4
		default:
			p.add(cluster, width)
		}
	}
}

// as adds a piece in another style.
func (p *page) as(s style, text string) {
	p.settle()
	p.style, s = s, p.style
	p.say(text)
	p.settle()
	p.style = s
}

func (p *page) columns() int { return max(p.width-p.from, narrow) }

func (p *page) add(cluster string, width int) {
	if p.width == 0 && p.word.Len() > 4096 {
		p.settle()
	}
	// Between two wide characters a line may end, as where there are no spaces.
	if p.width > 0 && (width > 1 || p.wide+width > p.columns()) {
		p.settle()
	}
	p.word.WriteString(cluster)
	p.wide += width
	if p.width > 0 && (width > 1 || p.soft && cluster == ",") {
		p.settle()
	}
}

// settle writes the word, on the next line if it doesn't fit on this one.
func (p *page) settle() {
	if p.word.Len() == 0 {
		return
	}
	if p.width > 0 && !p.fresh && p.column+p.blanks+p.wide > p.from+p.columns() {
		p.put("\n")
		p.line(p.hanging)
	}
	if p.width > 0 {
		p.blanks = min(p.blanks, max(p.columns()-p.wide, 0))
	}
	if p.fresh {
		p.margin(p.prefix)
	}
	if p.blanks > 0 {
		p.put(strings.Repeat(" ", p.blanks))
	}
	p.put(p.paint[p.style](p.word.String()))
	p.column += p.blanks + p.wide
	p.blanks, p.wide, p.fresh = 0, 0, false
	p.word.Reset()
}

// json adds a value, which may be broken after commas.
func (p *page) json(s style, text string) {
	p.settle()
	p.soft = true
	p.as(s, text)
	p.soft = false
}

// one writes one line, shortened to the width.
func (p *page) one(prefix string, s style, text string) {
	p.end()
	text = strings.NewReplacer("\n", `\n`, "\t", " ").Replace(Safe(text))
	if p.width > 0 {
		text = clip(text, max(p.width-uniseg.StringWidth(prefix), narrow))
	}
	p.put(p.paint[dim](prefix) + p.paint[s](text) + "\n")
}

// clip cuts text to a number of columns and marks where it did.
func clip(text string, width int) string {
	if uniseg.StringWidth(text) <= width {
		return text
	}
	var b strings.Builder
	for state, left := -1, width-1; text != ""; {
		var cluster string
		var wide int
		cluster, text, wide, state = uniseg.FirstGraphemeClusterInString(text, state)
		if left -= wide; left < 0 {
			break
		}
		b.WriteString(cluster)
	}
	return b.String() + "…"
}

// Safe makes text safe to print, as report.Printable does, but leaves the joiners
// that emoji and several scripts are written with. A terminal obeys neither.
func Safe(text string) string {
	if !strings.ContainsAny(text, joiners) || !utf8.ValidString(text) {
		return report.Printable(text)
	}
	var b strings.Builder
	for text != "" {
		at := strings.IndexAny(text, joiners)
		if at < 0 {
			b.WriteString(report.Printable(text))
			break
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		b.WriteString(report.Printable(text[:at]) + text[at:at+size])
		text = text[at+size:]
	}
	return b.String()
}

const joiners = "\u200c\u200d"
