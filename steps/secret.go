package steps

// Sentinel stands for a secret that a client sends and that no answer may show.
const Sentinel = "s3cret-0f-the-client"

// Secrets are request headers, by name, that hold the [Sentinel].
func Secrets() map[string]string {
	return map[string]string{"Cookie": "session=" + Sentinel, "X-Api-Key": Sentinel}
}
