// Package aep is the vocabulary of pack aep: sentences about requests to an agent
// and its responses.
//
// Only package target knows routes and headers, but for those of the control calls
// that steer a scripted agent. The package never imports net/http and never the
// reference server.
package aep
