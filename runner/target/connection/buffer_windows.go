package connection

import "syscall"

// receiveBuffer sets how many bytes a socket receives in advance.
func receiveBuffer(fd uintptr, bytes int) error {
	return syscall.SetsockoptInt(syscall.Handle(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, bytes)
}
