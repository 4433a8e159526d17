// Package merlin is the catalogue of servers of pack merlin that are right and show little, as package idle describes them.
package merlin
