// Package helixui contains the extension points and conditions for mutants and variants of pack helix-ui, in addition to
// those of reference/alter: the chunks of a turn, its parts, the bytes of its events, and its requests.
//
// It may import reference/alter and reference/helix-ui.
package helixui
