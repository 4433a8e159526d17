// Package timing decides when writers write and readers leave in a race, so that each write falls into the moment in
// which servers lose events: between the replay of stored events and live delivery.
package timing
