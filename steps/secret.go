package steps

// Sentinel replaces a secret that a client sends and that no answer may show.
const Sentinel = "s3cret-0f-the-client"

// Secrets returns request headers, by name, that contain the [Sentinel].
func Secrets() map[string]string {
	return map[string]string{"Cookie": "session=" + Sentinel, "X-Api-Key": Sentinel}
}
