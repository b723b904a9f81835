import { statfsSync } from "node:fs";

/** File systems on which shared memory, and so WAL, does not work: NFS, SMB, CIFS, SMB2, AFS, 9p, Lustre, GPFS, FUSE, Ceph. */
const NETWORK_TYPES = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x01021997, 0x0bd00bd0, 0x47504653, 0x65735546,
  0x00c36400,
]);

/** Whether the folder lies on a file system of another machine, by the kernel's number of its type. */
export function isOnNetwork(folder: string): boolean {
  return isNetworkType(statfsSync(folder).type);
}

/** The number comes signed or unsigned, as the system has it. */
export function isNetworkType(type: number): boolean {
  return NETWORK_TYPES.has(type >>> 0);
}
