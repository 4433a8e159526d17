// Package report is the result of a run and the ways to write it down: for a terminal, as JSON, as JUnit XML, as a page for
// browsers, as a summary in Markdown and as a badge.
//
// The unit of a report is the requirement: an implementer fixes rules, not scenarios. The package computes nothing about a
// server; verdicts come from the runner, and Verify calls a judge that it is given. Secrets are redacted before data of the
// wire enters the model, and such data is written as text: no server can put markup into a page or a summary, nor control a
// terminal. Pages are self-contained and have no script. Files are written to a temporary name and renamed, so that a
// report is complete or absent.
//
// It may import record, wire, spec and golden.
package report
