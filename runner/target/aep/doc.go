// Package aep is what pack aep says of its servers: the routes of its requests,
// the section aep of a config, and how an agent is asked.
//
// It may import runner/target and runner/record.
package aep
