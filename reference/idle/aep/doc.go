// Package aep is the catalogue of servers of this protocol that are right and show little, as package idle describes
// them.
package aep
