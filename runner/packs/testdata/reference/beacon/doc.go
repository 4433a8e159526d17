// Package beacon is a server that keeps every rule of this pack. It imports nothing of the kit.
package beacon
