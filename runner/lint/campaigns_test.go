package lint

import "testing"

const history = `Feature: Histories

  @toy.echo.same @toy.echo.loud @must @should-not @loud @no-transcript:drawn
  Rule: Whatever is called

    Scenario: Any calls
      Given a valley
      When somebody calls a word chunk of "c"
      Then a sound frame comes back
`

// withHistories returns a kit whose campaigns check both requirements.
func withHistories(k *kit) {
	k.files["features/toy/campaigns/calls.feature"] = history
	k.in.Packs[0].Model = Model{Chapters: []string{"echo"}, Checked: []string{"toy.echo.same", "toy.echo.loud"}}
}

func TestCampaigns(t *testing.T) {
	const calls, model = "features/toy/campaigns/calls.feature", "runner/model/toy"
	fault := func(change func(*kit)) func(*testing.T, *kit) {
		return func(_ *testing.T, k *kit) {
			withHistories(k)
			change(k)
		}
	}
	after := func(next func(*testing.T, *kit)) func(*testing.T, *kit) {
		return func(t *testing.T, k *kit) {
			withHistories(k)
			next(t, k)
		}
	}
	runAll(t, []red{
		{"a campaign holds several", fault(func(*kit) {}), nil},
		{"a level is missing", after(edit(calls, "@must @should-not", "@must")), []string{
			calls + `:4: the rule "Whatever is called" is tagged @must, expected @must and @should-not, the levels of all that it holds`}},
		{"held and not carried", after(edit(calls, "@toy.echo.loud @must @should-not", "@must")), []string{
			"features/toy/campaigns: no rule carries @toy.echo.loud, which the model holds"}},
		{"carried and not held", fault(func(k *kit) { k.in.Packs[0].Model.Checked = []string{"toy.echo.same"} }), []string{
			"features/toy/campaigns: a rule carries @toy.echo.loud, which the model doesn't hold"}},
		{"neither held nor said why", func(_ *testing.T, k *kit) { k.in.Packs[0].Model = Model{Chapters: []string{"echo"}} }, []string{
			echo + ":5: toy.echo.same is a MUST of a chapter that campaigns play, and the model neither holds it nor says why not"}},
		{"said why", func(_ *testing.T, k *kit) {
			k.in.Packs[0].Model = Model{Chapters: []string{"echo"}, Unheld: map[string]string{"toy.echo.same": "too far"}}
		}, nil},
		{"held and said why not", fault(func(k *kit) { k.in.Packs[0].Model.Unheld = map[string]string{"toy.echo.same": "too far"} }), []string{
			model + ": toy.echo.same is said not to be held: it must be a requirement that isn't, with a reason"}},
		{"no requirement", fault(func(k *kit) { k.in.Packs[0].Model.Unheld = map[string]string{"toy.echo.sane": "too far"} }), []string{
			model + ": toy.echo.sane is said not to be held: it must be a requirement that isn't, with a reason"}},
	})
}
