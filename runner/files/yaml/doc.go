// Package yaml parses YAML that a stranger may have written. The parser's time grows with the square of some inputs, and its
// stack with their depth, so that size, depth and number of values are bounded before it sees them. Anchors, aliases and
// tags are refused: what they stand for isn't a text that a person can compare with a message.
//
// It imports nothing of this module. A lint in the tests keeps the others from the parser itself.
package yaml
