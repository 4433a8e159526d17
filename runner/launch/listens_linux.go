package launch

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// listens returns the TCP ports at which processes listen that carry a mark in their environment, in ascending order.
func listens(mark string) (ports []int) {
	sockets := map[string]bool{}
	folders, _ := filepath.Glob("/proc/[0-9]*") // the pattern is a good one
	for _, folder := range folders {
		// Processes of other users can't be read, nor those that have ended.
		environment, err := os.ReadFile(filepath.Join(folder, "environ"))
		if err != nil || !bytes.Contains(environment, []byte(mark+"=")) {
			continue
		}
		open, _ := filepath.Glob(filepath.Join(folder, "fd", "*"))
		for _, file := range open {
			if to, err := os.Readlink(file); err == nil && strings.HasPrefix(to, "socket:[") {
				sockets[strings.Trim(to[len("socket:"):], "[]")] = true
			}
		}
	}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(table)
		if err != nil {
			continue
		}
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
			// The number, the local and the other address, the state (0A listens), four more, and the socket.
			fields := strings.Fields(lines.Text())
			if len(fields) < 10 || fields[3] != "0A" || !sockets[fields[9]] {
				continue
			}
			_, hex, _ := strings.Cut(fields[1], ":")
			if port, err := strconv.ParseUint(hex, 16, 16); err == nil {
				ports = append(ports, int(port))
			}
		}
	}
	slices.Sort(ports)
	return slices.Compact(ports)
}
