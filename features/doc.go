// Package features embeds the Gherkin scenarios and reads them: which scenario
// stands in which rule, which requirement it proves, and which rows its outline
// has.
//
// It runs nothing and knows no step. It may import the standard library and the
// Gherkin parser.
package features
