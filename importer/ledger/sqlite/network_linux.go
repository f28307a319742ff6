package sqlite

import "golang.org/x/sys/unix"

// networkDrive names the network file system that the folder is on. It is empty
// for a local one, and where the system does not say.
func networkDrive(folder string) string {
	var s unix.Statfs_t
	if unix.Statfs(folder, &s) != nil {
		return ""
	}
	return networkType(uint32(s.Type)) //nolint:gosec // the magic numbers are 32 bits wide, signed on some machines
}

// networkType names the network file system that has a magic number of
// statfs(2). It is empty for a local one.
func networkType(magic uint32) string {
	const share = "Windows share"
	return map[uint32]string{
		unix.NFS_SUPER_MAGIC: "NFS", unix.SMB_SUPER_MAGIC: share, unix.SMB2_SUPER_MAGIC: share, unix.CIFS_SUPER_MAGIC: share,
		unix.AFS_SUPER_MAGIC: "AFS", unix.AFS_FS_MAGIC: "AFS", unix.CEPH_SUPER_MAGIC: "Ceph", unix.CODA_SUPER_MAGIC: "Coda", unix.NCP_SUPER_MAGIC: "NetWare",
	}[magic]
}
