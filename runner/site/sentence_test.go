package site_test

import (
	"bytes"
	"html/template"
	"testing"

	"github.com/streamcert/streamcert/runner/packs"
	"github.com/streamcert/streamcert/runner/vocabulary"
	"github.com/streamcert/streamcert/schemas"
)

// TestSentencesArePages: each pack has a page of its sentences, which its index leads to.
func TestSentencesArePages(t *testing.T) {
	files := completeSite(t)
	for _, p := range packs.All() {
		page := files[p.Name+"/sentences.html"]
		for _, d := range vocabulary.Of(p.Vocabulary().Definitions(), nil) {
			if !bytes.Contains(page, []byte("<code>"+template.HTMLEscapeString(d.Text)+"</code>")) {
				t.Errorf("%s: %s isn't shown", p.Name, d.Text)
			}
		}
		if !bytes.Contains(files[p.Name+"/index.html"], []byte(`href="../`+p.Name+`/sentences.html"`)) {
			t.Errorf("the index of %s doesn't lead to its sentences", p.Name)
		}
	}
}

// TestSiteServesTheSchemaOfAConfig: where a config names its schema to editors, the site has it.
func TestSiteServesTheSchemaOfAConfig(t *testing.T) {
	want, err := schemas.FS.ReadFile("config.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(completeSite(t)["schemas/streamcert.json"], want) {
		t.Error("schemas/streamcert.json isn't schemas/config.json")
	}
	if !bytes.Contains(completeSite(t)["schemas/report.json"], []byte(`"$id": "`+schemas.Site+`schemas/report.json"`)) {
		t.Error("the schema of a report isn't at its address")
	}
}
