//go:build !linux

package launch

// listens finds nothing here: only the output of a server tells its port.
func listens(string) []int { return nil }
