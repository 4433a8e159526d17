package command

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/net/http/httpguts"
	"golang.org/x/term"

	"github.com/streamcert/streamcert/runner/client"
	"github.com/streamcert/streamcert/runner/recording"
	"github.com/streamcert/streamcert/runner/redact"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/view"
)

// usualWidth is the width in columns of a page that no terminal shows.
const usualWidth = 80

type viewing struct {
	app              *App
	agent, agentType string   // id; "" for every agent
	types, without   []string // only these, and without those; nil for no choice
	headers          []string // as they were given, "NAME: VALUE"
	text, follow     bool
	noColor          bool
	width            int // columns; 0 for lines of any length, -1 for the terminal's
}

func newView(a *App) *cobra.Command {
	v := &viewing{app: a}
	cmd := &cobra.Command{
		Use:   "view FILE|URL|-",
		Short: "Show a stream as a transcript for people",
		Long: "Show what agents did on a " + a.viewed() + " stream: what they said and thought, their tools with durations, sub-agents below\n" +
			"their parents, the state after each patch, and how it ended. Nothing is judged; `streamcert check` does that.\n\n" +
			"FILE is what check reads: the body of an event stream, or the data of its frames as one JSON document a line, with\n" +
			"or without envelopes. URL is that of a stream; it is shown as it comes, up to its end or an interrupt.\n\n" +
			"The signs in the margin, which no text of a stream can get into:\n" +
			"  ● who speaks   ┊ reasoning   ▶ ✓ ✗ a tool begins, is done, fails   ? an approval is asked for   Δ state\n" +
			"  ┌ └ a sub-agent, and between them what it did   • a custom event   ─ steps, checkpoints, pauses   ■ results\n" +
			"  ! about the recording itself: something can't be read, or it ends too early\n" +
			"Long values are cut after some lines; their size follows.\n\n" +
			"Exit codes: 0 when everything could be read, though the stream may have failed or be cut at its end; 1 when an event\n" +
			"couldn't be read; 2 for a mistake in the call; 3 when there is nothing to show, or reading failed.",
		Args: Arguments("a FILE, a URL, or - for standard input"),
		RunE: v.run,
	}
	f := cmd.Flags()
	f.StringVar(&v.agent, "agent", "", "only the agent with this `ID`; that of the root agent leaves sub-agents out")
	f.StringVar(&v.agentType, "agent-type", "", "only agents of this `TYPE`")
	f.StringSliceVar(&v.types, "type", nil, "only chunks of these `TYPES`, separated by commas")
	f.StringSliceVar(&v.without, "exclude-type", nil, "no chunks of these `TYPES`, separated by commas")
	f.BoolVar(&v.text, "text", false, "only what the root agent says, or the one of --agent or --agent-type; notes go to standard error")
	f.BoolVarP(&v.follow, "follow", "f", false, "of a URL: resume after the last event when the connection breaks; of a FILE: wait for more,\n"+
		"both until the stream has ended or an interrupt")
	f.StringArrayVarP(&v.headers, "header", "H", nil, "header `'NAME: VALUE'` to send with requests; may be given again")
	f.IntVar(&v.width, "width", -1, "`COLUMNS` of a line, 0 for any number; the terminal's if not given, or 80 (with --text: any)")
	f.Lookup("width").DefValue = "0" // hides -1, which users aren't meant to set
	f.BoolVar(&v.noColor, "no-color", false, "don't paint; so does NO_COLOR in the environment")
	return cmd
}

// writer is a transcript, or the text alone.
type writer interface {
	Event(view.Event) error
	Count() view.Count
	Close() error
}

func (v *viewing) run(cmd *cobra.Command, args []string) error {
	name := args[0]
	isURL := strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
	header, err := v.valid(cmd, isURL)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	var src view.Source
	if isURL {
		v.app.secrets = redact.New(client.Request{URL: name, Header: header}.Secrets()...)
		live := &client.EventSource{Request: client.Request{URL: name, Header: header}, Again: v.follow, Note: v.note, Repeated: view.Repeated}
		if err := v.connect(ctx, live); err != nil {
			return err
		}
		defer live.Close()
		src = live
	} else {
		in, err := openRecording(ctx, v.app.in, name)
		if err != nil {
			return err
		}
		defer in.Close()
		src = v.frames(ctx, in)
	}
	return v.show(ctx, name, src, isURL || v.follow)
}

// valid checks the flags.
func (v *viewing) valid(cmd *cobra.Command, isURL bool) (http.Header, error) {
	switch {
	case v.text && (len(v.types) > 0 || len(v.without) > 0):
		return nil, Usage("--text shows text and nothing else; leave out --type and --exclude-type")
	case cmd.Flags().Changed("width") && v.width < 0:
		return nil, Usage("--width %d: expected columns, or 0 for lines of any length", v.width)
	case len(v.headers) > 0 && !isURL:
		return nil, Usage("-H is sent with requests, and a FILE needs none; expected a URL that begins with http:// or https://")
	}
	header := http.Header{}
	for _, h := range v.headers {
		name, value, ok := strings.Cut(h, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		// The value may be a secret, so it isn't repeated.
		if !ok || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, Usage("-H: %d characters that aren't a header; expected 'NAME: VALUE'", len(h))
		}
		header.Add(name, value)
	}
	return header, nil
}

