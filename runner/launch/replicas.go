package launch

import (
	"net/url"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/runner/target"
)

// port is the placeholder for the port of an address in the launch section of a config.
const port = "{port}"

// Replicas returns the configs of the processes that a server consists of, one for each of its addresses, in their order.
func Replicas(cfg target.Config) []target.Config {
	if len(cfg.Targets) == 0 {
		return []target.Config{cfg}
	}
	var out []target.Config
	for _, address := range cfg.Targets {
		one := cfg
		one.URL, one.Targets = address, nil
		one.Launch = at(cfg.Launch, portOf(address))
		out = append(out, one)
	}
	return out
}

// at returns a launch with the placeholder of the port replaced in its command, environment and ready address.
func at(l target.Launch, number string) target.Launch {
	filled := func(texts []string) []string {
		out := slices.Clone(texts)
		for i, text := range out {
			out[i] = strings.ReplaceAll(text, port, number)
		}
		return out
	}
	l.Command, l.Env = filled(l.Command), filled(l.Env)
	l.Ready = strings.ReplaceAll(l.Ready, port, number)
	return l
}

// portOf returns the port of an address, that of its scheme if it names none.
func portOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}
