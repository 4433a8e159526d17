package command

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fatih/color"
	"github.com/spf13/cobra"
	"golang.org/x/net/http/httpguts"

	"github.com/streamcert/streamcert/runner/client"
	"github.com/streamcert/streamcert/runner/judge"
	"github.com/streamcert/streamcert/runner/observe"
	"github.com/streamcert/streamcert/runner/redact"
	"github.com/streamcert/streamcert/runner/target"
)

type observing struct {
	app                         *App
	method, data                string
	headers                     []string // as they were given, "NAME: VALUE"
	pack, profile, format, save string
	config, variant             string
	during                      time.Duration // of the first read
	limit, seed                 int64         // bytes of a body
	strict, sweep, insecure     bool
	cuts, concurrency           int           // at least 1
	after                       string        // id of an event; "" for none
	disconnects                 []string      // numbers of bytes, as they were given
	deadline                    time.Duration // of each event in a sweep
}

func newObserve(a *App) *cobra.Command {
	o := &observing{app: a}
	cmd := &cobra.Command{
		Use:   "observe URL",
		Short: "Judge any live stream, and prove that it resumes",
		Long: "Read a stream from any server, say of which pack it is, and judge everything that can be judged by listening. The\n" +
			"server needs nothing for it: no control routes, no test build.\n\n" +
			"With --sweep the stream is read again after every event, and with the connection cut in the middle of frames and\n" +
			"of characters. Each time it is resumed as EventSource does, and must be the same: nothing lost, nothing twice, the\n" +
			"last frame again, and 204 after it. A stream that goes on is swept up to what it held.\n\n" +
			"Where the config of --config has a model, the kit plays it meanwhile: a user message with a marker such as ⟦sc:text⟧\n" +
			"gets the script of that name, every other one a fixed answer.\n\n" +
			"Values of headers are never shown. --save keeps what was read, for `streamcert check` and `streamcert view`; what\n" +
			"the stream says stands in it as it came.\n\n" +
			"Exit codes: 0 when nothing is broken; 1 for a broken MUST; 2 for a mistake in the call; 3 when no stream came or\n" +
			"nothing could be found out.",
		Example: "  streamcert observe http://127.0.0.1:8080/streams/s-1/events\n" +
			"  streamcert observe --sweep --seed 1 -H 'Authorization: Bearer …' https://example.org/streams/s-1/events\n" +
			"  streamcert observe -X POST -d @request.json --save answer.sse https://example.org/agent",
		Args: Arguments("a URL"),
		RunE: o.run,
	}
	f := cmd.Flags()
	f.StringVarP(&o.method, "request", "X", "", "`METHOD` of the request (default GET, with -d POST)")
	f.StringVarP(&o.data, "data", "d", "", "`BODY` of the request, @FILE for that of a file, @- for standard input")
	f.StringArrayVarP(&o.headers, "header", "H", nil, "header `'NAME: VALUE'` to send; may be given again")
	f.StringVar(&o.pack, "pack", "auto", "protocol; auto takes what comes for a hint")
	f.StringVar(&o.profile, "profile", "",
		"envelope, or bare where the data of an event is the chunk itself; recognised if not given")
	VariantFlag(cmd, &o.variant)
	f.DurationVar(&o.during, "for", time.Minute, "`DURATION` after which a stream that doesn't end is left; a sweep may take five times as long")
	f.Int64Var(&o.limit, "limit", 64<<20, "`BYTES` after which a stream is left")
	f.StringVar(&o.save, "save", "", "`FILE` to write what was read to")
	f.BoolVarP(&o.insecure, "insecure", "k", false, "trust any certificate")
	f.BoolVar(&o.sweep, "sweep", false, "prove that the stream resumes")
	f.Int64Var(&o.seed, "seed", 0, "`NUMBER` that decides where a long stream is cut; a random one if not given")
	f.IntVar(&o.cuts, "cuts", 500, "most cuts and most resumes, of a stream that is long")
	f.IntVar(&o.concurrency, "concurrency", 8, "readers of a sweep at a time")
	f.DurationVar(&o.deadline, "deadline", 5*time.Second, "the time that a server has in a sweep for each event that it must send")
	f.StringVar(&o.after, "after", "", "sweep only a resume after the event with this `ID`")
	f.StringSliceVar(&o.disconnects, "cut", nil, "sweep only a reader that is cut after these `BYTES`, separated by commas")
	cmd.Flags().StringVar(&o.config, "config", "", "config `FILE` of the server, for the names that it gives to members and for its model")
	f.BoolVar(&o.strict, "strict", false, "exit with 1 for a broken SHOULD too")
	FormatFlag(cmd, &o.format)
	return cmd
}

