// Package modelled plays an agent with a language model: it is a runtime's Model and Tools where package script has a
// script.
//
// Each step of a run is one answer of the model. An answer that calls tools is followed by the next step, whose request
// contains their results; one that doesn't is the last. The package knows only package runtime and the client of package
// model.
package modelled
