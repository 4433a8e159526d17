package main

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner"
	"github.com/streamcert/streamcert/runner/target"
)

// defaultConfig is read when nothing else says what the target is.
const defaultConfig = "streamcert.yaml"

// aim is how a command is told its target.
type aim struct {
	url    string
	config string
}

func (m *aim) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&m.url, "target", "", "base `URL` of a server that runs; overrides the config's url and launch")
	cmd.Flags().StringVar(&m.config, "config", "", "config `FILE`; "+defaultConfig+" if it is there and nothing else names a target")
}

// resolve reads the config and says what the target is. Every error is the
// caller's to fix.
func (m *aim) resolve(suites []*runner.Suite) (target.Config, error) {
	if m.url == "" && m.config == "" {
		if _, err := os.Stat(defaultConfig); errors.Is(err, os.ErrNotExist) {
			return target.Config{}, usage("nothing says what the target is; give --target URL or --config FILE, or write a %s with `streamcert init`", defaultConfig)
		}
		m.config = defaultConfig
	}
	var cfg target.Config
	if m.config != "" {
		var err error
		if cfg, err = target.ReadConfigFile(m.config, capabilities(suites), runner.Packs()...); err != nil {
			return cfg, misused(err)
		}
	}
	if m.url != "" {
		cfg.URL = m.url
		cfg.Launch = target.Launch{} // it runs already, perhaps under a debugger
	}
	if cfg.URL == "" {
		return cfg, usage("%s names no target.url; add it, or give --target URL", m.config)
	}
	return cfg, nil
}

// open makes the target of a config.
func open(cfg target.Config) (*target.Target, error) {
	t, err := target.New(cfg, target.Options{})
	if err != nil {
		return nil, misused(err)
	}
	return t, nil
}
