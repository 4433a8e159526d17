// Package prove puts the suite itself to the test. Servers that are broken on purpose, the mutants, must be found out by
// the requirement that each breaks; servers that are right in their own way, the variants, must pass; servers that show
// nothing of some subjects, the idle servers, must pass nothing of those; and of the mutants that are made by rule nearly
// all must be found out.
//
// It is given servers as data and starts them by a function, so it may import runner/certify and what that may, and
// never imports the reference server.
package prove
