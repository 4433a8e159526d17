// Package beacon is what this pack says of its servers: the section of a config, its routes, and how a lamp is asked.
//
// It may import runner/target.
package beacon