func (o *observing) run(cmd *cobra.Command, args []string) error {
	request, err := o.request(cmd.Context(), args[0])
	if err != nil {
		return err
	}
	o.app.secrets = redact.New(request.Secrets()...)
	options, err := o.options(cmd)
	if err != nil {
		return err
	}
	options.Packs, options.Load = o.app.packs, o.load
	stopModel, err := o.playModel()
	if err != nil {
		return err
	}
	defer stopModel()
	defer noteModel(o.app.errs, o.app.model)
	name := client.Shown(request.URL)
	if Terminal(o.app.errs) {
		fmt.Fprintf(o.app.errs, "streamcert: reading %s for up to %v; Ctrl-C ends it sooner\n", name, o.during)
	}
	keep, err := o.keep(cmd.Context(), &options)
	if err != nil {
		return err
	}
	result, err := observe.Observe(cmd.Context(), request, options)
	if err := errors.Join(err, keep(err == nil)); err != nil {
		hint := ""
		var distrusted *tls.CertificateVerificationError
		switch {
		case errors.As(err, &distrusted):
			hint = "; -k trusts any certificate"
		case target.Unreached(err):
			hint = "; is the server running, and the URL right?"
		}
		return fmt.Errorf("observing %s: %w%s", name, err, hint)
	}
	if o.format == "json" {
		err = result.JSON(o.app.out, o.strict)
	} else {
		var paint observe.Paint
		if colors(o.app.out) {
			paint = observe.Paint{
				Good: color.New(color.FgGreen).SprintFunc(), Bad: color.New(color.FgRed, color.Bold).SprintFunc(),
			}
		}
		err = result.Console(o.app.out, paint, o.strict)
	}
	if err != nil {
		return err
	}
	return Code(result.ExitCode(o.strict))
}

// playModel starts the model that the config asks for, so that the server has content to stream: a script selected by the
// marker in the user's message, or the fixed answer.
func (o *observing) playModel() (stop func(), err error) {
	if o.config == "" {
		return func() {}, nil
	}
	suites, err := o.app.Suites(EveryPack)
	if err != nil {
		return nil, err
	}
	cfg, err := (&aim{url: "http://127.0.0.1", config: o.config}).resolve(o.app.packs, suites)
	if err != nil {
		return nil, err
	}
	return o.app.modelled(&cfg)
}

// load returns the part of a suite that observing needs.
func (o *observing) load(pack string) (observe.Pack, error) {
	suite, err := o.app.Suite(pack)
	if err != nil {
		return observe.Pack{}, err
	}
	names, err := o.app.names(o.config, suite)
	if err != nil {
		return observe.Pack{}, err
	}
	return observe.Pack{
		Name: suite.Pack.Name, Version: suite.Version(), Digest: suite.Digest, Book: suite.Book,
		Machine: func(opts judge.Options) judge.Machine {
			opts.Names = names
			return suite.Machine(opts)
		},
	}, nil
}

