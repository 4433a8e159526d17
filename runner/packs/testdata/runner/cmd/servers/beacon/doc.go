// Package beacon says how the servers of this pack are started. It may import what package servers may, and the servers of
// this pack.
package beacon
