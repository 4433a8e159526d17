// Package campaigntest serves what the tests of campaigns play against, and has the judge of a pack look at it.
//
// It is imported by tests alone. It imports the target, the judge and the schemas, and lives of the reference.
package campaigntest