func (v *viewing) connect(ctx context.Context, live *client.EventSource) error {
	if err := urlOfStream(live.Request.URL); err != nil {
		return err
	}
	if err := live.Open(ctx); err != nil {
		return fmt.Errorf("reading %s: %w", client.Shown(live.Request.URL), err)
	}
	return nil
}

func (v *viewing) frames(ctx context.Context, in io.Reader) view.Source {
	if v.follow {
		in = view.Tail(ctx, in)
	}
	_, frames := recording.Open(in, 0)
	return frames
}

func (v *viewing) note(text string) {
	fmt.Fprintf(v.app.errs, "streamcert: %s\n", report.OneLine(text))
}

// writer chooses the format of the output.
func (v *viewing) writer(live bool) writer {
	width := v.width
	if width < 0 {
		width = usualWidth
		if v.text {
			width = 0
		}
		if f, ok := terminalOf(v.app.out); ok {
			if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
				width = columns
			}
		}
	}
	o := view.Options{
		Width: width, Color: colors(v.app.out) && !v.noColor, Live: live, Show: v.chosen(), Flat: v.agent != "",
	}
	if !v.text {
		return view.NewTranscript(v.app.out, o)
	}
	return view.NewWords(v.app.out, o, func(text string) error {
		v.note(text)
		return nil
	})
}

// chosen is nil when nothing was chosen.
func (v *viewing) chosen() func(view.Chunk) bool {
	var filters []view.Filter
	if v.agent != "" {
		filters = append(filters, view.ByAgent(v.agent))
	}
	if v.agentType != "" {
		filters = append(filters, view.ByAgentType(v.agentType))
	}
	if len(v.types) > 0 {
		filters = append(filters, view.ByType(v.types...))
	}
	if len(v.without) > 0 {
		filters = append(filters, view.Exclude(v.without...))
	}
	if filters == nil {
		return nil
	}
	all := view.Chain(filters...)
	return func(c view.Chunk) bool {
		for range all(func(yield func(view.Chunk) bool) { yield(c) }) {
			return true
		}
		return false
	}
}

func (v *viewing) show(ctx context.Context, name string, src view.Source, live bool) error {
	w := v.writer(live)
	var failure error
	for e, err := range view.Events(src) {
		if err == nil {
			err = w.Event(e)
		}
		if err == nil && !live {
			err = ctx.Err()
		}
		if err != nil {
			failure = err
			break
		}
		if live && e.Terminal() {
			break
		}
	}
	stopped := ctx.Err() != nil
	if live && stopped {
		failure = nil
	}
	v.ending(w, failure, stopped)
	if err := w.Close(); err != nil {
		return err
	}
	v.unmatched(w.Count())
	return v.outcome(name, w.Count(), failure, stopped)
}

// ending prints why the output ends before the stream.
func (v *viewing) ending(w writer, failure error, stopped bool) {
	c := w.Count()
	t, ok := w.(*view.Transcript)
	if !ok || c.Ended || c.Events == 0 {
		return
	}
	switch {
	case failure != nil:
		t.Note("this is as far as it could be read")
	case stopped:
		t.Note("stopped; the stream has not ended")
	default:
		t.Note("this is all there is; the stream had not ended")
	}
}

// unmatched hints at a filter that matched nothing.
func (v *viewing) unmatched(c view.Count) {
	if c.Shown > 0 || c.Chunks == 0 || v.agent == "" && v.agentType == "" && len(v.types) == 0 {
		return
	}
	v.note(fmt.Sprintf("none of the %d chunks was chosen; among them are the types %s, of the agents %s",
		c.Chunks, strings.Join(c.Types, ", "), strings.Join(c.Agents, ", ")))
}

// viewed names the packs whose streams are shown.
func (a *App) viewed() string {
	var names []string
	for _, p := range a.packs {
		if p.Stream.Viewed {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, " or ")
}

func (v *viewing) outcome(name string, c view.Count, failure error, stopped bool) error {
	if u, err := url.Parse(name); err == nil && u.User != nil {
		name = client.Shown(name)
	}
	switch {
	case failure != nil && c.Broken > 0:
		return &outcome{broken, fmt.Errorf("reading %s: %w", name, failure)}
	case failure != nil:
		return fmt.Errorf("reading %s: %w", name, failure)
	case c.Broken > 0:
		return Code(broken)
	case c.Events == 0 && !stopped:
		return fmt.Errorf("reading %s: there is no event in it; expected the body of an event stream, or one frame or chunk "+
			"a line as JSON", name)
	case c.Unknown == c.Events && c.Events > 0:
		return fmt.Errorf("reading %s: none of the %d events has a type that %s knows; is it of another protocol?",
			name, c.Events, v.app.viewed())
	}
	return nil
}
