package command

import (
	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/probe"
)

func newProbe(a *App) *cobra.Command {
	var m aim
	var protocol string
	cmd := &cobra.Command{
		Use:   "probe",
		Short: "Say what a server offers to be certified by, before any verdict",
		Long:  "Try each certified and each control route on scratch streams, and say which tiers, capabilities and requirements they open.",
		Args:  Arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			suites, err := a.Suites(protocol)
			if err != nil {
				return err
			}
			cfg, err := m.resolve(a.packs, suites)
			if err != nil {
				return err
			}
			stopModel, err := a.modelled(&cfg)
			if err != nil {
				return err
			}
			defer stopModel()
			t, err := a.open(cfg)
			if err != nil {
				return err
			}
			defer t.Close()
			stop, err := a.launched(cmd.Context(), cfg, t)
			if err != nil {
				return err
			}
			defer stop()
			if suites = configured(suites, protocol, cfg.Packs); len(cfg.Packs) == 0 {
				suites = offered(cmd.Context(), suites, t)
			}
			return Each(suites, func(suite *pack.Suite) error {
				p, err := probe.Run(cmd.Context(), suite, t)
				if err != nil {
					return err
				}
				return p.Write(a.out)
			})
		},
	}
	m.flags(cmd)
	PackFlag(cmd, &protocol)
	return cmd
}
