// Package similar compares names with a misspelt one, for suggestions. Its cost doesn't grow with a word that is much longer
// than any name. It may import the Levenshtein distance.
package similar
