package helixui

import "strings"

// suffixes distinguish the chats of a program: by the case of a letter, or by a suffix to another chat's name.
var suffixes = []string{"-a", "-A", "-a-a", "", "-b", "-B", "-c", "-C", "-d"}

// refusableSuffixes differ only in characters that a form, a path, a pattern, a column or a keyboard may treat as the same. A
// server may refuse chats of such names, but must not confuse two.
var refusableSuffixes = []string{
	"-f g", "-f+g", "-f%20g", "-f%2Bg", "-\u00e9", "-e\u0301", "-\u00c9", "-x", "-x.", "-x ", "-q", "-q?a=1", "-q#a", "-q&a=1", "-q;a=1",
	":1", ":1:2", "-_", "-%", "-\U0001f600", "-\U0001f601", "-w\u200b", "-w", "-n.json", "-n",
	longest + "a", longest + "b", longest, longest[:len(longest)-1],
}

// longest is longer than a column of 255 characters.
var longest = "-" + strings.Repeat("l", 256)

// chats returns the largest number of chats of a program.
func chats() int { return len(suffixes) + len(refusableSuffixes) }

// chatName returns the name of a chat of a program whose chats have names that begin with base.
func chatName(base string, chat int) string {
	if n := chat - len(suffixes); n > 0 {
		return base + refusableSuffixes[n-1]
	}
	return base + suffixes[chat-1]
}
