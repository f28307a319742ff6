package nightly

import (
	"errors"
	"syscall"
)

// isWrittenTo reports whether a program has the file open for writing: it can't be opened then by
// one that lets nobody write.
func isWrittenTo(path string) bool {
	const sharingViolation = syscall.Errno(32)
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return false
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ, syscall.FILE_SHARE_READ|syscall.FILE_SHARE_DELETE, nil, syscall.OPEN_EXISTING, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return errors.Is(err, sharingViolation)
	}
	_ = syscall.CloseHandle(h)
	return false
}
