package beacon

// The requirements that the judge knows.
const (
	signalsLit      = "beacon.signals.lit"
	signalsWatch    = "beacon.signals.watch"
	signalsNumbered = "beacon.signals.numbered"
	signalsComplete = "beacon.signals.complete"
	signalsDark     = "beacon.signals.dark"
	signalsColour   = "beacon.signals.colour"
	wireContentType = "beacon.wire.content-type"
	wireObject      = "beacon.wire.object"
)

// Requirements lists the ids of all requirements that the judge can find breached or count occasions of.
func Requirements() []string {
	return []string{
		signalsLit, signalsWatch, signalsNumbered, signalsComplete, signalsDark, signalsColour, wireContentType, wireObject,
	}
}
