package record

import "maps"

// Names maps members whose names in a target differ from the specification: by the kind of the object that contains them,
// and then by the specification's name.
type Names map[string]map[string]string

// Specified returns an object of a kind with the specification's names instead of the target's. The object stays as it
// is. A member that has the specification's name and isn't meant by it is left out.
func (n Names) Specified(kind string, object map[string]any) map[string]any {
	own := n[kind]
	if len(own) == 0 || object == nil {
		return object
	}
	out := maps.Clone(object)
	for plain, name := range own {
		delete(out, plain)
		delete(out, name)
	}
	for plain, name := range own {
		if value, there := object[name]; there {
			out[plain] = value
		}
	}
	return out
}
