//go:build !linux

package launch

// endEscaped finds nothing: only Linux shows the environment of other processes.
func endEscaped(string) (left []int) { return nil }
