// Package listed tells of the mutants, variants and idle servers of a pack, without their code: what pages, explanations and
// completions say of them.
package listed
