// Package stepstest tests a pack's vocabulary: it checks the vocabulary against the pack's
// feature files, and plays the pairs of worlds that show of each Then that it can
// fail.
package stepstest
