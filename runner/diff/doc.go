// Package diff compares two versions of a pack and determines for every change which servers or readers it breaks,
// requirement by requirement.
//
// The class of a change follows from the changed part. The blocks of the spec are compared by level, role, capabilities and
// words. Schemas are compared twice: structurally, keyword by keyword, and by evidence, where documents are judged by the
// schemas of both versions: every frame of the goldens, every example, and variations of the examples for each keyword that
// changed. If the two methods disagree, the report states that, and which of them it followed. Scenarios and transcripts show a
// change and never are one.
//
// [Report.Gate] checks what a change requires of its author: a version and a change log that match it, a scenario or a
// transcript that shows it, no transcript that changed alone, and no id that vanished.
//
// The package reads two versions and writes a report. It doesn't fetch them (see runner/release), starts no server, and
// knows no protocol by name. It may import the data folders, runner/pack, runner/release and golang.org/x/mod/semver.
//
// # Files, in reading order
//
//   - class.go, report.go, version.go: classes, the report, reading a version
//   - block.go, wording.go: requirements and their sentences
//   - keyword.go, structure.go, instance.go, evidence.go, schema.go: schemas, in two ways
//   - body.go, transcript.go, scenario.go: goldens and scenarios
//   - log.go, gate.go: the change log and the gate
//   - markdown.go, write.go: forms of the report
//
// Invariants: the class of a requirement is the worst of its changes, and that of the report the worst of all; each change
// stands under a requirement, or under the id "" if it has none; the order of the report doesn't depend on that of files.
package diff
