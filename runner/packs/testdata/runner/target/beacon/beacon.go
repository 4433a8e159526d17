package beacon

import (
	"encoding/json"
	"fmt"

	"github.com/streamcert/streamcert/runner/target"
)

// Config is the section of a config that only this pack needs.
type Config struct {
	Lamp string `key:"lamp" kind:"name" names:"a lamp" default:"north" doc:"the lamp that is watched"`
}

// Section returns the routes and the config section of the pack.
func Section() target.Section {
	return target.Section{
		Name: "beacon", Doc: "what only pack beacon needs", New: func() any { return &Config{} }, Routes: []target.Route{Watch()},
	}
}

// Watch is the route at which a lamp is watched. {lamp} is a place of this pack.
func Watch() target.Route {
	return target.Route{Name: "watch", Template: "/lamps/{lamp}/watch", Doc: "streams what a lamp flashes; {lamp} is beacon.lamp"}
}

// ConfigOf returns the target's config section of this pack, with defaults for the keys that it doesn't set.
func ConfigOf(t *target.Target) Config { return target.SectionOf[Config](t) }

// Ask watches an order. It returns at once, as [target.Session.RequestStream] does, which its error is from.
func Ask(s *target.Session, order, heading string) (*target.Reader, error) {
	return s.RequestStream(target.StreamRequest{
		Route: Watch(), PathValues: map[string]string{"lamp": ConfigOf(s.Target()).Lamp}, Body: written(map[string]any{"order": order}),
		Heading: heading, Hidden: heading == "",
	})
}

// Orders is the control route, below the control prefix of the config.
func Orders(t *target.Target) string {
	return "/lamps/" + target.EscapeSegment(ConfigOf(t).Lamp) + "/orders"
}

// Order is the body of a control call that tells a lamp what to flash.
func Order(name string, texts []string) []byte {
	return written(map[string]any{"order": name, "texts": texts})
}

func written(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil { // strings can be written
		panic(fmt.Errorf("writing a body: %w", err))
	}
	return b
}
