// Package compare says what changed from one report of certify to the next, and
// which servers earned which classes.
//
// Two reports of one pack are compared requirement by requirement: what broke,
// what was mended, what fails in other words, what is proven no longer or only
// now. Numbers and quoted values, which differ from run to run, are no other
// words. Any number of reports makes a table of servers and classes.
//
// It judges nothing: it believes what the reports say. It may import
// runner/report.
package compare
