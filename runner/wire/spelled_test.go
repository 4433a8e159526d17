package wire

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// line draws one line of a body in a drawn spelling, with one of the three line ends.
func line(t *rapid.T, end, field, value string) string {
	switch {
	case value == "" && rapid.Bool().Draw(t, "no colon"):
		return field + end
	case strings.HasPrefix(value, " ") || rapid.Bool().Draw(t, "blank"):
		return field + ": " + value + end
	}
	return field + ":" + value + end
}

// TestEverySpelling: the events of a body are those that were written, however its lines are spelled, ended and mixed with
// comments and unknown fields, and however it is divided.
func TestEverySpelling(t *testing.T) {
	text := rapid.StringOfN(rapid.RuneFrom([]rune(" :abid\ufeff\u2028é😀")), 0, 8, -1)
	rapid.Check(t, func(t *rapid.T) {
		var want vector
		body := rapid.SampledFrom([]string{"", "\ufeff"}).Draw(t, "mark")
		for range rapid.IntRange(1, 5).Draw(t, "events") {
			end := rapid.SampledFrom([]string{"\n", "\r", "\r\n"}).Draw(t, "end")
			e := event{Event: "message", ID: want.LastID}
			if rapid.Bool().Draw(t, "comment") {
				body += ":" + text.Draw(t, "comment") + end + line(t, end, "other", text.Draw(t, "other"))
			}
			if rapid.Bool().Draw(t, "named") {
				name := text.Draw(t, "name")
				body += line(t, end, "event", name)
				if name != "" {
					e.Event = name
				}
			}
			if rapid.Bool().Draw(t, "numbered") {
				e.ID = text.Draw(t, "id")
				body += line(t, end, "id", e.ID)
			}
			data := rapid.SliceOfN(text, 1, 3).Draw(t, "data")
			for _, d := range data {
				body += line(t, end, "data", d)
			}
			body += end
			e.Data, want.LastID = strings.Join(data, "\n"), e.ID
			want.Events = append(want.Events, e)
		}
		wantObserved(t, want, divided(t, []byte(body)))
	})
}
