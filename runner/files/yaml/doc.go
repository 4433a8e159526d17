// Package yaml parses untrusted YAML. The parser's time grows with the square of some inputs, and its stack with their
// depth, so that size, depth and number of values are limited before. Anchors, aliases and tags are rejected: their
// expansion isn't a text that a reader can compare with a message.
//
// It imports nothing of this module. A lint in the tests prevents others from importing the parser.
package yaml
