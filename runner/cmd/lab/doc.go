// Package lab holds the commands of streamcert-lab, which maintainers of a suite need beside those of streamcert: lint,
// golden, mutants, variants, idle and release, the broken servers of serve --mutant, and streams that are kept in Redis.
//
// lab.go joins them to package command. It refuses what package command refuses: everything but turning flags into calls
// is in the packages that it joins.
package lab
