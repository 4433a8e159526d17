// Package request reads the bodies of requests in bounded memory and time, and
// keeps web pages from driving a server that runs on a developer's machine.
package request
