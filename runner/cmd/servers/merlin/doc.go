// Package merlin starts the servers of pack merlin. It may import what package servers may, and the servers of this pack.
package merlin
