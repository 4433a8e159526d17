// Package beacon is the catalogue of servers of this pack that are right and show little, as package idle describes them.
package beacon
