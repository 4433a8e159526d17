package describe

import (
	"maps"
	"slices"
)

// message is a kind of event in a stream.
type message struct {
	name    string   // of its type
	schemas []string // names of those of its data; it has one of these forms
}

// messages lists the events of a stream: those that the manifest has for the route, or a frame of each type.
func (d *description) messages(r route) []message {
	var out []message
	for _, name := range slices.Sorted(maps.Keys(r.has.Events)) {
		out = append(out, message{name, r.has.Events[name]})
	}
	if r.has.Events == nil {
		for _, t := range d.set.FrameTypes() {
			out = append(out, message{t, []string{"frames/" + t}})
		}
	}
	return out
}

// asyncAPI describes the streams as AsyncAPI 3.
func (d *description) asyncAPI(routes []route) object {
	channels, operations, messages := object{}, object{}, object{}
	names := map[string]bool{}
	for _, r := range routes {
		if !r.streams() {
			continue
		}
		sent := object{}
		for _, m := range d.messages(r) {
			var forms []any
			for _, name := range m.schemas {
				names[name] = true
				forms = append(forms, reference(name))
			}
			payload := forms[0]
			if len(forms) > 1 {
				payload = object{"anyOf": forms}
			}
			id := r.Name + "." + m.name
			messages[id] = object{"name": m.name, "title": m.name, "contentType": "application/json", "payload": payload}
			sent[m.name] = object{"$ref": "#/components/messages/" + id}
		}
		parameters := object{}
		for _, name := range r.parameters() {
			parameters[name] = object{"description": opaque}
		}
		channels[r.Name] = object{"address": r.Path, "title": r.Name, "description": d.sentence(r.has.Rule), "messages": sent, "parameters": parameters}
		operations[r.Name] = object{
			"action": "send", "channel": object{"$ref": "#/channels/" + r.Name}, "title": r.Name,
			"summary":  "Server-Sent Events in the answer to " + r.Method + " " + r.Path + ".",
			"bindings": object{"http": object{"method": r.Method, "bindingVersion": "0.3.0"}},
		}
	}
	components := d.components(slices.Sorted(maps.Keys(names)))
	for name := range components {
		components[name] = draft7(components[name])
	}
	return object{
		"asyncapi": "3.0.0", "info": d.info("streams"), "defaultContentType": "application/json",
		"channels": channels, "operations": operations, "components": object{"messages": messages, "schemas": components},
	}
}

// draft7 writes a schema for AsyncAPI, whose schemas are those of draft 7: a reference stands alone.
func draft7(value any) any {
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = draft7(v[i])
		}
		return out
	case object:
		out := object{}
		for key, member := range v {
			if key != "examples" && key != "const" && key != "enum" {
				member = draft7(member)
			}
			out[key] = member
		}
		if ref, ok := out["$ref"].(string); ok && len(out) > 1 {
			delete(out, "$ref")
			all, _ := out["allOf"].([]any)
			out["allOf"] = append([]any{object{"$ref": ref}}, all...)
		}
		return out
	}
	return value
}
