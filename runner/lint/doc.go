// Package lint checks that the parts of the kit fit each other: a requirement id is coined in
// the spec, tagged onto a rule of a feature, named by the schemas and the judge, broken by a mutant, shown by a golden,
// and named at the line of the reference that keeps it and at the line of the judge that checks it. It compares the text with
// itself as well: sentences name whom they bind, in
// words of the field, rules on readers show bytes, sentences have the numbers of their scenarios and the tables that they speak of, chapters show
// pieces of goldens as they are, every arrow of a diagram has a requirement that demands it, and what implementers had
// to guess has an answer that something shows.
//
// [Run] reads the data folders and is given the remainder as data. It refuses to run a scenario, to start a server and to
// repair anything; whether a golden shows what the reference does today is checked by `streamcert-lab golden --check`.
// A folder that is missing or can't be read is a problem like any other, and the checks that need it are left out.
//
// It may import spec, schemas, features, golden, steps, trace and excerpt of the kit, and the Gherkin parser; never the reference
// server, whose sources it only reads.
//
// # Files, in reading order
//
//   - input.go, outline.go, tree.go: what is checked, and as it is read
//   - actors.go, wording.go, numbers.go, tables.go, readers.go: sentences and their prose
//   - documents.go, diagrams.go, wire.go: schemas, diagrams, shown frames
//   - tags.go, scenarios.go, vocabulary.go, fixtures.go: features and steps
//   - goldens.go, samples.go, rooms.go: transcripts, samples, the lists of packs
//   - proofs.go, variants.go, idle.go, campaigns.go, code.go: mutants, variants, idle servers, campaigns, and the code that names ids
//   - lint.go, report.go: all checks, and their problems
//
// Invariants: a problem has a file and, where it has one, a line; the order of problems is that of the files.
package lint
