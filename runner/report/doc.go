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
//
// # Files, in reading order
//
//   - report.go, server.go, exchange.go, record.go, frames.go, budget.go: the model of a result, and how exchanges enter it
//   - cause.go, evidence.go, likeness.go, shape.go, address.go: the order of causes, and the words of a finding
//   - text.go, json.go, agree.go, verify.go: safe text, the document, and whether it agrees with itself and its exchanges
//   - console.go, console_end.go, markdown.go, junit.go, annotations.go, badge.go: reports in text and for CI
//   - page.go, html.go, html_view.go, html_wire.go: the page for browsers
//   - write.go, folder.go: files, the folder of a run
//
// Invariants: a requirement has one verdict; every finding names a scenario and an exchange that the report stores, or reports
// that the exchange was left out; a failed requirement stands under one cause.
package report
