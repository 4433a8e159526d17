package site

import "github.com/streamcert/streamcert/runner/vocabulary"

// sentences makes a page a pack of the sentences that its feature files may use.
func sentences(b *book) error {
	for _, p := range b.packs {
		name := p.Suite.Pack.Name
		out := page{Path: name + "/sentences.html", Title: "Sentences · " + name, Kind: "sentences", Pack: name}
		body, err := b.part(out.Path, "sentences.html", struct {
			Pack      string
			Sentences []vocabulary.Sentence
		}{name, vocabulary.Of(p.Suite.Vocabulary.Definitions(), p.Suite.Scenarios)})
		if err != nil {
			return err
		}
		out.Body = body
		b.index = append(b.index, entry{"Sentences", "page" + where(name), out.Path, "page"})
		if err := b.layout(out); err != nil {
			return err
		}
	}
	return nil
}
