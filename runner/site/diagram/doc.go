// Package diagram draws the diagrams of the specification as SVG: sequences, and graphs of states and steps, written in the
// part of Mermaid's language that the chapters use.
//
// [Parse] reads a diagram, [Diagram.SVG] draws it. Every arrow of the specification ends with the ids of the requirements
// that demand it. In a sequence the text is above its arrow; in a graph the arrows have numbers, because texts of sixty
// characters leave no space for lines. The page lists the arrows with their numbers and ids below the picture.
//
// There are three reasons to draw here instead of storing pictures: a picture always matches its text, its arrows link to
// the rules that demand them, and it has the colours of the page, in the dark and in print. Colours are classes, which the
// style of the page defines.
//
// It rejects the remainder of Mermaid's language by an error that names the line. It imports the standard library.
package diagram
