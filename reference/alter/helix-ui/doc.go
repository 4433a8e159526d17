// Package helixui holds the places and conditions with which mutants and variants of pack helix-ui are written, beside the
// words of reference/alter: the chunks of a turn, its parts, the bytes of its events, and its requests.
//
// It may import reference/alter and reference/helix-ui.
package helixui
