package schemas

import (
	"encoding/json"
	"strconv"
	"strings"
)

const (
	// maxNumber limits the bytes of a number. Doubles need at most 767 significant digits to be exact, and real documents
	// have far fewer; beyond this, arithmetic on the literal is an attack.
	maxNumber = 512
	// maxExponent is the largest exponent of a double, plus the digits before the point.
	maxExponent = 400
)

func (d *decoder) number() any {
	raw, exponent := d.Number()
	literal := string(raw)
	if len(literal) > maxNumber || len(literal)-exponent > 3 && absurdExponent(literal[exponent+1:]) {
		d.report(number, "the number is beyond what a reader can hold")
		return standIn(literal[:min(len(literal), maxNumber)], literal[exponent:])
	}
	return json.Number(literal)
}

func absurdExponent(exponent string) bool {
	n, err := strconv.Atoi(exponent)
	return err != nil || n > maxExponent || n < -maxExponent
}

// standIn replaces an absurd number by one that arithmetic can bear and that lies out of every bound on its side:
// huge stays huge, tiny stays tiny, and negative stays negative.
func standIn(literal, exponent string) json.Number {
	sign, size := "", "1e400"
	if strings.HasPrefix(literal, "-") {
		sign = "-"
	}
	if strings.HasPrefix(exponent, "e-") || strings.HasPrefix(exponent, "E-") || strings.HasPrefix(strings.TrimPrefix(literal, "-"), "0.") && exponent == "" {
		size = "1e-400"
	}
	return json.Number(sign + size)
}
