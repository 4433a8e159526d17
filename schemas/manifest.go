package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// manifest is a pack's pack.json: data that the schemas themselves can't express.
type manifest struct {
	Discriminator string   `json:"discriminator"` // the member that names the type of a frame or chunk; absent if none does
	EventName     bool     `json:"eventName"`     // the event field of a frame names its type, instead of a member
	Nested        struct { // absent where frames carry no chunks
		Frame  string `json:"frame"`  // the frame type that carries a chunk
		Member string `json:"member"` // under this member
	} `json:"nested"`
	Unknown struct {
		Frame string `json:"frame"` // schema for a frame of unknown type, from the pack's folder
		Chunk string `json:"chunk"` // likewise
	} `json:"unknown"`
	// Typed names the folder of documents whose type is in a member, although the event field names the type of a frame;
	// absent where there are none.
	Typed struct {
		Folder  string `json:"folder"`
		Member  string `json:"member"`
		Unknown string `json:"unknown"` // schema for other types, from the pack's folder
		// Types has the type of a document by its name in the folder, where that isn't the type.
		Types map[string]string `json:"types"`
	} `json:"typed"`
	// Senders maps patterns of documents to their sender: client, or reader for a report of one. Other documents are sent
	// by the server. The longest pattern counts.
	Senders map[string]string `json:"senders"`
	// Routes are the requests of the protocol by their names in its specification, which has their paths.
	Routes       map[string]Route `json:"routes"`
	Requirements struct {
		Frame area `json:"frame"`
		Chunk area `json:"chunk"`
	} `json:"requirements"`
}

// Route describes a request of the protocol and its answers. Each fact has the id of its requirement.
type Route struct {
	Rule       string               `json:"rule"`       // id of the requirement
	Body       string               `json:"body"`       // name of the schema of the request's body, "" for none
	Parameters map[string]Parameter `json:"parameters"` // by position and name, such as "query fromSequence"
	Answers    map[string]Answer    `json:"answers"`    // by status, such as "200", "4XX" or "default"
	Events     map[string][]string  `json:"events"`     // names of the schemas of a stream's data by the event field; nil: every frame
}

// Parameter is an optional part of a request.
type Parameter struct {
	Rule string `json:"rule"` // id of the requirement
	Type string `json:"type"` // of JSON Schema
}

// Answer is the answer to a request with one status.
type Answer struct {
	Rule string `json:"rule"` // id of the requirement
	Body string `json:"body"` // name of a schema, Stream, or "" for any
}

// Stream is the body of an answer that is a stream.
const Stream = "stream"

// area lists the requirements that invalid JSON breaks.
type area struct {
	Syntax    string `json:"syntax"` // ids of requirements; "" where the pack has none
	Duplicate string `json:"duplicate"`
	Number    string `json:"number"`
	UTF8      string `json:"utf8"`
}

// file is one schema file as written.
type file struct {
	path    string        // from the root
	doc     any           // as decoded; never changed
	derived [profiles]any // by profile
	valid   []Example
	invalid []Example // each breaks one requirement
}

// entry is one compiled schema in both profiles.
type entry struct {
	name   string                       // as in a Set
	file   *file                        // as it was written
	files  map[string]*file             // all of the set, for resolving references
	schema [profiles]*jsonschema.Schema // by profile
	quick  [profiles]*node              // by profile
	budget [profiles]*Budget            // nil where the schemas are those of this build, which are known to end
}

func readManifest(fsys fs.FS, pack string) (manifest, error) {
	var m manifest
	name := path.Join(pack, manifestName)
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return m, fmt.Errorf("reading pack manifest: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return m, fmt.Errorf("reading pack manifest %s: %w", name, err)
	}
	for pattern, sender := range m.Senders {
		if _, err := path.Match(pattern, ""); err != nil || !slices.Contains([]string{SentByServer, SentByClient, SentByReader}, sender) {
			return m, fmt.Errorf("reading pack manifest %s: senders: %q: %q, expected a pattern of documents and server, client or reader", name, pattern, sender)
		}
	}
	return m, nil
}
