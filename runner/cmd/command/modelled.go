package command

import (
	"fmt"
	"io"

	"github.com/streamcert/streamcert/reference/model"
	"github.com/streamcert/streamcert/runner/provider"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// modelled starts the model that a config asks for, and passes its address to the server that launch starts. The returned
// function stops the model; it is never nil.
func (a *App) modelled(cfg *target.Config) (stop func(), err error) {
	if cfg.Model.Listen == "" {
		return func() {}, nil
	}
	p, err := provider.Start(provider.Options{Listen: cfg.Model.Listen, Key: cfg.Model.Key})
	if err != nil {
		return func() {}, Misused(err)
	}
	a.model, cfg.Model.Player = p, p
	cfg.Launch.Env = append(cfg.Launch.Env, cfg.Model.Environment(p)...)
	if len(cfg.Launch.Command) == 0 {
		fmt.Fprintf(a.errs, "streamcert: the model is at %s\n", p.URL())
	}
	return p.Close, nil
}

// noteModel prints to errs the mistakes in the server's requests to its model, which is nil if the kit plays none.
func noteModel(errs io.Writer, played *provider.Provider) {
	if played == nil {
		return
	}
	for _, note := range played.Notes() {
		fmt.Fprintf(errs, "streamcert: the model: %s\n", report.OneLine(note))
	}
}

// Modelled lets the servers use a model that the kit plays. With only, nothing but the model provokes them.
func (e *Embedded) Modelled(p *provider.Provider, only bool) {
	e.settings.Model = model.New(p.URL(), p.Key())
	e.Config.Model = target.Model{Listen: "127.0.0.1:0", Key: p.Key(), Player: p, Tools: true, Only: only}
}
