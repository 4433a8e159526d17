package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/reference/model"
	"github.com/streamcert/streamcert/runner/cmd/servers"
	"github.com/streamcert/streamcert/runner/httpserver"
)

type serve struct {
	app                       *App
	listen                    string        // address with a port; 0 takes a free one
	mutant, variant, pack     string        // at most one of mutant and variant is set
	readerToken, controlToken string        // "" needs none
	heartbeat                 time.Duration // above 0
	hosts                     []string      // names under which control calls may come, in addition to local ones
	model, modelKey           string        // URL of a provider; "" for none
	store                     string        // URL; "" keeps streams in memory
	retention                 time.Duration // of finished streams in the store; at least a minute
}

func newServe(a *App) *cobra.Command {
	s := &serve{app: a}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the reference server, or one that is altered on purpose",
		Long:  "Run the reference server until it is interrupted. The first line on standard output is the URL at which it listens.",
		Args:  Arguments(),
		RunE:  s.run,
	}
	cmd.Flags().StringVar(&s.listen, "listen", "127.0.0.1:0", "`ADDRESS` to listen on; port 0 takes a free one")
	cmd.Flags().StringVar(&s.mutant, "mutant", "", "`NAME` of the bug that the server has")
	cmd.Flags().StringVar(&s.variant, "variant", "", "`NAME` of the freedom of the spec that the server uses")
	cmd.Flags().StringVar(&s.pack, "pack", "", "`PROTOCOL` of that name, if several have one")
	cmd.Flags().StringVar(&s.readerToken, "reader-token", "", "bearer `TOKEN` that readers need; "+readerVariable+" of the environment if not given")
	cmd.Flags().StringVar(&s.controlToken, "control-token", "", "`TOKEN` that control calls and scripts need; "+controlVariable+" of the environment if not given")
	cmd.Flags().StringSliceVar(&s.hosts, "allow-host", nil, "`NAMES` under which control calls may ask for the server, beside addresses and localhost,\n"+
		"separated by commas; with --control-token every name may")
	cmd.Flags().StringVar(&s.model, "model", "", "`URL` of an OpenAI-compatible provider, ending in /v1, that agents ask; MODEL_URL of the environment if not given")
	cmd.Flags().StringVar(&s.modelKey, "model-key", "", "`KEY` for it; MODEL_KEY of the environment if not given")
	cmd.Flags().StringVar(&s.store, "store", "", "`URL` of what keeps the streams, such as redis://localhost:6379/0 (Redis 7 or newer);\nSTORE_URL of the environment if not given, and without that the memory of this process")
	cmd.Flags().DurationVar(&s.retention, "retention", 24*time.Hour, "how long that keeps a finished stream")
	cmd.Flags().DurationVar(&s.heartbeat, "heartbeat", 15*time.Second, "silence after which a comment is sent")
	return cmd
}

func (s *serve) handler() (servers.Server, error) {
	if s.heartbeat <= 0 {
		return nil, Usage("--heartbeat %v: expected a duration above 0", s.heartbeat)
	}
	o := servers.Settings{Reader: s.readerToken, Control: s.controlToken, Heartbeat: s.heartbeat, KnownHost: s.known}
	if s.model != "" {
		o.Model = model.New(s.model, s.modelKey)
	}
	kept, err := s.keep(&o)
	if err != nil {
		return nil, err
	}
	server, err := s.server(o)
	if err != nil {
		_ = kept.Close()
		return nil, err
	}
	return stored{server, kept}, nil
}

// stored is a server, and the store that is closed after it.
type stored struct {
	servers.Server
	store io.Closer // closed after the server
}

func (s stored) Close() {
	s.Server.Close()
	_ = s.store.Close() // the process is ending
}

// Variables of the environment that hold the tokens of a server. Arguments are shown to every user of the machine.
const (
	readerVariable  = "SERVE_READER_TOKEN"
	controlVariable = "SERVE_CONTROL_TOKEN"
)

// storeVariable is the environment variable with the URL of the store.
const storeVariable = "STORE_URL"

