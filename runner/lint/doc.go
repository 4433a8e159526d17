// Package lint pulls the thread that runs through the kit, and reports where it is cut: a requirement id is coined in
// the spec, tagged onto a rule of a feature, named by the schemas and the judge, broken by a mutant, and shown by a
// golden.
//
// [Run] reads the data folders and is given the rest as data. It refuses to run a scenario, to start a server and to
// repair anything; whether a golden shows what the reference does today is asked by `streamcert golden --check`.
// A folder that is missing or can't be read is a problem like any other, and the checks that need it are left out.
//
// It may import what package runner may, and the Gherkin parser; never the reference server.
package lint
