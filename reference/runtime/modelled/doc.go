// Package modelled plays an agent by asking a language model: it is a runtime's Model and Tools where package script has a
// script.
//
// Each step of a run is one answer of the model. An answer that calls tools is followed by the next step, which brings what
// they returned; one that doesn't is the last. Package runtime and the client of package model are all that it knows.
package modelled
