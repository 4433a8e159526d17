// Package helixui is the catalogue of servers that are right in their own way of pack helix-ui, as package variant describes them.
package helixui
