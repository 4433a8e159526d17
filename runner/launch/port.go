package launch

import (
	"fmt"
	"math/rand/v2"
	"net"
	"regexp"
	"slices"
	"strconv"
)

// named finds the ports that a server writes when it is up, such as "http://localhost:3000" and "listening on port 3000".
var named = regexp.MustCompile(`(?i)(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]|\*|\bport):? ?(\d{2,5})\b`)

// elsewhere returns a hint on other ports at which the server listens, by its sockets or else by its output; "" if neither
// shows any.
func (s *Server) elsewhere(url string) string {
	ports, how := listens(s.mark), "it listens on"
	if len(ports) == 0 {
		how = "its output names"
		for _, found := range named.FindAllStringSubmatch(s.output.String(), -1) {
			if port, err := strconv.Atoi(found[1]); err == nil && port > 0 && port < 1<<16 && !slices.Contains(ports, port) {
				ports = append(ports, port)
			}
		}
	}
	want, err := strconv.Atoi(portOf(url))
	if err != nil || len(ports) == 0 || slices.Contains(ports, want) {
		return ""
	}
	text := fmt.Sprintf("; %s port %d", how, ports[0])
	for _, port := range ports[1:min(len(ports), 3)] {
		text += fmt.Sprintf(" and %d", port)
	}
	return text + fmt.Sprintf(", and target.url or launch.ready %d", want)
}

// Ports below those that Linux, macOS and Windows assign to outgoing connections, which would take the port of a server
// while it is being started again.
const firstPort, lastPort = 20000, 32767

// FreeAddresses returns n different addresses of the loopback, as host:port, on which nothing listens.
func FreeAddresses(n int) ([]string, error) {
	var out []string
	for range n {
		address, err := "", error(nil)
		for range 100 { // others may listen
			address = fmt.Sprintf("127.0.0.1:%d", firstPort+rand.IntN(lastPort-firstPort+1))
			var l net.Listener
			if l, err = net.Listen("tcp", address); err == nil {
				defer l.Close() // the next one has to be another
				break
			}
		}
		if err != nil {
			return nil, fmt.Errorf("finding a free port of 127.0.0.1 between %d and %d: %w", firstPort, lastPort, err)
		}
		out = append(out, address)
	}
	return out, nil
}
