package schemas

// The schema of streamcert.yaml.
const (
	ConfigFile = "config.json"                              // its path in FS
	ConfigPage = "schemas/streamcert.json"                  // its path on the site
	Site       = "https://streamcert.github.io/streamcert/" // the public site
	// EditorLine names the schema to editors that run the YAML language server; it is the first line of a config.
	EditorLine = "# yaml-language-server: $schema=" + Site + ConfigPage
)
