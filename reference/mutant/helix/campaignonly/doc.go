// Package campaignonly joins the mutants of helix that only campaigns find: those of streams and those of runs. It names those
// of the holdout, which campaigns aren't written for.
package campaignonly
