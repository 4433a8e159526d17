// Package vocabulary lists the sentences that the feature files of a pack may use, as people and editors read them.
//
// [Of] derives each sentence from the regular expression and the handler that the pack registered: the arguments have names,
// and say what they take. [Script] writes the expressions as JavaScript, which editors' Gherkin extensions read.
//
// It may import features and steps.
package vocabulary
