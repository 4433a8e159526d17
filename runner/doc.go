// Package runner selects scenarios, runs them against a target, lets the judge
// look at everything that was exchanged, and turns what was seen into verdicts
// on requirements.
//
// It knows no protocol: a pack is its folders of spec, schemas, features and
// goldens, a judge, and one line in the registry of this package. It never
// imports the reference server; a command hands that over as data.
package runner
