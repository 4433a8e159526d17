package target

import (
	"os"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/streamcert/streamcert/runner/target/config"
)

// Config contains the address of a server and its claims. Its YAML form is streamcert.yaml, its environment variables begin
// with STREAMCERT_. The tags of its fields, and of the sections that packs add, are the only declaration of each key: see
// package config.
type Config struct {
	_ struct{} `key:"target" required:"true" doc:"the server under test"`

	// URL is the base of every route, such as http://127.0.0.1:8080/api.
	URL string `key:"target.url" kind:"base" required:"true" example:"http://127.0.0.1:8080" doc:"the address that every route begins with; the flag --target overrides it, and launch with it"`
	// Targets are all addresses of a server that runs several times over one store, URL first; nil for a server that has
	// one.
	Targets []string `key:"targets" min:"2" of:"address,addresses" example:"[http://127.0.0.1:8080, http://127.0.0.1:8081]" doc:"the addresses of a server that runs several times over one store, target.url first. Whatever is about one server is asked of the first; launch starts the server once for each"`
	// Name, Version and Commit say which server it is; reports show them. Each may be
	// "". Without a name, a report takes it from the Server header.
	Name    string `key:"target.name" kind:"name" names:"the server" example:"agents" doc:"what reports call the server; by default what its Server header says"`
	Version string `key:"target.version" kind:"name" names:"a version of the server" example:"1.4.0" doc:"its version, for reports; by default what its Server header says"`
	Commit  string `key:"target.commit" kind:"name" names:"what the server was built from" example:"${GIT_COMMIT}" doc:"what it was built from, for reports; none by default"`
	// Routes are the path templates of requests by the names of their routes, where
	// they differ from the default of a [Route].
	Routes map[string]string `key:"routes" kind:"section" doc:"path templates, below target.url"`
	// Headers are sent with every request, certified and control alike. Their
	// values are secrets: no output shows them.
	Headers map[string]string `key:"headers" example:"Authorization: Bearer ${AGENT_TOKEN}" doc:"sent with every request. The values are secrets that no output shows. Without any, the capability auth is not claimed"`

	_ struct{} `key:"control" doc:"the control binding, by which the suite provokes the server; see spec/<pack>/control.md. It is optional, route by route"`

	// ControlToken is sent as X-Streamcert-Control with control calls, and with
	// requests that steer a server as those do. It is a secret.
	ControlToken string `key:"control.token" kind:"secret" example:"${CONTROL_TOKEN}" doc:"sent as X-Streamcert-Control with control calls, and with requests that hold a script; a secret; none by default"`
	// Without lists the capabilities that the server does not claim.
	Without []string `key:"without" of:"capability,capabilities" doc:"the capabilities that the server does not implement, none by default. Every other one is claimed and held against the server. A capability that is there and wrong stays claimed: a baseline is for that. A class that needs a capability can't be earned without it"`
	// Timing bounds every wait.
	Timing Timing `key:"timing" doc:"how long things may take. For a slow machine, change the scale and leave the rest"`
	// Limits bounds the memory for the server's responses, and declares the sizes that the server accepts.
	Limits Limits `key:"limits" doc:"how much is kept of what the server sends, how much it takes, and how often it is asked. Sizes are in bytes, KiB, MiB or GiB. A server that sends more than is kept is cut off there. What it takes is asked of it up to there, and nothing of that may be lost; a scenario that needs more can't find out"`
	// Sections are the config sections of packs: a tagged struct each, or a pointer to one. See [Section].
	Sections []any
	// TLS configures the trust in an https target.
	TLS TLS `key:"tls" doc:"how an https target is trusted. Files are PEM"`
	// Launch configures the start of the server for the run; the zero value starts none.
	Launch Launch `key:"launch" doc:"how the server is started for a run and stopped after it, with everything that it started; by default it runs already"`
	// Model configures the language model that the kit plays; the zero value plays none.
	Model Model `key:"model" doc:"the language model of the server, which the kit plays: for servers whose model is an address in their configuration. By default it plays none"`
	// Baseline is the file of known failures, Output the folder for the reports; "" for none. They are for the runner: a
	// target doesn't use them.
	Baseline string `key:"baseline" kind:"path" example:"baseline.yaml" doc:"the file of what is known to fail, with reasons, none by default. streamcert certify --write-baseline FILE writes one"`
	Output   string `key:"output" kind:"path" example:"out" doc:"the folder for the reports, none by default; the flag --out overrides it"`
	// Packs are the protocols to certify; nil leaves the choice to the runner.
	Packs []string `key:"packs" min:"1" of:"protocol,protocols" doc:"the protocols to certify, by default each that the server answers for; the flag --pack overrides it"`
	// Fleet finds the replicas of a server by the URL of the first, for servers that the program itself has started; nil
	// finds none.
	Fleet func(url string) []Replica
	// Settings are the keys that were set, with their values, a line each, for reports.
	Settings []string
	// Secrets are values that came from the environment into headers, tokens and
	// launch. No output shows them.
	Secrets []string
}

