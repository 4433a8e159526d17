package main

import (
	"cmp"
	"time"

	"github.com/streamcert/streamcert/reference"
	"github.com/streamcert/streamcert/reference/aep"
	aepidle "github.com/streamcert/streamcert/reference/idle/aep"
	helixidle "github.com/streamcert/streamcert/reference/idle/helix"
	"github.com/streamcert/streamcert/reference/model"
	aepmutant "github.com/streamcert/streamcert/reference/mutant/aep"
	mutant "github.com/streamcert/streamcert/reference/mutant/helix"
	aepvariant "github.com/streamcert/streamcert/reference/variant/aep"
	variant "github.com/streamcert/streamcert/reference/variant/helix"
	"github.com/streamcert/streamcert/runner/prove"
	"github.com/streamcert/streamcert/runner/target"
	targetaep "github.com/streamcert/streamcert/runner/target/aep"
	targethelix "github.com/streamcert/streamcert/runner/target/helix"
)

// brokenServers are the mutants of the reference server, by the name of their pack. A new pack adds its line here,
func brokenServers() map[string][]alteration[prove.Mutant] {
	return map[string][]alteration[prove.Mutant]{
		"helix": alterations(mutant.Catalogue(), helixMutant),
		"aep":   alterations(aepmutant.Catalogue(), aepMutant),
	}
}

// deepServers are mutants that no single scenario is made for, and here if it has campaigns,
func deepServers() map[string][]alteration[prove.Mutant] {
	return map[string][]alteration[prove.Mutant]{
		"helix": alterations(mutant.Deep(), helixMutant),
		"aep":   alterations(aepmutant.Deep(), aepMutant),
	}
}

// rightServers are the variants of it, and here,
func rightServers() map[string][]alteration[prove.Variant] {
	return map[string][]alteration[prove.Variant]{
		"helix": alterations(variant.Catalogue(), helixVariant),
		"aep":   alterations(aepvariant.Catalogue(), aepVariant),
	}
}

// idleServers are those that show little of it, and here.
func idleServers() map[string][]alteration[prove.IdleServer] {
	return map[string][]alteration[prove.IdleServer]{
		"helix": alterations(helixidle.Catalogue(), helixIdle),
		"aep":   alterations(aepidle.Catalogue(), aepIdle),
	}
}

// settings are the options of the reference server, pack by pack.
type settings struct {
	helix  reference.Options
	aep    aep.Options
	limits *targetaep.Config // what the config is told of them, nil for nothing
}

func (s settings) reference() closer { return reference.NewWithAgents(s.helix, s.aep) }

// guarded are the settings of a server that asks for tokens, "" for none.
func guarded(reader, control string, heartbeat time.Duration, validate func([]byte) error, known func(host string) bool) settings {
	s := settings{
		helix: reference.Options{ReaderToken: reader, ControlToken: control, Heartbeat: heartbeat, Validate: validate, KnownHost: known},
		aep:   aep.Options{ControlToken: control, Heartbeat: heartbeat, KnownHost: known},
	}
	if reader != "" {
		s.aep.Principals = map[string]string{reader: "reader"}
	}
	return s
}

// limit makes principals and limits that the scenarios can meet, and tells the config of them.
func (s *settings) limit(cfg *target.Config, reader, other, limited string) {
	s.aep.Principals = map[string]string{reader: "reader", other: "other", limited: "limited"}
	s.aep.Rates = map[string]aep.Rate{"limited": {Requests: requests}}
	// Streams of the agent that everything else is asked of may take long: a busy
	// machine is slow with them.
	s.aep.MaxMessage, s.aep.Timeouts = message, map[string]time.Duration{timeoutAgent: streamTimeout}
	s.limits = &targetaep.Config{
		Other: bearer(other), Limited: bearer(limited), Message: message, Requests: requests, StreamTimeout: streamTimeout,
		TimeoutAgent: timeoutAgent,
	}
	cfg.Sections = []any{s.limits}
}

// ask lets agents ask a model.
func (s *settings) ask(client *model.Client) {
	s.aep.Model, s.helix.Model = aep.Modelled{Client: client}, client
}

func helixMutant(m mutant.Mutant) alteration[prove.Mutant] {
	return alteration[prove.Mutant]{
		prove.Mutant{Name: m.Name, Requirement: m.Requirement, Summary: m.Summary, Also: m.Also, Stateful: m.Stateful, Whole: m.Whole, Aside: m.Aside},
		func(s settings) closer { return m.Handler(s.helix) }, idle,
	}
}

func aepMutant(m aepmutant.Mutant) alteration[prove.Mutant] {
	return alteration[prove.Mutant]{
		prove.Mutant{Name: m.Name, Requirement: m.Requirement, Summary: m.Summary, Also: m.Also, Stateful: m.Stateful, Whole: m.Whole, Aside: m.Aside},
		func(s settings) closer { return m.Handler(s.aep) }, idle,
	}
}

func helixVariant(v variant.Variant) alteration[prove.Variant] {
	return alteration[prove.Variant]{
		prove.Variant{
			Name: v.Name, Freedom: v.Freedom, Summary: v.Summary, Warns: v.Warns, HTTP2: v.HTTP2, Slow: v.Slow,
			MaxConnection: v.MaxConnection, Limits: target.Limits{String: v.LongestString, Events: v.Events, Readers: v.Readers},
			Sections: []any{targethelix.Config{Replay: v.Replays}},
		},
		func(s settings) closer { return v.Handler(s.helix) }, cmp.Or(v.Idle, idle),
	}
}

func aepVariant(v aepvariant.Variant) alteration[prove.Variant] {
	return alteration[prove.Variant]{
		prove.Variant{Name: v.Name, Freedom: v.Freedom, Summary: v.Summary, Warns: v.Warns, HTTP2: v.HTTP2, Slow: v.Slow},
		func(s settings) closer { return v.Handler(s.aep) }, cmp.Or(v.Idle, idle),
	}
}

func helixIdle(i helixidle.Server) alteration[prove.IdleServer] {
	return alteration[prove.IdleServer]{
		prove.IdleServer{Name: i.Name, Summary: i.Summary, Never: i.Never},
		func(s settings) closer { return i.Handler(s.helix) }, idle,
	}
}

func aepIdle(i aepidle.Server) alteration[prove.IdleServer] {
	return alteration[prove.IdleServer]{
		prove.IdleServer{Name: i.Name, Summary: i.Summary, Never: i.Never},
		func(s settings) closer { return i.Handler(s.aep) }, idle,
	}
}
