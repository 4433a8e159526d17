// Package report is the result of a run and the ways to write it down: for a
// terminal, as JSON, as JUnit XML.
//
// The unit of a report is the requirement: an implementer fixes rules, not
// scenarios. The package computes nothing about a server; verdicts come from
// the runner. Everything that came over the wire has its secrets redacted before
// it enters the model. Files are written to a temporary name and renamed, so that
// a report is whole or absent.
//
// It may import judge, spec and golden.
package report
