// Package cmdtest runs the commands of both programs in tests, and starts the broken servers that they meet.
package cmdtest
