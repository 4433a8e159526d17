package redact

// Steps counts the comparisons that r takes to redact s.
func Steps(r *Redactor, s string) int {
	_, steps := r.redact(s)
	return steps
}

// Most returns the largest number of steps for n bytes: each byte may begin each form in a few ways, and no attempt exceeds
// its budget.
func Most(r *Redactor, n int) int {
	sum := 0
	for _, f := range r.forms {
		sum += budget(len(f.text)) + 1
	}
	return n * sum
}
