package lint

import "testing"

func TestTables(t *testing.T) {
	decided := func(table, far string) func(*testing.T, *kit) {
		return func(t *testing.T, k *kit) {
			k.replace(t, echo, "MUST send the word.", "MUST send what the table says.")
			k.replace(t, echo, "Or it is none.", table)
			k.replace(t, echo, "Mountains.", far)
		}
	}
	const head = "| word | echo | scenario |\n|---|---|---|\n"
	runAll(t, []red{
		{"a row with a scenario", decided(head+"| a | a | `Calling <word>` |", "High."), nil},
		{"a row with a reason", decided(head+"| a | a | none: too far |", "High."), nil},
		{"no table", decided("None.", "High."), []string{
			echo + ":5: toy.echo.same speaks of a table, and neither its block nor one that its prose names has any"}},
		{"the table of another block", decided("As `toy.echo.far` has it.", head), nil},
		{"another block without a table", decided("As `toy.echo.far` has it.", "High."), []string{
			echo + ":5: toy.echo.same speaks of a table, and neither its block nor one that its prose names has any"}},
		{"no column for scenarios", decided("| word | echo |\n|---|---|\n| a | a |", "High."), []string{
			echo + `:5: the last column of the table of toy.echo.same is "echo", expected the scenario of each row`}},
		{"a row without a scenario", decided(head+"| a | a | `Calling <word>` |\n| b | b | |", "High."), []string{
			echo + `:5: the row "b" of the table of toy.echo.same names the scenario "", which doesn't exist`}},
		{"a scenario that doesn't exist", decided(head+"| a | a | `Shouting` |", "High."), []string{
			echo + `:5: the row "a" of the table of toy.echo.same names the scenario "Shouting", which doesn't exist`}},
	})
}
