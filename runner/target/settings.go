package target

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/target/config"
)

// noting makes every key record its value in the config when it is read.
func (c *Config) noting(keys []*config.Key) {
	for _, k := range keys {
		c.noting(k.Keys)
		if set := k.Set; set != nil {
			k.Set = func(v any) {
				set(v)
				c.Settings = append(c.Settings, k.Path+": "+shown(k.Kind, v))
			}
		}
	}
}

// shown returns the value of a key for reports, which may be published.
func shown(kind config.Kind, v any) string {
	switch kind {
	case config.Secret, config.Headers, config.Environment, config.Command, config.Template:
		return "(not shown)"
	case config.Names:
		if list, ok := v.([]string); ok {
			return strings.Join(list, ", ")
		}
	}
	return fmt.Sprint(v)
}
