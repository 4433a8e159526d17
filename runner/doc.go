// Package runner selects scenarios, runs them against a target, lets the judge
// look at everything that was exchanged, and turns what was seen into verdicts
// on requirements.
//
// It knows no protocol: a pack is its folders of spec, schemas, features and
// goldens, a judge, and one line in the registry of this package. It never
// imports the reference server; a command hands that over as data.
//
// To add a pack:
//
//  1. Write spec/<pack>, schemas/<pack> with its pack.json, and features/<pack>.
//     The folders embed themselves. What the sentences of package steps can't say
//     yet gets a file of its own there, with a pair of worlds for every Then.
//  2. Write runner/judge/<pack>: New makes a judge.Machine of one response,
//     JudgeAnswer judges a refusal, Requirements lists the ids.
//  3. Add the line to the registry in packs.go. A preflight and the routes of a
//     probe belong to it, but a pack works without.
//  4. Write reference/<pack>, and its mutants and variants, and hand them to the
//     runner where runner/cmd/streamcert does so for the others.
//  5. Run `streamcert lint`, which says what is missing, then `streamcert golden`.
//
// TestToyPack does the first three with a pack that is nowhere but in the test.
package runner
