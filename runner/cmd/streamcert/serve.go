package main

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/aep"
	"github.com/streamcert/streamcert/reference/mutant"
	aepmutant "github.com/streamcert/streamcert/reference/mutant/aep"
)

type serve struct {
	app                       *app
	listen, mutant            string
	readerToken, controlToken string
	heartbeat                 time.Duration
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
	cmd.Flags().StringVar(&s.controlToken, "control-token", "", "token that control calls need")
	cmd.Flags().DurationVar(&s.heartbeat, "heartbeat", 15*time.Second, "silence after which a comment is sent")
	return cmd
}

// closer is a server whose open responses can be ended.
type closer interface {
	http.Handler
	Close()
}

func (s *serve) handler() (closer, error) {
	if s.heartbeat <= 0 {
		return nil, usage("--heartbeat %v: expected a duration above 0", s.heartbeat)
	}
	o := reference.Options{ReaderToken: s.readerToken, ControlToken: s.controlToken, Heartbeat: s.heartbeat}
	if s.mutant == "" {
		return reference.New(o), nil
	}
	var names []string
	for _, m := range mutant.Catalogue() {
		if m.Name == s.mutant {
			return m.Handler(o), nil
		}
		names = append(names, m.Name)
	}
	agents := aep.Options{Heartbeat: s.heartbeat, ControlToken: s.controlToken}
	if s.readerToken != "" {
		agents.Principals = map[string]string{s.readerToken: "reader"}
	}
	for _, m := range aepmutant.Catalogue() {
		if m.Name == s.mutant {
			return m.Handler(agents), nil
		}
		names = append(names, m.Name)
	}
	return nil, usage("there is no mutant %q%s", s.mutant, suggest(s.mutant, names))
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
