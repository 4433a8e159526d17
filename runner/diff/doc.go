// Package diff compares two versions of a pack and says of every change whom it breaks, requirement by requirement.
//
// What a change is follows from what changed. The blocks of the spec are compared by level, role, capabilities and words.
// Schemas are compared twice: structurally, keyword by keyword, and by evidence, where documents are judged by the schemas of
// both versions: every frame of the goldens, every example, and what is made of the examples for each keyword that changed.
// Where the two methods disagree, the report says so, and which of them it followed. Scenarios and transcripts show a change
// and never are one.
//
// [Gate] holds what a change asks of its author: a version and a change log that match it, a scenario or a transcript that
// shows it, no transcript that changed alone, and no id that vanished.
//
// The package reads two versions and writes a report. It doesn't fetch them (see runner/release), starts no server, and
// knows no protocol by name. It may import the data folders, runner/pack, runner/release and golang.org/x/mod/semver.
package diff
