// Package helixui is a server that keeps every rule of pack helix-ui: it answers the messages of a chat with UI message
// streams, made of the chunks of helix that its agent produces.
//
// A request starts a turn. The turn goes on when its reader leaves, keeps every part that it has sent under an id, and is
// read again from any of them. [Mapper] makes parts of chunks, and [Message] is what the parts of a turn add up to.
//
// It imports reference/model, reference/request, reference/text and the standard library, and refuses to judge what it is
// sent beyond its shape.
package helixui
