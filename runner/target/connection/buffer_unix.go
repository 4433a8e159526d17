//go:build unix

package connection

import "syscall"

// receiveBuffer sets how many bytes a socket receives in advance.
func receiveBuffer(fd uintptr, bytes int) error {
	return syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, bytes)
}
