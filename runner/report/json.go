package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// WriteJSON writes the report as one indented document that schemas/report.json describes, in pieces, so that a large one
// isn't in memory twice. Characters that could hide or reorder others on a terminal are escaped.
func WriteJSON(w io.Writer, r *Report) error {
	head := *r.filled()
	scenarios := head.Scenarios
	head.Scenarios = []Scenario{}
	text, err := jsonOf(head, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the report as JSON: %w", err)
	}
	const location = "\n  \"scenarios\": []"
	before, after, _ := bytes.Cut(text, []byte(location))
	pieces := func(yield func([]byte, error) bool) {
		if len(scenarios) == 0 {
			yield(text, nil)
			return
		}
		if !yield(append(before, location[:len(location)-1]...), nil) {
			return
		}
		for i, s := range scenarios {
			piece, err := jsonOf(s, "    ", "  ")
			piece = append([]byte("\n    "), bytes.TrimRight(piece, "\n")...)
			if i < len(scenarios)-1 {
				piece = append(piece, ',')
			}
			if !yield(piece, err) {
				return
			}
		}
		yield(append([]byte("\n  ]"), after...), nil)
	}
	for piece, err := range pieces {
		if err == nil {
			_, err = w.Write(piece)
		}
		if err != nil {
			return fmt.Errorf("writing the report as JSON: %w", err)
		}
	}
	return nil
}

// jsonOf returns v as JSON with a line feed; prefix and indent are those of json.Encoder, if they are given.
func jsonOf(v any, indent ...string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if len(indent) == 2 {
		e.SetIndent(indent[0], indent[1])
	}
	err := e.Encode(v)
	return VisibleJSON(b.Bytes()), err
}

// VisibleJSON returns an equivalent JSON text in which characters are escaped that are invisible, reorder others or control
// a terminal.
func VisibleJSON(text []byte) []byte {
	plain := func(r rune) bool { return r < 0x7f || !hidden(r) }
	if bytes.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case plain(r):
			out = append(out, text[:size]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		text = text[size:]
	}
	return out
}

// WriteDocument writes a value as one indented document, with the escapes of WriteJSON. what names the document in errors,
// such as "the comparison".
func WriteDocument(w io.Writer, what string, value any) error {
	enc := json.NewEncoder(JSONWriter(w))
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return fmt.Errorf("writing %s: %w", what, err)
	}
	return nil
}

// JSONWriter writes JSON documents to w as VisibleJSON does. Each call must contain complete characters.
func JSONWriter(w io.Writer) io.Writer { return jsonWriter{w} }

type jsonWriter struct{ w io.Writer }

func (j jsonWriter) Write(p []byte) (int, error) {
	if _, err := j.w.Write(VisibleJSON(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// filled returns a copy in which lists that are empty are empty, not null.
func (r *Report) filled() *Report {
	out := *r
	fill(&out.Target.Without)
	fill(&out.Target.Limits)
	fill(&out.Classes)
	fill(&out.Requirements)
	fill(&out.Scenarios)
	fill(&out.Notes)
	out.Classes = append([]Class{}, out.Classes...)
	for i := range out.Classes {
		fill(&out.Classes[i].Missing)
	}
	out.Requirements = append([]Requirement{}, out.Requirements...)
	for i := range out.Requirements {
		q := &out.Requirements[i]
		fill(&q.Capabilities)
		fill(&q.Findings)
		fill(&q.Scenarios)
	}
	return &out
}

func fill[T any](list *[]T) {
	if *list == nil {
		*list = []T{}
	}
}
