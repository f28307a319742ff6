package app

import (
	"unsafe"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// KeepAwake keeps the computer from going to sleep by itself until release is called or the process ends.
// `powercfg /requests` shows why. Closing the lid still puts it to sleep.
func KeepAwake() (release func()) {
	kernel := windows.NewLazySystemDLL("kernel32.dll")
	// REASON_CONTEXT with a simple text; the union that it ends in is smaller than this.
	reason := struct {
		version, flags uint32
		text           *uint16
		_              [3]uintptr
	}{flags: 1, text: windows.StringToUTF16Ptr("tripimport is sending trips")}
	request, _, _ := kernel.NewProc("PowerCreateRequest").Call(uintptr(unsafe.Pointer(&reason)))
	if h := windows.Handle(request); h != windows.InvalidHandle {
		const systemRequired = 1
		_, _, _ = kernel.NewProc("PowerSetRequest").Call(request, systemRequired) // without it, a run ends as after any broken connection
		return func() { _ = windows.CloseHandle(h) }
	}
	return func() {}
}

// rawMachineID returns the id that Windows was given when it was installed. It reads the
// registry itself, because some offices forbid their users to run reg.exe.
func rawMachineID() string {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, `SOFTWARE\Microsoft\Cryptography`, registry.QUERY_VALUE|registry.WOW64_64KEY)
	if err != nil {
		return ""
	}
	defer key.Close()
	id, _, _ := key.GetStringValue("MachineGuid")
	return id
}
