package redact

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Mark replaces a secret.
const Mark = "***"

// shortest is the minimum length of a secret in bytes: replacing shorter values would damage the text and hide nothing.
const shortest = 6

// Redactor replaces secrets. It is safe for concurrent use; nil replaces nothing.
type Redactor struct {
	forms  []form      // longest first
	begins [256][]form // that may begin with a byte
	escape [256]bool   // how an escape begins
	starts [256]bool   // how a form or an escape begins
}

// form is one spelling of a secret, with its replacement.
type form struct{ text, shown string }

// New makes a redactor of secrets, each shown as Mark. Values of fewer than 6
// bytes are left out.
func New(secrets ...string) *Redactor {
	shown := map[string]string{}
	for _, s := range secrets {
		shown[s] = Mark
	}
	return Named(shown)
}

// Named makes a redactor of secrets, each with the text that is shown for it, such
// as the variable that it came from.
func Named(shown map[string]string) *Redactor {
	r := &Redactor{}
	seen := map[string]bool{}
	add := func(text, shown string) {
		if len(text) >= shortest && !seen[text] {
			seen[text] = true
			r.forms = append(r.forms, form{text, shown})
		}
	}
	values := make([]string, 0, len(shown))
	for value := range shown {
		if len(strings.TrimSpace(value)) >= shortest {
			values = append(values, value)
		}
	}
	slices.Sort(values) // so that equal forms of two secrets are always shown alike
	for _, value := range values {
		add(value, shown[value])
	}
	for _, value := range values {
		add(hex.EncodeToString([]byte(value)), shown[value])
		add(strings.ToUpper(hex.EncodeToString([]byte(value))), shown[value])
		for _, text := range inBase64(value) {
			add(text, shown[value])
		}
	}
	slices.SortStableFunc(r.forms, func(a, b form) int { return cmp.Compare(len(b.text), len(a.text)) }) // the longest match wins, so that no end of a secret stays
	for _, f := range r.forms {
		r.begins[f.text[0]] = append(r.begins[f.text[0]], f)
		r.starts[f.text[0]] = true
	}
	for _, c := range []byte(`%\&+`) {
		r.escape[c], r.starts[c] = true, true
	}
	return r
}

// inBase64 returns a value in both alphabets: alone, with and without its padding, and the part that is the same at any
// offset of a longer value.
func inBase64(value string) []string {
	const least = 8 // digits that can't be there by chance
	var out []string
	for _, alphabet := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		out = append(out, alphabet.EncodeToString([]byte(value)), alphabet.WithPadding(base64.NoPadding).EncodeToString([]byte(value)))
		for before := range 3 {
			digits := alphabet.EncodeToString([]byte(strings.Repeat("\x00", before) + value))
			// The digits at both ends also depend on the neighbours.
			from, to := (8*before+5)/6, 8*(before+len(value))/6
			if to-from >= least {
				out = append(out, digits[from:to])
			}
		}
	}
	return out
}

// Redact replaces every secret in s, the longest where several begin.
func (r *Redactor) Redact(s string) string {
	out, _ := r.redact(s)
	return out
}

// redact is Redact, with the number of steps that it took.
func (r *Redactor) redact(s string) (string, int) {
	if r == nil || len(r.forms) == 0 {
		return s, 0
	}
	t := &scan{s: s}
	var b strings.Builder
	from := 0
	for i := 0; i < len(s); {
		if !r.starts[s[i]] {
			i++
			continue
		}
		end, shown := r.at(t, i)
		if end < 0 {
			i++
			continue
		}
		b.WriteString(s[from:i])
		b.WriteString(shown)
		from, i = end, end
	}
	if from == 0 {
		return s, t.steps
	}
	b.WriteString(s[from:])
	return b.String(), t.steps
}

// at finds the secret that begins at s[i] and ends last. It returns where it ends, -1 for none.
func (r *Redactor) at(t *scan, i int) (int, string) {
	c := t.s[i]
	if !r.escape[c] {
		return t.longest(r.begins[c], i, -1, "")
	}
	best, shown := -1, ""
	var room [8]byte
	meant := t.begins(i, room[:0])
	for k, c := range meant {
		if !slices.Contains(meant[:k], c) {
			best, shown = t.longest(r.begins[c], i, best, shown)
		}
	}
	return best, shown
}

// longest returns the secret that begins at s[i] and ends last; best and shown are those found before.
func (t *scan) longest(forms []form, i, best int, shown string) (int, string) {
	for _, f := range forms {
		t.left = budget(len(f.text))
		if end := t.match(i, f.text, 0); end > best {
			best, shown = end, f.shown
		}
	}
	return best, shown
}

// Writer redacts the data that is written to w. Each call is redacted separately: a secret must not span two.
func (r *Redactor) Writer(w io.Writer) io.Writer { return writer{r, w} }

type writer struct {
	r *Redactor
	w io.Writer
}

func (w writer) Write(p []byte) (int, error) {
	text := string(p)
	clean := w.r.Redact(text)
	if clean == text {
		return w.w.Write(p)
	}
	if _, err := io.WriteString(w.w, clean); err != nil {
		return 0, fmt.Errorf("writing what was redacted: %w", err)
	}
	return len(p), nil
}
