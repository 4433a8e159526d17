// Package report is the result of a run and the ways to write it down: for a
// terminal, as JSON, as JUnit XML, as a page for browsers, as a summary in
// Markdown and as a badge.
//
// The unit of a report is the requirement: an implementer fixes rules, not
// scenarios. The package computes nothing about a server; verdicts come from
// the runner, and Verify asks a judge that it is handed. Everything that came over
// the wire has its secrets redacted before it enters the model, and is text
// wherever it is written: no server can put markup into a page or a summary, nor
// control a terminal. Pages need nothing but themselves, and no script. Files are
// written to a temporary name and renamed, so that a report is whole or absent.
//
// It may import record, wire, spec and golden.
package report
