// Package lab contains the commands of streamcert-lab, which maintainers of a suite need in addition to those of
// streamcert: lint, golden, mutants, variants, idle and release, the broken servers of serve --mutant, and streams in
// Redis.
//
// lab.go joins them to package command. As in package command, everything but turning flags into calls is in the packages
// that it joins.
package lab
