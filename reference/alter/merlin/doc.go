// Package merlin holds the places and conditions of the server of pack merlin: what package alter has the words for.
//
// It may import the reference server and package alter.
package merlin
