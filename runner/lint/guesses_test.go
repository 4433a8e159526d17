package lint

import "testing"

func TestGuesses(t *testing.T) {
	table := func(row string) func(*testing.T, *kit) {
		return func(_ *testing.T, k *kit) {
			k.files[why] += "\n# What implementers had to guess\n\n| question | answer | line of the source | shown by |\n|---|---|---|---|\n" + row + "\n"
		}
	}
	runAll(t, []red{
		{"an answer", table("| how loud | as loud | 12 | `toy.echo.loud` |"), nil},
		{"either", table("| how loud | either | 12 | `hoarse` |"), nil},
		{"no line of the source", table("| how loud | as loud | | `toy.echo.loud` |"), []string{
			why + ":11: expected a question, an answer, the line of the source and what shows it"}},
		{"nothing shows it", table("| how loud | as loud | 12 | nothing asks |"), []string{
			why + `:11: nothing is named that shows the answer to "how loud"`}},
		{"either, without a variant", table("| how loud | either | 12 | `toy.echo.loud` |"), []string{
			why + `:11: no variant is named that answers "how loud" in another way than the reference`}},
		{"shown by nothing known", table("| how loud | either | 12 | `hoarse`, `horse` |"), []string{
			why + `:11: "how loud" names "horse", which is neither a requirement nor a variant of toy`}},
	})
}
