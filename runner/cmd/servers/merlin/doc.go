// Package merlin says how the servers of pack merlin are started. It may import what package servers may, and the servers of
// this pack.
package merlin
