// Package helix lists the altered servers of this pack. It may import what package altered may, the catalogues of this pack
// and what makes the options of its server.
package helix
