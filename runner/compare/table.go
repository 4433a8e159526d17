package compare

import (
	"slices"

	"github.com/streamcert/streamcert/runner/report"
)

// Table shows which servers earned which classes of a pack.
type Table struct {
	Pack    string
	Classes []string // in the order of the first report that has them
	Rows    []Row
}

// Row is a server.
type Row struct {
	Server string // its identity, or its address
	Named
	Verdict report.Verdict // of the run: pass, fail or error
	Cells   []Cell         // by class
}

// Cell is the result for a server and a class.
type Cell struct {
	Sign string // a mark that is readable without colours
	Text string // such as "earned" or "3 fail"
}

// Tables returns a table for each pack of some reports, in the order of the reports.
func Tables(all []Named) []Table {
	var out []Table
	for _, n := range all {
		at := slices.IndexFunc(out, func(t Table) bool { return t.Pack == n.Suite.Pack })
		if at < 0 {
			at = len(out)
			out = append(out, Table{Pack: n.Suite.Pack})
		}
		t := &out[at]
		for _, c := range n.Classes {
			if !slices.Contains(t.Classes, c.Name) {
				t.Classes = append(t.Classes, c.Name)
			}
		}
		t.Rows = append(t.Rows, rowOf(n))
	}
	for i, t := range out {
		for k := range t.Rows {
			out[i].Rows[k].fill(t.Classes)
		}
	}
	return out
}

func rowOf(n Named) Row {
	row := Row{Server: n.Target.Identity(), Named: n, Verdict: report.Pass}
	if row.Server == "" {
		row.Server = n.Target.URL
	}
	switch n.ExitCode(nil) {
	case 1:
		row.Verdict = report.Fail
	case 3:
		row.Verdict = report.Error
	}
	return row
}

func (r *Row) fill(classes []string) {
	for _, name := range classes {
		at := slices.IndexFunc(r.Report.Classes, func(c report.Class) bool { return c.Name == name })
		cell := Cell{"·", "not in the report"}
		if at >= 0 {
			switch c := r.Report.Classes[at]; {
			case c.Earned:
				cell = Cell{"✓", "earned"}
			case c.Unclaimed != "":
				cell = Cell{"–", "not claimed"}
			default:
				cell = Cell{"✗", c.Lacks()}
			}
		}
		r.Cells = append(r.Cells, cell)
	}
}
