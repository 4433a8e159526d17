package stepstest

import "testing"

func TestAnchored(t *testing.T) {
	for pattern, want := range map[string]bool{
		`^a$`: true, `^(a|b)$`: true, `^[|(]\|$`: true, `^("(?:[^"\\]|\\.)*")$`: true,
		`a$`: false, `^a`: false, `^a|b$`: false, `^(a)|(b)$`: false,
	} {
		if got := anchored(pattern); got != want {
			t.Errorf("%s: got %v", pattern, got)
		}
	}
}
