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

func TestFreedoms(t *testing.T) {
	say := func(sentence, prose string) func(*testing.T, *kit) {
		return func(t *testing.T, k *kit) {
			k.replace(t, echo, "MUST send the word.", "MUST send "+sentence+".")
			k.replace(t, echo, "Or it is none.", prose)
		}
	}
	runAll(t, []red{
		{"a freedom of the prose", say("the word", "Its tone\nis free."), []string{
			echo + `:5: the prose of toy.echo.same grants a freedom ("is free"), and its sentence has none: move it there`}},
		{"a freedom of the actor", say("the word", "A server may sing."), []string{
			echo + `:5: the prose of toy.echo.same grants a freedom ("A server may"), and its sentence has none: move it there`}},
		{"a freedom of nobody", say("the word", "A song is legal."), []string{
			echo + `:5: the prose of toy.echo.same grants a freedom ("is legal"), and its sentence has none: move it there`}},
		{"a freedom of the sentence, too", say("the word, sung or spoken", "A server may sing."), nil},
		{"a freedom of somebody else", say("the word", "The mountain may sing."), nil},
	})
}
