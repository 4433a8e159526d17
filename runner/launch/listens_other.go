//go:build !linux

package launch

// listens returns nothing here: only the output of a server shows its port.
func listens(string) []int { return nil }
