package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"github.com/streamcert/streamcert/reference/store"
	"github.com/streamcert/streamcert/reference/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestContract(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store { return new(store.Memory) })
}

func TestNumber(t *testing.T) {
	m := &store.Memory{Number: func(p store.Position) int64 { return p.Highest + 10 }}
	writer, err := m.OpenWriter(t.Context(), "s")
	if err != nil {
		t.Fatal(err)
	}
	two := []store.Chunk{{JSON: json.RawMessage(`1`)}, {JSON: json.RawMessage(`2`)}}
	got, err := m.Append(t.Context(), "s", writer, two)
	if err != nil || !slices.Equal(got, []int64{10, 20}) {
		t.Errorf("sequences %v, %v", got, err)
	}
	if err := m.End(t.Context(), "s", nil); err != nil {
		t.Fatal(err)
	}
	if info, err := m.Info(t.Context(), "s"); err != nil || info.Terminal != 21 {
		t.Errorf("%+v, %v", info, err)
	}
}

func ExampleMap() {
	ctx := context.Background()
	streams := new(store.Memory)
	writer, _ := streams.OpenWriter(ctx, "s")
	_, _ = streams.Append(ctx, "s", writer, []store.Chunk{{JSON: json.RawMessage(`1`)}, {JSON: json.RawMessage(`2`)}})
	sub, _ := streams.Subscribe(ctx, "s", 0)
	defer sub.Close()
	twice := store.Map(sub, func(e store.Event) []store.Event { return []store.Event{e, e} })
	events, _ := twice.Next(ctx)
	for _, e := range events {
		fmt.Println(e.Sequence, string(e.Chunk.JSON))
	}
	// Output:
	// 1 1
	// 1 1
	// 2 2
	// 2 2
}
