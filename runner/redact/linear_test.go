package redact_test

import (
	"strings"
	"testing"
	"time"

	"github.com/streamcert/streamcert/runner/redact"
)

// A server chooses the text, so that its time must not grow faster than its size.
func TestOneMebibyteOfEachEscape(t *testing.T) {
	secrets := []string{specialCharacters, "Bearer QLKJASDLKJQWELKJ", `""""""x`, strings.Repeat(`\`, 24) + "x"}
	r := redact.New(secrets...)
	for _, unit := range []string{
		`\`, `%`, `&`, `+`, `%25`, `&amp;`, `\u`, `\"`, `\\x41`, "a",
		strings.Repeat(`\`, 1<<16) + `"`, strings.Repeat(`\`, 1<<16) + `uD83D`, strings.Repeat(`\`, 60),
	} {
		text := strings.Repeat(unit, (1<<20)/len(unit))
		done := make(chan int, 1)
		go func() { done <- redact.Steps(r, text) }()
		select {
		case steps := <-done:
			if most := 20 * len(text); steps > most {
				t.Errorf("%.10q: %d steps for %d bytes, expected at most %d", unit, steps, len(text), most)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%.10q: not done within a minute", unit)
		}
	}
}
