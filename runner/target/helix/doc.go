// Package helix is what pack helix says of its servers: the routes of its requests
// and how a stream is read and asked about.
//
// It may import target of this module.
package helix
