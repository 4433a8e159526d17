// Package diagram draws the diagrams of the specification as SVG: sequences, and graphs of states and steps, written in
// the part of Mermaid's language that the chapters use.
//
// [Parse] reads a diagram, [Diagram.SVG] draws it. Every arrow of the specification ends with the ids of the requirements
// that demand it. In a sequence the text stands above its arrow; in a graph the arrows carry numbers, because texts of
// sixty characters leave no room for lines. The page lists the arrows with their numbers and ids below the picture.
//
// Drawing here instead of keeping pictures has three reasons: a picture follows its text with nothing to compare, its
// arrows lead to the rules that demand them, and it has the colours of the page, in the dark and in print. Colours are
// classes, so the style of the page decides them.
//
// It refuses the rest of Mermaid's language by an error that names the line. It imports the standard library.
package diagram
