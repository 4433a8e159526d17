//go:build unix

package connection

import "syscall"

// segment is the size of a segment on an ordinary network, in bytes. With the large ones of a loopback a server's system
// buffers megabytes for a client that receives nothing, and the server never waits for it.
const segment = 1460

// receiveBuffer sets how many bytes a socket receives in advance, and that the server sends it segments as over a network. A
// system that doesn't let the size of segments be set leaves it as it is.
func receiveBuffer(fd uintptr, bytes int) error {
	_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, segment)
	return syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, bytes)
}
