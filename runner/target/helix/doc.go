// Package helix describes servers of pack helix: the routes of requests, and how to read a stream and request its
// documents.
//
// It may import target of this module.
package helix
