package app

import "golang.org/x/sys/windows/registry"

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
