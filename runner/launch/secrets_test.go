package launch

import (
	"strings"
	"testing"
)

// TestSecretsOfTheEnvironment: secrets of the environment in a server's output are redacted.
func TestSecretsOfTheEnvironment(t *testing.T) {
	hidden := []string{"AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "DATABASE_URL", "MYSQL_PWD", "DSN", "SESSION", "Db_Password", "PGPASSFILE", "npm_config__auth"}
	shown := []string{"PATH", "PWD", "OLDPWD", "HOME", "NODE_ENV", "PORT", "DESKTOP_SESSION"}
	var environment []string
	for i, name := range append(hidden, shown...) {
		environment = append(environment, name+"=value-"+string(rune('a'+i))+"-of-it")
	}
	environment = append(environment, "QUEUE=amqp://guest:word-of-a-url@127.0.0.1/", "EMPTY_KEY=")
	text := strings.Join(environment, "\n")
	got := secretsOf(environment).Redact(text)
	for i, name := range append(hidden, shown...) {
		if value := "value-" + string(rune('a'+i)) + "-of-it"; strings.Contains(got, value) != (i >= len(hidden)) {
			t.Errorf("%s: %s", name, got)
		}
	}
	if strings.Contains(got, "word-of-a-url") || !strings.Contains(got, "amqp://guest:${QUEUE}@") {
		t.Error(got)
	}
}
