package main

import (
	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner"
)

func newProbe(a *app) *cobra.Command {
	var m aim
	var pack string
	cmd := &cobra.Command{
		Use:   "probe",
		Short: "Say what a server offers to be certified by, before any verdict",
		Long:  "Try each certified and each control route on scratch streams, and say which tiers, capabilities and requirements they open.",
		Args:  arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			suites, err := a.suites(pack)
			if err != nil {
				return err
			}
			cfg, err := m.resolve(suites)
			if err != nil {
				return err
			}
			t, err := open(cfg)
			if err != nil {
				return err
			}
			defer t.Close()
			stop, err := a.launched(cmd.Context(), cfg, t)
			if err != nil {
				return err
			}
			defer stop()
			if suites = configured(suites, pack, cfg.Packs); len(cfg.Packs) == 0 {
				suites = a.offered(cmd, suites, t)
			}
			return each(suites, func(suite *runner.Suite) error {
				p, err := suite.Probe(cmd.Context(), t)
				if err != nil {
					return err
				}
				return p.Write(a.out)
			})
		},
	}
	m.flags(cmd)
	packFlag(cmd, &pack)
	return cmd
}