// Timing bounds every wait of a run. Each duration is multiplied by Scale.
type Timing struct {
	Deadline time.Duration `key:"deadline" default:"5s" doc:"whatever has to come must come within it, or up to eight times as late where the suite's own machine is busy"`
	// Delivery replaces Deadline for a frame that has to come; 0 means Deadline.
	Delivery time.Duration `key:"delivery" example:"5s" doc:"how long a frame may take from being written to an attached reader, for a server that looks at its store now and then; the deadline by default"`
	// Quiet is the time for which silence is observed where no barrier exists.
	Quiet time.Duration `key:"quiet" default:"50ms" doc:"how long nothing must come where nothing is expected and no marker can be written"`
	Idle  time.Duration `key:"idle" default:"250ms" doc:"how long a stream is left silent to see that it stays open"`
	// Heartbeat is the interval in which the server promises a comment; 0: it
	// promises none.
	Heartbeat time.Duration `key:"heartbeat" example:"15s" doc:"the interval in which the server promises comments; by default it promises none"`
	// MaxConnection is after how long the server, or the platform that it runs on,
	// ends every connection; 0: it doesn't.
	MaxConnection time.Duration `key:"maxConnection" example:"60s" doc:"after how long the server ends every response, as some platforms do; the end must be a clean one. By default it ends none while a stream is active"`
	// Scenario limits the total time of one scenario; default 20 deadlines.
	Scenario time.Duration `key:"scenario" example:"100s" doc:"for one scenario in all, however often something comes just in time; 20 deadlines by default"`
	// Scale multiplies all of the above but Heartbeat and MaxConnection.
	Scale float64 `key:"scale" max:"1000" default:"1" doc:"multiplies all of these but the heartbeat and maxConnection"`
}

// withDefaults returns the config with defaults for missing values.
func (c Config) withDefaults() Config {
	config.SetDefaults(&c)
	if c.Timing.Delivery == 0 {
		c.Timing.Delivery = c.Timing.Deadline
	}
	if c.Timing.Scenario == 0 {
		c.Timing.Scenario = 20 * max(c.Timing.Deadline, c.Timing.Delivery)
	}
	return c
}

func (t Timing) scaled() Timing {
	by := func(d time.Duration) time.Duration { return time.Duration(float64(d) * t.Scale) }
	t.Deadline, t.Delivery, t.Quiet = by(t.Deadline), by(t.Delivery), by(t.Quiet)
	t.Idle, t.Scenario = by(t.Idle), by(t.Scenario)
	return t
}

// secrets returns the values that no output may show, longest first, so that a
// secret inside another is not left half visible.
func (c Config) secrets() []string {
	values := config.Secrets(c)
	for _, section := range c.Sections {
		values = append(values, config.Secrets(section)...)
	}
	var out []string
	for _, v := range values {
		out = append(out, v)
		// The word after a scheme ("Bearer x") is secret also without the scheme.
		if _, word, ok := strings.Cut(v, " "); ok {
			out = append(out, word)
		}
	}
	for _, address := range c.addresses() {
		if u, err := config.ParseBase(address); err == nil && u.User != nil {
			if p, ok := u.User.Password(); ok {
				out = append(out, p)
			}
		}
	}
	out = slices.DeleteFunc(out, func(s string) bool { return strings.TrimSpace(s) == "" })
	sort.Slice(out, func(i, j int) bool { return len(out[i]) > len(out[j]) })
	return slices.Compact(out)
}

// addresses returns the addresses of all replicas, the first one first.
func (c Config) addresses() []string { return append([]string{c.URL}, c.Targets...) }

// validateTargets checks the addresses of replicas.
func (c Config) validateTargets(pathValues config.Positions) error {
	if !pathValues.Has("targets") {
		return nil
	}
	at := pathValues.Of("targets")
	if len(c.Targets) < 2 {
		return at.Errorf("targets must be a list of at least two addresses; target.url is for one")
	}
	for _, url := range c.Targets {
		if _, err := config.ParseBase(url); err != nil {
			return at.Errorf("targets: %v", err)
		}
	}
	if c.URL != c.Targets[0] {
		return at.Errorf("targets must begin with target.url, %s; it begins with %s", c.URL, c.Targets[0])
	}
	return nil
}

// validate checks combinations of keys, and the files that they name. Errors are of type *[ConfigError].
func (c Config) validate(pathValues config.Positions) error {
	if err := c.TLS.validate(pathValues); err != nil {
		return err
	}
	if err := c.Model.validate(pathValues); err != nil {
		return err
	}
	if err := c.validateTargets(pathValues); err != nil {
		return err
	}
	if pathValues.Has("launch") {
		if len(c.Launch.Command) == 0 {
			return pathValues.Of("launch").Errorf("launch needs a command: a list of the program and its arguments, or a text for the shell")
		}
		if info, err := os.Stat(c.Launch.Cwd); c.Launch.Cwd != "" && (err != nil || !info.IsDir()) {
			return pathValues.Of("launch.cwd").Errorf("launch.cwd: there is no folder %s", c.Launch.Cwd)
		}
	}
	if info, err := os.Stat(c.Baseline); c.Baseline != "" && (err != nil || info.IsDir()) {
		return pathValues.Of("baseline").Errorf("baseline: there is no file %s; `streamcert certify --write-baseline FILE` writes one", c.Baseline)
	}
	if info, err := os.Stat(c.Output); c.Output != "" && err == nil && !info.IsDir() {
		return pathValues.Of("output").Errorf("output: %s is a file; expected a folder, or nothing yet", c.Output)
	}
	return nil
}

// ConfigError is a mistake in a config. Error gives one line: the file and the
// line, or the variable, what is wrong and what was expected.
type ConfigError = config.Error
