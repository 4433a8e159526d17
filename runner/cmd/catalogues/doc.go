// Package catalogues lists the altered servers of every pack of this build. It imports what package altered may, and the
// packs below it.
package catalogues
