package record

// Finding is one violation of one requirement, as the judge and the steps make it and as reports show it. Its JSON members
// are those of report.json, in order; a writer adds the others where it shows them.
type Finding struct {
	Requirement string `json:"-"`       // its id
	Message     string `json:"message"` // a sentence without a full stop
	Want        string `json:"want,omitempty"`
	Got         string `json:"got,omitempty"` // for people, as Want is; either may be empty

	// DemandedBy is the id of the requirement that demands the event that didn't come; "" if something came, or the event isn't
	// known.
	DemandedBy string `json:"owed,omitempty"`

	Scenario string `json:"scenario,omitempty"` // title of the scenario that saw it, "" outside one
	Location string `json:"place,omitempty"`    // features/….feature:line, likewise
	Step     string `json:"step,omitempty"`     // the step that saw it, "" for the judge
	Setup    bool   `json:"setup,omitempty"`    // the step is a Given: what the scenario asks for was not looked at
	Instance string `json:"instance,omitempty"` // JSON pointer into the data
	Schema   string `json:"schema,omitempty"`   // file#/keyword that found it
	History  string `json:"history,omitempty"`  // the shortest scenario that plays it again, as Gherkin, where a campaign found it
	Exchange string `json:"exchange,omitempty"` // transcript around the position, as text
	Alone    string `json:"alone,omitempty"`    // outcome of its scenario when it ran again alone, or why it didn't
	Rerun    string `json:"rerun,omitempty"`    // the command that reruns just this
	Curl     string `json:"curl,omitempty"`     // the command that asks the server the same once, where that alone shows the fault
	Script   string `json:"script,omitempty"`   // lines of a shell that write and then read, where one request alone doesn't show it

	Frame  int   `json:"-"` // index of the block, -1 if the finding isn't about one
	Offset int64 `json:"-"` // of the block in the body in bytes, -1 likewise
	Line   int   `json:"-"` // of the block, from 1; 0 likewise
}

// StepLabel returns the label of Step in reports.
func (f Finding) StepLabel() string {
	if f.Setup {
		return "given"
	}
	return "step"
}

// Values or prefixes of Finding.Alone.
const (
	AloneFails      = "alone: fails too"
	AloneUntried    = "alone: not tried, because " // and the reason
	NeedsNeighbours = "needs its neighbours"
)

// maxFindings limits the stored findings of one requirement: a server that breaks a rule in every frame breaks it once.
const maxFindings = 32

// Distinct counts the stored findings of one scenario, by requirement and text.
type Distinct map[[3]string]int

// Take reports whether a finding is to be stored. It adds nothing if another
// had the same message and wanted the same.
func (d Distinct) Take(f Finding) bool {
	all, same := [3]string{f.Requirement}, [3]string{f.Requirement, f.Message + "\n", f.Want}
	if d[same] > 0 || d[all] >= maxFindings {
		return false
	}
	d[same]++
	d[all]++
	return true
}
