package command

import (
	"fmt"
	"strings"

	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/runner/target"
)

// rerun returns the command that runs one requirement, %s, again in the same way.
func (c *certifying) rerun(t *target.Target) string {
	args := []string{"streamcert", "certify"}
	add := func(flag, value string) {
		if value != "" {
			args = append(args, flag, report.Shell(t.Redact(value)))
		}
	}
	add("--dir", c.app.dir)
	for _, f := range []struct {
		name string
		set  bool
	}{{"--reference", c.reference}, {"--modelled", c.modelled}, {"--model-only", c.modelOnly}} {
		if f.set {
			args = append(args, f.name)
		}
	}
	add("--target", c.aim.url)
	add("--config", c.aim.config)
	add("--baseline", c.baselines.file)
	if c.packFlag != EveryPack {
		add("--pack", c.packFlag)
	}
	if c.strict {
		args = append(args, "--strict")
	}
	if c.effort != string(UsualEffort) {
		add("--effort", c.effort)
	}
	if c.slow > 0 {
		add("--slow", c.slow.String())
	}
	return strings.Join(args, " ") + fmt.Sprintf(" --seed %d --only %%s", c.seed)
}
