// Package helixui is a server that satisfies every rule of pack helix-ui: it answers the messages of a chat with UI message
// streams, made from the helix chunks of its agent.
//
// A request starts a turn. The turn continues when its reader leaves, stores every part that it has sent under an id, and
// can be read again from any of them. [Mapper] converts chunks into parts, and [Message] is assembled from the parts of a
// turn.
//
// It imports reference/model, reference/request, reference/text and the standard library, and checks only the shape of
// requests.
package helixui
