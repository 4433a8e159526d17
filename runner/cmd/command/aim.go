package command

import (
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/record"
	"github.com/streamcert/streamcert/runner/target"
)

// defaultConfig is the config file if neither a flag nor the environment names the target.
const defaultConfig = "streamcert.yaml"

// aim contains the flags that name a target.
type aim struct {
	url    string // "" leaves it to the config
	config string // "" reads the default file, if there is one
}

func (m *aim) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&m.url, "target", "", "base `URL` of a server that runs; overrides the config's target.url, targets and launch")
	cmd.Flags().StringVar(&m.config, "config", "", "config `FILE`; "+defaultConfig+" if it is there")
}

// resolve reads the config, which may have sections of all packs, and the environment and flags that override it, and
// returns the config of the target. Every error is a mistake of the caller.
func (m *aim) resolve(all packs.List, suites []*pack.Suite) (target.Config, error) {
	if m.config == "" {
		if _, err := os.Stat(defaultConfig); !errors.Is(err, os.ErrNotExist) {
			m.config = defaultConfig
		}
	}
	format := target.Format{Sections: all.Sections(), Capabilities: capabilities(suites), Packs: all.Names()}
	cfg, err := format.ReadFile(m.config)
	if err != nil {
		return cfg, Misused(err)
	}
	if m.url != "" {
		cfg.URL, cfg.Targets = m.url, nil
		cfg.Launch = target.Launch{} // it runs already, perhaps under a debugger
	}
	if cfg.URL == "" && m.config == "" {
		return cfg, Usage("there is no target; give --target URL or --config FILE, set %sTARGET_URL, or write a %s with `streamcert init`",
			target.Prefix, defaultConfig)
	}
	if cfg.URL == "" {
		return cfg, Usage("%s names no target.url; add it, or give --target URL", m.config)
	}
	return cfg, nil
}

// namesFlag is a config for commands that make no target of it.
func namesFlag(cmd *cobra.Command, config *string) {
	cmd.Flags().StringVar(config, "config", "", "config `FILE` of the server, for the names that it gives to members; nothing else of it is used")
}

// names returns the names that a config gives to members, none without a config.
func (a *App) names(config string, suite *pack.Suite) (record.Names, error) {
	if config == "" {
		return nil, nil
	}
	suites, err := a.Suites("all")
	if err != nil {
		return nil, err
	}
	m := aim{url: "http://127.0.0.1", config: config} // no request is sent to it
	cfg, err := m.resolve(a.packs, suites)
	if err != nil {
		return nil, err
	}
	t, err := target.New(cfg, target.Options{})
	if err != nil {
		return nil, Misused(err)
	}
	defer t.Close()
	return suite.Names(t), nil
}

// open makes the target of a config, whose secrets aren't printed from then on.
func (a *App) open(cfg target.Config) (*target.Target, error) {
	a.secrets = cfg.Redactor()
	t, err := target.New(cfg, target.Options{})
	if err != nil {
		return nil, Misused(err)
	}
	return t, nil
}