// keep stores the streams in the store that the flags name, if they name one.
func (s *serve) keep(o *servers.Settings) (io.Closer, error) {
	url := cmp.Or(s.store, os.Getenv(storeVariable)) // never in a text: it may hold a password
	if url == "" {
		return io.NopCloser(nil), nil
	}
	if !strings.HasPrefix(url, "redis://") && !strings.HasPrefix(url, "rediss://") && !strings.HasPrefix(url, "unix://") {
		return nil, Usage("--store: expected a URL such as redis://localhost:6379/0")
	}
	if s.retention < time.Minute {
		return nil, Usage("--retention %v: expected at least 1m, which readers that come back need", s.retention)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	kept, err := s.app.program.Open(ctx, url, s.retention, s.app.errs)
	if err != nil {
		return nil, err
	}
	o.Streams = kept
	return kept, nil
}

// server makes the requested server.
func (s *serve) server(o servers.Settings) (servers.Server, error) {
	all := s.app.servers
	if s.mutant != "" && s.variant != "" {
		return nil, Usage("--mutant and --variant: expected one of them")
	}
	if names := s.app.packs.Names(); s.pack != "" && !slices.Contains(names, s.pack) {
		return nil, noPack(s.pack, names)
	}
	if s.mutant == "" && s.variant == "" {
		return all.Reference(o), nil
	}
	kind, name := Mutant, s.mutant
	if s.variant != "" {
		kind, name = Variant, s.variant
	}
	var found []func(servers.Settings) servers.Server
	var names, packs []string
	for _, p := range all {
		if cmp.Or(s.pack, p.Name) != p.Name {
			continue
		}
		altered := s.app.program.Altered(kind, p.Name)
		if begin := altered[name]; begin != nil {
			found, packs = append(found, begin), append(packs, p.Name)
		}
		names = slices.AppendSeq(names, maps.Keys(altered))
	}
	switch len(found) {
	case 0:
		slices.Sort(names) // a suggestion is the same each time
		return nil, Usage("there is no %s %q%s", kind, name, Suggest(name, names))
	case 1:
		return found[0](o), nil
	}
	return nil, Usage("several packs have a %s %q: expected --pack with one of %s", kind, name, strings.Join(packs, ", "))
}

// known reports whether a name is one of --allow-host.
func (s *serve) known(name string) bool {
	return slices.ContainsFunc(s.hosts, func(h string) bool { return strings.EqualFold(h, name) })
}

// guarded refuses requests that a page of another origin can make a browser send, if answers cost money.
func (s *serve) guarded(h http.Handler) http.Handler {
	if s.model == "" {
		return h
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := httpserver.Local(r, s.known); err != nil {
			http.Error(w, "--model: "+err.Error()+"; see --allow-host", http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	})
}

func (s *serve) run(cmd *cobra.Command, _ []string) error {
	for _, from := range []struct {
		flag     *string
		variable string
	}{{&s.model, "MODEL_URL"}, {&s.modelKey, "MODEL_KEY"}, {&s.readerToken, readerVariable}, {&s.controlToken, controlVariable}} {
		*from.flag = cmp.Or(*from.flag, os.Getenv(from.variable)) // no default of a flag, which --help shows
	}
	if (s.mutant != "" || s.variant != "") && s.app.program.Altered == nil {
		return s.app.handOver(cmd.Context(), "a server that is altered on purpose is one")
	}
	if cmp.Or(s.store, os.Getenv(storeVariable)) != "" && s.app.program.Open == nil {
		return s.app.handOver(cmd.Context(), "a server over a store is one")
	}
	h, err := s.handler()
	if err != nil {
		return err
	}
	defer h.Close()
	server, err := listen(s.listen, s.guarded(h), s.app.errs)
	if err != nil {
		return err
	}
	if !httpserver.Loopback(server.address) && (s.controlToken == "" || s.readerToken == "") {
		fmt.Fprintf(s.app.errs, "streamcert: warning: other machines reach %s; expected --control-token and --reader-token, or --listen 127.0.0.1:0\n", server.URL)
	}
	if _, err := fmt.Fprintln(s.app.out, server.URL); err != nil {
		server.stop()
		return fmt.Errorf("writing the URL: %w", err)
	}
	s.app.orderly.Store(true)
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
