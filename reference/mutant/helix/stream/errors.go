package stream

import (
	on "github.com/streamcert/streamcert/reference/alter/helix"
	"github.com/streamcert/streamcert/reference/mutant/helix/edit"
)

func errors_() []edit.Mutant {
	return []edit.Mutant{
		{Name: "invents-code", Requirement: "helix.errors.known-code",
			Summary: "The 404 of an unknown stream has a code of the server's own.",
			Apply:   codeOfUnknown("state_stream_missing")},
		{Name: "code-without-category", Requirement: "helix.errors.code-prefix",
			Summary: "The 404 of an unknown stream has a code of the server's own, without a category.",
			Also:    []string{"helix.errors.known-code"},
			Apply:   codeOfUnknown("stream_not_found")},
		{Name: "wrong-code-for-404", Requirement: "helix.errors.code-status",
			Summary: "A stream that never was is reported as one that can't be resumed, a code that belongs to 409.",
			Apply:   codeOfUnknown("state_not_resumable")},
		{Name: "fail-code-overwritten", Requirement: "helix.errors.fail-code",
			Summary: "A time-out of the provider is reported as some error of the provider.",
			Apply: on.Failure(func(_ string, _, code *string) {
				if *code == "provider_timeout" {
					*code = "provider_error"
				}
			})},
	}
}
