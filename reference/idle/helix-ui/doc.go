// Package helixui is the catalogue of servers that are right and show little of pack helix-ui, as package idle describes them.
package helixui
