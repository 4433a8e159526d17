package generated

// survivors returns the mutants that are legitimately not found, with the reason. Run reports any other, and a test checks
// that none of these is found.
func survivors() map[string]string {
	const noCode = "a null says that the failure has no code, and where there is none its requirement has nothing to judge"
	return map[string]string{
		"schema frames/fail, example 1: /code as null": noCode,
		"schema frames/fail, example 2: /code as null": noCode,
	}
}
