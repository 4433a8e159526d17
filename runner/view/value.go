package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/frame"
)

const maxLines = 5 // of a value that is shown

// oneLine writes JSON in one line, its members in order and its characters unescaped. It stops after about limit bytes, and
// reports whether that was all. Invalid JSON is returned unchanged.
func oneLine(raw json.RawMessage, limit int) (text string, complete bool) {
	var b strings.Builder
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var open []nest
	for {
		if b.Len() > limit {
			return b.String(), false
		}
		token, err := d.Token()
		if err != nil {
			return string(raw[:min(len(raw), limit)]), len(raw) <= limit
		}
		closing := token == json.Delim('}') || token == json.Delim(']')
		if closing {
			open = open[:len(open)-1]
		} else if len(open) > 0 {
			b.WriteString(open[len(open)-1].before())
		}
		b.WriteString(literal(token, limit))
		if at, ok := token.(json.Delim); ok && !closing {
			open = append(open, nest{object: at == '{'})
		}
		if len(open) == 0 {
			return b.String(), b.Len() <= limit
		}
	}
}

// nest is an object or array that is being written.
type nest struct {
	object bool
	n      int // tokens directly in it so far
}

// before returns the text before the next token.
func (n *nest) before() string {
	n.n++
	switch {
	case n.object && n.n%2 == 0:
		return ":"
	case n.n > 1:
		return ","
	}
	return ""
}

func literal(token json.Token, limit int) string {
	switch v := token.(type) {
	case json.Delim:
		return v.String()
	case json.Number:
		return v.String()
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case string:
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if len(v) > limit+1 {
			v = v[:limit+1]
		}
		if e.Encode(v) == nil {
			return strings.TrimSuffix(b.String(), "\n")
		}
	}
	return fmt.Sprintf("%q", token)
}

// abridged returns a value in one line, shortened to a number of columns and followed by its size.
func abridged(raw json.RawMessage, columns int) string {
	text, complete := oneLine(raw, 4*columns)
	return shortened(text, complete, len(raw), columns)
}

// shortened truncates a line after a number of columns and adds its length in bytes, unless it is complete.
func shortened(text string, complete bool, bytes, columns int) string {
	short := clip(Safe(text), columns)
	if complete && short == Safe(text) {
		return text
	}
	return strings.TrimSuffix(short, "…") + fmt.Sprintf("… (%s)", size(bytes))
}

// size returns a number of bytes for people.
func size(n int) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d bytes", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

// took returns the readable duration between two timestamps; "" if one is missing or they are in the wrong order.
func took(from, to int64) string {
	d := time.Duration(min(to-from, 1<<43)) * time.Millisecond
	switch {
	case from <= 0 || to < from:
		return ""
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

func or(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// inBrackets is " (text)", or nothing.
func inBrackets(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

func after(word, text string) string {
	if text == "" {
		return ""
	}
	return word + text
}

// count returns a number that may be missing.
func count(n frame.Number) string {
	if !n.OK {
		return "?"
	}
	return strconv.FormatInt(n.N, 10)
}

func empty(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }
