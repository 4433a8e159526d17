package release

import (
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/streamcert/streamcert/runner/files/yaml"
)

// sampleConfig is the file that makes a folder below reference a sample: how it is certified.
const sampleConfig = "streamcert.yaml"

// Samples lists the folders of the sample servers that are certified for a pack, such as reference/node, sorted.
func Samples(files fs.FS, pack string) ([]string, error) {
	configs, err := fs.Glob(files, path.Join("reference", "*", sampleConfig))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, name := range configs {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		var config struct {
			Packs []string `yaml:"packs"`
		}
		if err := yaml.Decode(text, &config); err != nil {
			return nil, fmt.Errorf("reading %s: %w", name, err)
		}
		if slices.Contains(config.Packs, pack) {
			out = append(out, path.Dir(name))
		}
	}
	return out, nil
}
