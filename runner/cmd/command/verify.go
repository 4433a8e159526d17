package command

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/streamcert/streamcert/runner/certify"
	"github.com/streamcert/streamcert/runner/files"
	"github.com/streamcert/streamcert/runner/pack"
	"github.com/streamcert/streamcert/runner/report"
	"github.com/streamcert/streamcert/schemas"
)

type verify struct{ app *App }

func newVerify(a *App) *cobra.Command {
	v := &verify{a}
	return &cobra.Command{
		Use:   "verify REPORT",
		Short: "Judge the transcripts in a report again",
		Long: "Show the transcripts in a report.json to the judge again, and compare what it finds with what the report says.\n" +
			"What only a step of a scenario can see isn't found again; of that, the parts of the report must agree.\n\n" +
			"Exit codes: 0 when the report is borne out, 1 when a finding is missing or invented or a verdict doesn't follow, 2\n" +
			"for a file that is no report, 3 when scenarios ran and it has no transcripts of them.",
		Args: Arguments("a REPORT"),
		RunE: v.run,
	}
}

func (v *verify) run(cmd *cobra.Command, args []string) error {
	name := args[0]
	r, err := v.read(cmd.Context(), name)
	if err != nil {
		return err
	}
	suite, err := v.app.Suite(cmp.Or(r.Suite.Pack, v.app.packs.Names()[0])) // a report that names none is older than the second pack
	if err != nil {
		return err
	}
	if r.Suite.Digest != suite.Digest {
		fmt.Fprintf(v.app.errs, "streamcert: warning: %s is of suite %s (%s), this is %s (%s); a judge that has changed may see more or less\n",
			report.OneLine(name), report.OneLine(r.Suite.Version), report.OneLine(r.Suite.Digest), suite.Version(), suite.Digest)
	}
	return v.tell(name, suite, r)
}

// mostReport limits the size of a report in bytes.
const mostReport = 128 << 20

// read reads a report and asks its schema whether it is one.
func (v *verify) read(ctx context.Context, name string) (*report.Report, error) {
	text, err := read(ctx, v.app.in, name, mostReport)
	var tooLarge *files.TooLargeError
	if errors.As(err, &tooLarge) {
		return nil, Usage("%s is no report: it has more than %d MiB", name, mostReport>>20)
	}
	if err != nil {
		return nil, err
	}
	if err := document(name, "report", text); err != nil {
		return nil, err
	}
	r, err := report.ReadJSON(bytes.NewReader(text))
	if err != nil {
		return nil, Usage("%s is not what it should be: %w", name, err)
	}
	return r, nil
}

// document checks a file against a schema of the kit.
func document(name, schema string, text []byte) error {
	kit, err := schemas.Kit(schemas.FS)
	if err != nil {
		return fmt.Errorf("reading the schemas: %w", err)
	}
	for _, f := range kit.Document(schema, schemas.Strict, text).Findings {
		where := ""
		if f.Instance != "" {
			where = " at " + f.Instance
		}
		return Usage("%s is not what schemas/%s.json describes: %s%s", name, schema, f.Message, where)
	}
	return nil
}

func (v *verify) tell(name string, suite *pack.Suite, r *report.Report) error {
	out := report.Verify(r, func(exchanges []report.Exchange) (report.Judged, error) {
		return certify.Rejudge(suite, r.Target.Names, exchanges)
	})
	var b strings.Builder
	for _, d := range out.Differences {
		line := cmp.Or(d.Requirement, "the report")
		if d.Scenario != "" {
			line += " · " + d.Scenario
		}
		fmt.Fprintf(&b, "%s: %s\n", report.OneLine(line), report.OneLine(d.Message))
	}
	for _, why := range out.Unjudged {
		fmt.Fprintf(&b, "not judged again: %s\n", report.OneLine(why))
	}
	fmt.Fprintf(&b, "%s: %d scenarios with %d exchanges judged again, %d not, %d differences\n",
		report.OneLine(name), out.Scenarios, out.Exchanges, len(out.Unjudged), len(out.Differences))
	if _, err := io.WriteString(v.app.out, b.String()); err != nil {
		return fmt.Errorf("writing what was found: %w", err)
	}
	switch {
	case len(out.Differences) > 0:
		return Code(broken)
	case out.Scenarios == 0 && slices.ContainsFunc(r.Scenarios, func(s report.Scenario) bool { return s.Outcome == report.Pass || s.Outcome == report.Fail }):
		return errors.New("the report has no transcripts that could be judged; certify --out writes them")
	}
	return nil
}
