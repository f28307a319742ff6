package app

import "golang.org/x/sys/windows/registry"

// rawMachineID returns the id that Windows was given when it was installed. It asks the
// registry itself: offices forbid their users the program reg.
func rawMachineID() string {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, `SOFTWARE\Microsoft\Cryptography`, registry.QUERY_VALUE|registry.WOW64_64KEY)
	if err != nil {
		return ""
	}
	defer key.Close()
	id, _, _ := key.GetStringValue("MachineGuid")
	return id
}
