package describe

import (
	"maps"
	"slices"
	"strings"

	"github.com/streamcert/streamcert/schemas"
)

// openAPI describes the routes as OpenAPI 3.1.
func (d *description) openAPI(routes []route) object {
	paths := object{}
	names := map[string]bool{}
	for _, r := range routes {
		item, _ := paths[r.Path].(object)
		if item == nil {
			item = object{}
			paths[r.Path] = item
		}
		item[strings.ToLower(r.Method)] = d.operation(r, names)
	}
	components := d.components(slices.Sorted(maps.Keys(names)))
	for name := range names {
		member, types := d.set.Union(name)
		union, ok := components[name].(object)
		if types == nil || !ok {
			continue
		}
		mapping := object{}
		for t, of := range types {
			mapping[t] = reference(of[0])["$ref"]
			if len(of) > 1 {
				mapping[t] = reference(name + "." + t)["$ref"]
			}
		}
		union["discriminator"] = object{"propertyName": member, "mapping": mapping}
	}
	return object{
		"openapi": "3.1.0", "info": d.info("routes"), "jsonSchemaDialect": schemas.Dialect,
		"servers":    []object{{"url": "/", "description": "Where the server is."}},
		"security":   []object{{}},
		"paths":      paths,
		"components": object{"schemas": components},
	}
}

// operation describes a route, and adds the names of its schemas.
func (d *description) operation(r route, names map[string]bool) object {
	var parameters []object
	for _, name := range r.parameters() {
		parameters = append(parameters, object{"name": name, "in": "path", "required": true, "description": opaque, "schema": object{"type": "string"}})
	}
	for _, at := range slices.Sorted(maps.Keys(r.has.Parameters)) {
		in, name, _ := strings.Cut(at, " ")
		parameters = append(parameters, object{"name": name, "in": in, "description": d.sentence(r.has.Parameters[at].Rule), "schema": object{"type": r.has.Parameters[at].Type}})
	}
	answers := object{}
	for status, a := range r.has.Answers {
		answer := object{"description": d.sentence(a.Rule)}
		switch a.Body {
		case "":
		case schemas.Stream:
			answer["content"] = object{"text/event-stream": object{"schema": d.stream(r, names)}}
		default:
			names[a.Body] = true
			answer["content"] = object{"application/json": object{"schema": reference(a.Body)}}
		}
		answers[status] = answer
	}
	out := object{"operationId": r.Name, "summary": r.Name, "description": d.sentence(r.has.Rule), "responses": answers}
	if len(parameters) > 0 {
		out["parameters"] = parameters
	}
	if r.has.Body != "" {
		names[r.has.Body] = true
		out["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": reference(r.has.Body)}}}
	}
	return out
}

// stream describes the body of a stream, which OpenAPI 3.1 knows as text: its description names the schemas of the data.
func (d *description) stream(r route, names map[string]bool) object {
	var of []string
	for _, m := range d.messages(r) {
		of = append(of, m.schemas...)
	}
	if r.has.Events == nil {
		if member, _ := d.set.Union(schemas.AnyFrame); member != "" {
			of = []string{schemas.AnyFrame}
		}
	}
	for i, name := range of {
		names[name] = true
		of[i] = component + schemas.FlatName(name)
	}
	return object{"type": "string", "description": "Server-Sent Events. The data of each is JSON of one of these schemas: " + strings.Join(of, ", ") + "."}
}
