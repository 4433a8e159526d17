// Package helix is the value of pack helix: resumable streams of chunks that writers send.
//
// It may import runner/pack, golden, the judge and the steps of the pack, runner/judge, runner/target and runner/wire, and refuses
// to judge.
package helix
