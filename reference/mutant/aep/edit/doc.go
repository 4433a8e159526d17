// Package edit has the alterations of the reference server of aep that mutants of several packages use, in addition to
// package alter/aep, which variants use too. It has no mutants.
package edit
