package lint

import "testing"

func TestWording(t *testing.T) {
	say := func(sentence, prose string) func(*testing.T, *kit) {
		return func(t *testing.T, k *kit) {
			k.replace(t, echo, "MUST send the word.", "MUST send "+sentence+".")
			k.replace(t, echo, "Or it is none.", prose)
		}
	}
	const (
		hint = ": use the noun, or the actor"
		word = echo + `:5: toy.echo.same has "nobody"` + hint
	)
	runAll(t, []red{
		{"other words", say("the word", "Whatnot."), nil},
		{"a word of the list in the sentence", say("the word that nobody knows", "None."), []string{word}},
		{"a word of the list in the prose", say("the word", "Nobody knows."), []string{word}},
		{"two words", say("the word", "It is right,\ntoo."), []string{echo + `:5: toy.echo.same has "right, too"` + hint}},
		{"code", say("`nobody`", "So:\n\n```\nnobody\n```"), nil},
	})
}
