package command

import (
	"strings"

	"github.com/streamcert/streamcert/runner/campaign"
)

// UsualEffort is the default of --effort.
var UsualEffort = campaign.Standard

// KnownEffort returns a usage error for an effort that doesn't exist.
func KnownEffort(effort string) error {
	if campaign.Effort(effort).Known() {
		return nil
	}
	return Usage("--effort: there is no effort %q%s; expected %s", effort, Suggest(effort, campaign.Efforts()), strings.Join(campaign.Efforts(), ", "))
}
