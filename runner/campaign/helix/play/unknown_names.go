package play

import (
	"fmt"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/campaign/helix/data"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// unknownNames requests streams that don't exist, by the nth of such names: helix.status.info-unknown,
// helix.http.unknown-stream. A server may also refuse the id.
func (u unauthorized) unknownNames(n int) error {
	id := data.InheritedNames[n%len(data.InheritedNames)]
	if u.target.Claims("info") {
		e, err := helix.GetInfo(u.session, target.DocumentRequest{Stream: id})
		if err := u.unknown(e, "helix.status.info-unknown", err); err != nil {
			return err
		}
	}
	conn, err := helix.Attach(u.session, target.ReadRequest{Stream: id})
	if err != nil {
		return err
	}
	defer u.session.Forget(conn)
	_, err = conn.Head()
	return u.unknown(conn.Exchange, "helix.http.unknown-stream", err)
}

// unknown judges the answer to a request for a stream that doesn't exist.
func (u unauthorized) unknown(e *target.Exchange, rule string, err error) error {
	if err != nil {
		return campaign.Broken(e, rule, "404", err.Error(), "a request for a stream that nobody made was not answered")
	}
	if u.counts[rule]++; e.Now().Status/100 != 4 {
		return campaign.Broken(e, rule, "404", fmt.Sprint(e.Now().Status), "a stream is there that nobody made")
	}
	return nil
}
