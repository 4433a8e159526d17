// Package vocabulary lists the sentences that the feature files of a pack may use, for readers and editors.
//
// [Of] derives each sentence from the regular expression and the handler that the pack registered: the arguments have names
// and a description. [Script] writes the expressions as JavaScript, which editors' Gherkin extensions read.
//
// It may import features and steps.
package vocabulary
