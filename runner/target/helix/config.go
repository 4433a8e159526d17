package helix

import "github.com/streamcert/streamcert/runner/target"

// Config is the section of a config that only this pack needs.
type Config struct {
	Persistent bool `key:"persistent" kind:"switch" default:"false" doc:"whether the server has persistent sub-agents that block nobody and may be at work when a stream ends. helix.subagents.ended and helix.subagents.unique then only warn"`
	Replay     bool `key:"replay" kind:"switch" default:"false" doc:"whether a route of the server's own brings what the open step has said again to a page that comes back. A snapshot without partial content may then leave that step out"`
	Partial    bool `key:"partial" kind:"switch" default:"false" doc:"whether a snapshot has partial content unless its request declines it, as where content replay is off. The suite then declines it in each request that asks for none"`
}

// Section returns the routes and the config section of the pack.
func Section() target.Section {
	return target.Section{
		Name:   "helix",
		Doc:    "what only pack helix needs",
		New:    func() any { return &Config{} },
		Routes: []target.Route{Read(), Info(), Snapshot()},
	}
}

// Recommended lists the requirements that the config of a target makes a SHOULD.
func Recommended(t *target.Target) []string {
	if target.SectionOf[Config](t).Persistent {
		return []string{"helix.subagents.ended", "helix.subagents.unique"}
	}
	return nil
}

// Read returns the route at which a stream is read.
func Read() target.Route {
	return target.Route{
		Name: "read", Template: "/streams/{stream}/events", Placeholder: "{stream}",
		Doc: "reads stream {stream}, which is where its id goes",
	}
}

// Info returns the route of StreamInfo.
func Info() target.Route {
	return target.Route{
		Name: "info", Template: "/streams/{stream}", Placeholder: "{stream}",
		Doc: "tells where stream {stream} is in its life",
	}
}

// Snapshot returns the route of a snapshot.
func Snapshot() target.Route {
	return target.Route{
		Name: "snapshot", Template: "/streams/{stream}/snapshot", Placeholder: "{stream}",
		Doc: "returns a snapshot of stream {stream}",
	}
}

// Attach begins to read a stream. It returns at once; the reader waits for the response. The error is that of a request
// that can't be made.
func Attach(s *target.Session, r target.ReadRequest) (*target.Reader, error) {
	r.Route = Read()
	return s.Attach(r)
}

// GetInfo reads StreamInfo. An error means that no answer came.
func GetInfo(s *target.Session, r target.DocumentRequest) (*target.Exchange, error) {
	r.Route = Info()
	return s.Document(r)
}

// GetSnapshot requests a snapshot. An error means that no answer came.
func GetSnapshot(s *target.Session, r target.SnapshotRequest) (*target.Exchange, error) {
	if r.Partial == "" && target.SectionOf[Config](s.Target()).Partial {
		r.Partial = "false"
	}
	return DefaultSnapshot(s, r)
}

// DefaultSnapshot requests a snapshot and leaves it to the server whether partial content is in a snapshot, where r leaves
// that out.
func DefaultSnapshot(s *target.Session, r target.SnapshotRequest) (*target.Exchange, error) {
	r.Route = Snapshot()
	return s.Snapshot(r)
}
