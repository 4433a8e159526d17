package lint

import "testing"

const wordingPath = "spec/wording.txt"

func TestWording(t *testing.T) {
	say := func(sentence, prose, left string) func(*testing.T, *kit) {
		return func(t *testing.T, k *kit) {
			k.replace(t, echo, "MUST send the word.", "MUST send "+sentence+".")
			k.replace(t, echo, "Or it is none.", prose)
			if left != "" {
				k.files[wordingPath] = left
			}
		}
	}
	const (
		hint = ": use the noun, or the actor"
		word = echo + `:5: toy.echo.same has "nobody"` + hint
		many = wordingPath + `:1: toy has "nobody" 2 times, and 1 may stay` + hint
	)
	runAll(t, []red{
		{"other words", say("the word", "Whatnot.", ""), nil},
		{"a word of the list in the sentence", say("the word that nobody knows", "None.", ""), []string{word}},
		{"a word of the list in the prose", say("the word", "Nobody knows.", ""), []string{word}},
		{"two words", say("the word", "It is right,\ntoo.", ""), []string{echo + `:5: toy.echo.same has "right, too"` + hint}},
		{"code", say("`nobody`", "So:\n\n```\nnobody\n```", ""), nil},
		{"as many as were left", say("the word that nobody knows", "None.", "toy 1 nobody\n"), nil},
		{"more than were left", say("the word that nobody knows", "Nobody.", "toy 1 nobody\n"), []string{many}},
		{"fewer than were left", say("the word", "None.", "toy 1 nobody\n"), []string{
			wordingPath + `:1: toy has "nobody" 0 times: lower the number, or delete the line`}},
		{"another word", say("the word", "None.", "toy 1 word\n"), []string{
			wordingPath + `:1: "word" is not in the list of lint`}},
		{"another pack", say("the word", "None.", "tin 1 nobody\n"), []string{
			wordingPath + `:1: there is no pack tin`}},
		{"no number", say("the word", "None.", "toy nobody\n"), []string{
			wordingPath + `:1: expected a pack, a number above 0 and a phrase`}},
		{"twice", say("the word", "Nobody.", "toy 1 nobody\ntoy 1 nobody\n"), []string{
			wordingPath + `:2: toy "nobody" has a line already`}},
	})
}
