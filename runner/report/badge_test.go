package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/streamcert/streamcert/runner/report"
)

func TestBadge(t *testing.T) {
	passed := func() *report.Report {
		r := made()
		r.Requirements, r.Classes[1] = r.Requirements[:1], report.Class{Name: "Resumable", Earned: true}
		r.Count()
		return r
	}
	for name, c := range map[string]struct {
		change  func(*report.Report)
		require []string
		want    string
	}{
		"classes":     {func(*report.Report) {}, nil, "Core, Resumable brightgreen false"},
		"no class":    {func(r *report.Report) { r.Classes = nil }, nil, "1 passing, no class yellow false"},
		"required":    {func(r *report.Report) { r.Classes = r.Classes[:1] }, []string{"Core", "Resumable"}, "Resumable not earned red true"},
		"fail":        {func(r *report.Report) { *r = *made() }, nil, "1 of 8 failing red true"},
		"strict":      {func(r *report.Report) { r.Suite.Strict, r.Summary.Warn = true, 1 }, nil, "1 of 1 failing red true"},
		"fault":       {func(r *report.Report) { r.Fault = "x" }, nil, "error lightgrey true"},
		"empty":       {func(r *report.Report) { *r = report.Report{} }, nil, "error lightgrey true"},
		"interrupted": {func(r *report.Report) { r.Interrupted, r.Summary.Error = true, 1 }, nil, "interrupted lightgrey true"},
	} {
		r := passed()
		c.change(r)
		b := r.Badge(c.require)
		if diff := cmp.Diff(c.want, fmt.Sprint(b.Message, " ", b.Color, " ", b.IsError)); diff != "" || b.SchemaVersion != 1 {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestBadgeFiles(t *testing.T) {
	b := made().Badge(nil)
	var doc, picture bytes.Buffer
	if err := errors.Join(b.WriteJSON(&doc), b.WriteSVG(&picture)); err != nil {
		t.Fatal(err)
	}
	golden(t, "badge.json", doc.String())
	golden(t, "badge.svg", picture.String())
	if b.WriteJSON(failing{}) == nil || b.WriteSVG(failing{}) == nil {
		t.Error("a badge that could not be written is no error")
	}
}

func TestBadgeOfAHostileName(t *testing.T) {
	var b bytes.Buffer
	if err := (report.Badge{Label: hostile, Message: hostile, Color: hostile}).WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	elements := map[string]int{}
	for d := xml.NewDecoder(&b); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			elements[e.Name.Local]++
		}
	}
	if diff := cmp.Diff(map[string]int{"svg": 1, "title": 1, "clipPath": 1, "rect": 3, "g": 2, "text": 2}, elements); diff != "" {
		t.Error(diff)
	}
}

// luminance returns the WCAG luminance of a colour #rgb or #rrggbb.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	if len(colour) == 4 {
		colour = "#" + strings.Repeat(colour[1:2], 2) + strings.Repeat(colour[2:3], 2) + strings.Repeat(colour[3:], 2)
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

func contrast(t *testing.T, a, b string) float64 {
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// TestContrast: every text colour on each of its backgrounds, in the light, in the dark and on paper.
func TestContrast(t *testing.T) {
	style, err := os.ReadFile("pages/page.css")
	if err != nil {
		t.Fatal(err)
	}
	roots := regexp.MustCompile(`(?s):root \{(.*?)\}`).FindAllStringSubmatch(string(style), -1)
	if len(roots) != 3 {
		t.Fatalf("there are %d palettes, want three", len(roots))
	}
	for i, root := range roots {
		colours := map[string]string{}
		for _, m := range regexp.MustCompile(`--([a-z-]+): (#[0-9a-f]+)`).FindAllStringSubmatch(root[1], -1) {
			colours[m[1]] = m[2]
		}
		for ground, inks := range map[string][]string{
			"paper": {"ink", "soft", "link", "good", "bad", "odd", "known"}, "band": {"ink", "soft", "link"}, "good-band": {"good"},
			"bad-band": {"bad", "ink"}, "odd-band": {"odd", "ink", "soft", "link"}, "known-band": {"known"},
		} {
			for _, ink := range inks {
				if c := contrast(t, colours[ink], colours[ground]); c < 4.5 {
					t.Errorf("palette %d: %s on %s has a contrast of %.2f", i, ink, ground, c)
				}
			}
		}
	}
	for _, ground := range []string{"#3b4046", "#1c7a31", "#8a6100", "#b3261e", "#5f6670"} { // of badges
		if c := contrast(t, "#fff", ground); c < 4.5 {
			t.Errorf("white on %s has a contrast of %.2f", ground, c)
		}
	}
	if contrast(t, "#777777", "#888888") > 1.5 || contrast(t, "#000", "#fff") != 21 {
		t.Error("the check sees nothing")
	}
}

// TestBadgeIsNarrow: badges are used side by side on a line.
func TestBadgeIsNarrow(t *testing.T) {
	r := made()
	r.Requirements = r.Requirements[:1]
	r.Classes = nil
	for _, name := range []string{"Core", "Resumable", "Recovery", "Runtime", "Snapshot"} {
		r.Classes = append(r.Classes, report.Class{Name: name, Earned: true})
	}
	r.Count()
	for want, earned := range map[string]int{"all 5 classes": 5, "4 of 5 classes": 4, "Core, Resumable": 2} {
		for i := range r.Classes {
			r.Classes[i].Earned = i < earned
		}
		b := r.Badge(nil)
		var svg bytes.Buffer
		if err := b.WriteSVG(&svg); err != nil {
			t.Fatal(err)
		}
		var width int
		if _, err := fmt.Sscanf(svg.String(), `<svg xmlns="http://www.w3.org/2000/svg" width="%d"`, &width); err != nil || width > 240 || b.Message != want {
			t.Errorf("%q is %d pixels wide, %v; want %q", b.Message, width, err, want)
		}
	}
}
