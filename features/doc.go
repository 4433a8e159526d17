// Package features embeds the Gherkin scenarios and reads them: the rule and requirement of each scenario, and the rows of
// its outline.
//
// It runs nothing and knows no step. It may import the standard library and the Gherkin parser.
package features
