// Package listed describes the mutants, variants and idle servers of a pack without their code, for pages, explanations and
// completions.
package listed
