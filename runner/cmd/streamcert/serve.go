package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/reference/model"
	"github.com/streamcert/streamcert/runner/packs"
)

type serve struct {
	app                       *app
	listen, mutant            string
	readerToken, controlToken string
	heartbeat                 time.Duration
	hosts                     []string
	model, modelKey           string
}

func newServe(a *app) *cobra.Command {
	s := &serve{app: a}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the reference server, or one that is broken on purpose",
		Long:  "Run the reference server until it is interrupted. The first line on standard output is the URL at which it listens.",
		Args:  arguments(),
		RunE:  s.run,
	}
	cmd.Flags().StringVar(&s.listen, "listen", "127.0.0.1:0", "`ADDRESS` to listen on; port 0 takes a free one")
	cmd.Flags().StringVar(&s.mutant, "mutant", "", "`NAME` of the bug that the server has")
	cmd.Flags().StringVar(&s.readerToken, "reader-token", "", "bearer token that readers need")
	cmd.Flags().StringVar(&s.controlToken, "control-token", "", "token that control calls and scripts need")
	cmd.Flags().StringSliceVar(&s.hosts, "allow-host", nil, "`NAMES` under which control calls may ask for the server, beside addresses and localhost,\n"+
		"separated by commas; with --control-token every name may")
	cmd.Flags().StringVar(&s.model, "model", os.Getenv("MODEL_URL"), "`URL` of an OpenAI-compatible provider, ending in /v1, that agents ask; MODEL_URL of the environment if not given")
	cmd.Flags().StringVar(&s.modelKey, "model-key", os.Getenv("MODEL_KEY"), "`KEY` for it; MODEL_KEY of the environment if not given")
	cmd.Flags().DurationVar(&s.heartbeat, "heartbeat", 15*time.Second, "silence after which a comment is sent")
	return cmd
}

func (s *serve) handler() (closer, error) {
	if s.heartbeat <= 0 {
		return nil, usage("--heartbeat %v: expected a duration above 0", s.heartbeat)
	}
	o := guarded(s.readerToken, s.controlToken, s.heartbeat, nil, s.known)
	if s.model != "" {
		o.ask(model.New(s.model, s.modelKey))
	}
	if s.mutant == "" {
		return o.reference(), nil
	}
	var names []string
	servers, deep := brokenServers(), deepServers()
	for _, pack := range packs.Names() {
		for _, m := range slices.Concat(servers[pack], deep[pack]) {
			if m.entry.Name == s.mutant {
				return m.handler(o), nil
			}
			names = append(names, m.entry.Name)
		}
	}
	return nil, usage("there is no mutant %q%s", s.mutant, suggest(s.mutant, names))
}

// known says whether a name is one of --allow-host.
func (s *serve) known(name string) bool {
	return slices.ContainsFunc(s.hosts, func(h string) bool { return strings.EqualFold(h, name) })
}

func (s *serve) run(cmd *cobra.Command, _ []string) error {
	h, err := s.handler()
	if err != nil {
		return err
	}
	defer h.Close()
	server, err := listen(s.listen, h, s.app.errs)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(s.app.out, server.URL); err != nil {
		server.stop()
		return fmt.Errorf("writing the URL: %w", err)
	}
	select {
	case <-cmd.Context().Done():
		h.Close()
		server.stop()
		return nil
	case err := <-server.done:
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return fmt.Errorf("serving at %s: %w", server.URL, err)
	}
}
