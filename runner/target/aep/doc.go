// Package aep describes servers of pack aep: the routes of requests, the section aep of a config, and how to send a request
// to the agent.
//
// It may import runner/target and runner/record.
package aep
