// Package stepstest tests a pack's vocabulary: it checks the vocabulary against the pack's
// feature files, and plays the fixtures that show of each Then that it can
// fail.
package stepstest
