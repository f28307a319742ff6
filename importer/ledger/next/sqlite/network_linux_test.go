package sqlite

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestNetworkType(t *testing.T) {
	for magic, want := range map[uint32]bool{
		unix.NFS_SUPER_MAGIC: true, unix.CIFS_SUPER_MAGIC: true, unix.SMB2_SUPER_MAGIC: true, unix.CEPH_SUPER_MAGIC: true,
		unix.EXT4_SUPER_MAGIC: false, unix.BTRFS_SUPER_MAGIC: false, unix.TMPFS_MAGIC: false, unix.XFS_SUPER_MAGIC: false,
	} {
		if got := networkType(magic) != ""; got != want {
			t.Errorf("%#x is on a network: %v, want %v", magic, got, want)
		}
	}

	if kind := networkDrive(t.TempDir()); kind != "" {
		t.Errorf("the folder for temporary files is on %s", kind)
	}

	if kind := networkDrive("/no/such/folder"); kind != "" {
		t.Errorf("no folder at all is on %s", kind)
	}
}