// request builds the observed request from the flags.
func (o *observing) request(ctx context.Context, raw string) (observe.Request, error) {
	r := observe.Request{Method: o.method, URL: raw, Header: http.Header{}}
	err := urlOfStream(raw)
	if err != nil {
		return r, err
	}
	for _, h := range o.headers {
		name, value, ok := strings.Cut(h, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		// The value may be a secret, so it isn't repeated.
		if !ok || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return r, Usage("-H: %d characters that aren't a header; expected 'NAME: VALUE'", len(h))
		}
		r.Header.Add(name, value)
	}
	if r.Body, err = o.body(ctx); err != nil {
		return r, err
	}
	if len(r.Body) > 0 && r.Method == "" {
		r.Method = http.MethodPost
	}
	if !httpguts.ValidHeaderFieldName(r.Method) && r.Method != "" {
		return r, Usage("-X %q is no method; expected GET or POST", r.Method)
	}
	if o.insecure {
		r.TLS = &tls.Config{InsecureSkipVerify: true} //nolint:gosec // requested by the user
	}
	if o.sweeping() && r.Header.Get("Last-Event-ID") != "" {
		return r, Usage("--sweep sends Last-Event-ID itself; leave out that -H")
	}
	return r, nil
}

func (o *observing) sweeping() bool { return o.sweep || o.after != "" || len(o.disconnects) > 0 }

// body reads the source that -d names.
func (o *observing) body(ctx context.Context) ([]byte, error) {
	file, isFile := strings.CutPrefix(o.data, "@")
	if !isFile {
		return []byte(o.data), nil
	}
	b, err := read(ctx, o.app.in, file, mostBody)
	if err != nil && ctx.Err() == nil {
		return nil, Usage("-d %s: %w", o.data, err)
	}
	return b, err
}

// mostBody limits a body from a file: each request sends it from memory.
const mostBody = 64 << 20

// options reads the other flags.
func (o *observing) options(cmd *cobra.Command) (observe.Options, error) {
	out := observe.Options{For: o.during, Limit: o.limit, Grace: o.deadline}
	if err := KnownFormat(o.format); err != nil {
		return out, err
	}
	names := append(o.app.packs.Names(), "auto")
	switch {
	case !slices.Contains(names, o.pack):
		return out, noPack(o.pack, names)
	case o.during <= 0 || o.deadline <= 0:
		return out, Usage("--for %v and --deadline %v: expected durations above 0", o.during, o.deadline)
	case o.limit <= 0 || o.cuts <= 0 || o.concurrency <= 0:
		return out, Usage("--limit %d, --cuts %d and --concurrency %d: expected numbers above 0",
			o.limit, o.cuts, o.concurrency)
	case o.after != "" && len(o.disconnects) > 0:
		return out, Usage("--after and --cut are two sweeps; give one of them")
	}
	if o.variant != "" {
		var err error
		if o.pack, out.Route, err = variantRoute(o.app.packs, o.variant, o.pack, "auto"); err != nil {
			return out, err
		}
	}
	if o.pack != "auto" {
		out.Pack = o.pack
	}
	if o.profile != "" {
		profile, err := profileOf(o.profile)
		if err != nil {
			return out, err
		}
		out.Profile = &profile
	}
	if !o.sweeping() {
		return out, nil
	}
	out.Sweep = &observe.SweepOptions{Seed: o.seed, Cuts: o.cuts, Concurrency: o.concurrency, After: o.after}
	if !cmd.Flags().Changed("seed") {
		out.Sweep.Seed = time.Now().UnixNano() % 1_000_000
	}
	for _, text := range o.disconnects {
		at, err := strconv.ParseInt(text, 10, 64)
		if err != nil || at <= 0 {
			return out, Usage("--cut %q: expected numbers of bytes above 0, separated by commas", text)
		}
		out.Sweep.At = append(out.Sweep.At, at)
	}
	slices.Sort(out.Sweep.At)
	return out, nil
}

// urlOfStream rejects an invalid URL of a stream. The error doesn't repeat it, since it may contain a secret.
func urlOfStream(raw string) error {
	const wanted = "expected http://HOST/PATH or https://HOST/PATH"
	u, err := url.Parse(raw)
	switch {
	case err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https"):
		return nil
	case !strings.Contains(raw, "://"):
		return Usage("%s begins with neither http:// nor https://; %s", strings.TrimPrefix(client.Shown("http://"+raw), "http://"), wanted)
	}
	return Usage("%q is no URL of a stream; %s", client.Shown(raw), wanted)
}
