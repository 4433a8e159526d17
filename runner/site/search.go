package site

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// indexed writes the index of the search: a script that a page loads when the user begins to search, because pages that are
// opened from a disk can load nothing else.
func (b *book) indexed() error {
	rows := make([][4]string, 0, len(b.index))
	for _, e := range b.index {
		rows = append(rows, [4]string{e.Title, e.Text, e.To, e.Kind})
	}
	var out bytes.Buffer
	out.WriteString("window.searchIndex = ")
	if err := json.NewEncoder(&out).Encode(rows); err != nil {
		return fmt.Errorf("writing the index of the search: %w", err)
	}
	b.files["assets/index.js"] = out.Bytes()
	return nil
}
