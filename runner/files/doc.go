// Package files reads files and folders of untrusted authors. Nothing that it reads hangs, has no end or lies
// outside of the folder that was named: a read is bounded in size, a pipe or a device is refused unless the
// caller wants a stream, and a link in a folder leads nowhere but into the folder.
//
// [Open] is for the folder of a working copy, [ReadFile] for a file that a person names, [Stream] for a recording, which
// may be a pipe, [All] for what is open already, and [Replace] for writing into such a folder. The package imports nothing
// but the standard library; runner/files/yaml reads YAML.
package files
