package generated

// survivors are the mutants that nothing finds out, with the reason why that is right. Run reports any other, and a test
// holds that none of these is found out after all.
func survivors() map[string]string {
	const noCode = "a null says that the failure has no code, and where there is none its requirement has nothing to judge"
	return map[string]string{
		"schema frames/fail, example 1: /code as null": noCode,
		"schema frames/fail, example 2: /code as null": noCode,
	}
}
