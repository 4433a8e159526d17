// Package compare lists the changes from one report of certify to the next, and which servers earned which classes.
//
// Two reports of one pack are compared requirement by requirement: new and repaired violations, changed findings, and
// requirements that are no longer or newly proven. Numbers and quoted values, which differ from run to run, don't count as
// changes of a finding. Any number of reports makes a table of servers and classes.
//
// It judges nothing: it takes the verdicts of the reports. It may import runner/report.
package compare
