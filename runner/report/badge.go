package report

import (
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
)

// Badge is a summary of a report in a few words, for a readme. Its JSON form is that of an endpoint for shields.
type Badge struct {
	SchemaVersion int    `json:"schemaVersion"`     // always 1
	Label         string `json:"label"`             // suite and pack
	Message       string `json:"message"`           // a few words: the class, or how many requirements fail
	Color         string `json:"color"`             // by its name at shields
	IsError       bool   `json:"isError,omitempty"` // shields then ignores a colour that a user chose
}

// colours maps the colours of shields to darker shades, on which white text is readable.
var colours = map[string]string{"brightgreen": "#1c7a31", "yellow": "#8a6100", "red": "#b3261e", "lightgrey": "#5f6670"}

// Badge returns the badge of the run: the earned classes, or the number of failures.
func (r *Report) Badge(require []string) Badge {
	b := Badge{SchemaVersion: 1, Label: strings.TrimSpace(r.Suite.Name + " " + r.Suite.Pack)}
	var earned []string
	claimed := 0
	for _, c := range r.Classes {
		if c.Unclaimed == "" {
			claimed++
		}
		if c.Earned {
			earned = append(earned, c.Name)
		}
	}
	s := r.Summary
	switch code := r.ExitCode(require); {
	case r.failedByEnd():
		b.Message, b.Color, b.IsError = "server ended", "red", true
	case code == 1 && s.Fail > 0:
		b.Message, b.Color, b.IsError = fmt.Sprintf("%d of %d failing", s.Fail, len(r.Requirements)), "red", true
	case code == 1 && len(r.Baseline) > 0:
		b.Message, b.Color, b.IsError = "baseline out of date", "red", true
	case code == 1 && len(r.Unearned(require)) > 0:
		b.Message, b.Color, b.IsError = strings.Join(r.Unearned(require), ", ")+" not earned", "red", true
	case code == 1:
		b.Message, b.Color, b.IsError = fmt.Sprintf("%d of %d failing", s.Warn, len(r.Requirements)), "red", true
	case r.Interrupted:
		b.Message, b.Color, b.IsError = "interrupted", "lightgrey", true
	case code != 0:
		b.Message, b.Color, b.IsError = "error", "lightgrey", true
	case len(earned) > 0:
		b.Message, b.Color = classes(earned, claimed), "brightgreen"
	default:
		b.Message, b.Color = fmt.Sprintf("%d passing, no class", s.Pass), "yellow"
	}
	return b
}

// classes lists the earned classes in as few words as a badge can show.
func classes(earned []string, of int) string {
	const room = 24
	if text := strings.Join(earned, ", "); len(text) <= room {
		return text
	}
	if len(earned) == of {
		return fmt.Sprintf("all %d classes", of)
	}
	return fmt.Sprintf("%d of %d classes", len(earned), of)
}

// WriteJSON writes the badge for an endpoint that shields reads.
func (b Badge) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if err := e.Encode(b); err != nil {
		return fmt.Errorf("writing the badge as JSON: %w", err)
	}
	return nil
}

// WriteSVG writes the badge as a self-contained SVG.
func (b Badge) WriteSVG(w io.Writer) error {
	label, message := template.HTMLEscapeString(OneLine(b.Label)), template.HTMLEscapeString(OneLine(b.Message))
	left, right := wide(b.Label)+12, wide(b.Message)+12
	colour := colours[b.Color]
	if colour == "" {
		colour = colours["lightgrey"]
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="20" role="img" aria-label="%[5]s: %[6]s">
<title>%[5]s: %[6]s</title>
<clipPath id="r"><rect width="%[1]d" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="%[2]d" height="20" fill="#3b4046"/><rect x="%[2]d" width="%[3]d" height="20" fill="%[4]s"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" aria-hidden="true">
<text x="6" y="14" textLength="%[7]d">%[5]s</text>
<text x="%[8]d" y="14" textLength="%[9]d">%[6]s</text>
</g>
</svg>
`, left+right, left, right, colour, label, message, left-12, left+6, right-12)
	if err != nil {
		return fmt.Errorf("writing the badge as SVG: %w", err)
	}
	return nil
}

// wide is about how many pixels text takes in 11 px Verdana.
func wide(text string) int {
	n := 0.0
	for _, r := range OneLine(text) {
		switch {
		case strings.ContainsRune("iljtf.,:;' |!()[]I", r):
			n += 4.4
		case r >= 'A' && r <= 'Z', r == 'm', r == 'w', r > 0x2ff:
			n += 8.6
		default:
			n += 6.8
		}
	}
	return max(int(n), 1)
}
