package play

import (
	"fmt"
	"net/http"

	"github.com/streamcert/streamcert/runner/campaign"
	"github.com/streamcert/streamcert/runner/target"
	"github.com/streamcert/streamcert/runner/target/helix"
)

// unauthorizedCalls lets readers come whose credential is nearly the right one: it goes on where that ends, is its beginning, has
// its letters in the other case, or something before it. None of them may read: helix.security.credential.
func (p unauthorizedReaders) unauthorizedCalls(s *stream) error {
	if !p.target.Claims("auth") {
		return nil
	}
	for _, as := range target.Nearly() {
		if !p.target.Signs(as) {
			continue
		}
		if err := p.barred(s, as, nil); err != nil {
			return err
		}
	}
	if first := "1"; p.target.Claims("resume") {
		if err := p.barred(s, target.Nobody, &first); err != nil {
			return err
		}
	}
	if err := p.barredFromSnapshot(s); err != nil {
		return err
	}
	return p.barredFromInfo(s)
}

// barredFromSnapshot lets somebody without a credential ask for a snapshot.
func (p unauthorizedReaders) barredFromSnapshot(s *stream) error {
	if !p.target.Claims("snapshot") {
		return nil
	}
	e, err := p.session.Document(target.DocumentRequest{Route: helix.Snapshot(), Stream: s.id, LeaveOut: p.target.Credentials()})
	return p.denied(e, target.Nobody, e.Now().Status, err)
}

// barred lets a stranger read, from the start or as one that comes back.
func (p unauthorizedReaders) barred(s *stream, as target.User, cursor *string) error {
	conn, err := helix.Attach(p.session, target.ReadRequest{
		Stream: s.id, Cursor: cursor, LeaveOut: p.target.Credentials(), Headers: p.target.Showing(as), Kept: true, // on a connection of others
	})
	if err != nil {
		return err
	}
	v, err := conn.Head()
	p.session.Forget(conn)
	return p.denied(conn.Exchange, as, v.Status, err)
}

// barredFromInfo lets strangers ask for StreamInfo on a connection on which somebody has just asked who may.
func (p unauthorizedReaders) barredFromInfo(s *stream) error {
	if !p.target.Claims("info") {
		return nil
	}
	for _, as := range []target.User{target.Nobody, target.LongToken} {
		if err := p.inspections.info(s); err != nil {
			return err
		}
		e, err := helix.AskInfo(p.session, target.DocumentRequest{Stream: s.id, LeaveOut: p.target.Credentials(), Headers: p.target.Showing(as)})
		if err := p.denied(e, as, e.Now().Status, err); err != nil {
			return err
		}
	}
	return nil
}

// denied looks whether a stranger was.
func (p unauthorizedReaders) denied(e *target.Exchange, as target.User, status int, err error) error {
	const rule = "helix.security.credential"
	if p.ledger[rule]++; err != nil {
		return campaign.Broken(e, rule, "401 or 403", err.Error(), "a request whose credential is a %s was not answered", as)
	}
	if status != http.StatusUnauthorized && status != http.StatusForbidden {
		return campaign.Broken(e, rule, "401 or 403", fmt.Sprint(status), "a request whose credential is a %s was served", as)
	}
	return nil
}
