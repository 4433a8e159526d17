// Package aep starts the servers of this pack. It may import what package servers may, and the servers of this pack.
package aep
