package restart

import (
	"context"
	"encoding/json"
	"sync/atomic"

	"github.com/streamcert/streamcert/reference/store"
)

// gate allows changes of the store until its server is ended.
type gate struct {
	store.Store
	disk *store.Memory // behind Store
	over *atomic.Bool  // set when the process is killed: every change fails
}

// Disk returns the store that survives a restart, for alterations that need a store.Memory.
func (g *gate) Disk() *store.Memory { return g.disk }

// open refuses a change once the process has ended.
func (g *gate) open() error {
	if g.over.Load() {
		return store.ErrUnavailable
	}
	return nil
}

// OpenWriter implements store.Store.
func (g *gate) OpenWriter(ctx context.Context, stream string) (string, error) {
	if err := g.open(); err != nil {
		return "", err
	}
	return g.Store.OpenWriter(ctx, stream)
}

// CloseWriter implements store.Store.
func (g *gate) CloseWriter(ctx context.Context, stream, writer string) error {
	if err := g.open(); err != nil {
		return err
	}
	return g.Store.CloseWriter(ctx, stream, writer)
}

// Append implements store.Store.
func (g *gate) Append(ctx context.Context, stream, writer string, chunks []store.Chunk) ([]int64, error) {
	if err := g.open(); err != nil {
		return nil, err
	}
	return g.Store.Append(ctx, stream, writer, chunks)
}

// End implements store.Store.
func (g *gate) End(ctx context.Context, stream string, finalOutput json.RawMessage) error {
	if err := g.open(); err != nil {
		return err
	}
	return g.Store.End(ctx, stream, finalOutput)
}

// Fail implements store.Store.
func (g *gate) Fail(ctx context.Context, stream, message, code string) error {
	if err := g.open(); err != nil {
		return err
	}
	return g.Store.Fail(ctx, stream, message, code)
}

// SetStatus implements store.Store.
func (g *gate) SetStatus(ctx context.Context, stream string, status store.Status) error {
	if err := g.open(); err != nil {
		return err
	}
	return g.Store.SetStatus(ctx, stream, status)
}

// Cleanup implements store.Store.
func (g *gate) Cleanup(ctx context.Context, stream string, step int64) error {
	if err := g.open(); err != nil {
		return err
	}
	return g.Store.Cleanup(ctx, stream, step)
}

// Reset implements store.Store.
func (g *gate) Reset(ctx context.Context, stream string) error {
	if err := g.open(); err != nil {
		return err
	}
	return g.Store.Reset(ctx, stream)
}

// Delete implements store.Store.
func (g *gate) Delete(ctx context.Context, stream string) error {
	if err := g.open(); err != nil {
		return err
	}
	return g.Store.Delete(ctx, stream)
}

// SetInitial implements store.Store.
func (g *gate) SetInitial(ctx context.Context, stream string, state json.RawMessage) error {
	if err := g.open(); err != nil {
		return err
	}
	return g.Store.SetInitial(ctx, stream, state)
}

// SetRecord implements store.Store.
func (g *gate) SetRecord(ctx context.Context, key store.Key, version int64, text []byte) error {
	if err := g.open(); err != nil {
		return err
	}
	return g.Store.SetRecord(ctx, key, version, text)
}

// ForgetRecords implements store.Store.
func (g *gate) ForgetRecords(ctx context.Context, stream string) error {
	if err := g.open(); err != nil {
		return err
	}
	return g.Store.ForgetRecords(ctx, stream)
}
