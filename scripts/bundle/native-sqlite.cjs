/**
 * Stands in the bundle for the two packages that tell libsql which native part to load. They ask Node for a whole
 * diagnostic report, which costs four milliseconds at every start; the kernel's own way of loading Node tells it too.
 */
const { closeSync, existsSync, openSync, readSync, realpathSync } = require("node:fs");
const { createRequire } = require("node:module");
const { join } = require("node:path");

/** The name of the native package for this machine, without its scope. */
exports.currentTarget = () => {
  const { platform, arch } = process;
  if (platform !== "linux") return `${platform}-${arch}`;
  const libc = isMusl() ? "musl" : "gnu";
  return arch === "arm" ? `linux-arm-${libc}eabihf` : `linux-${arch}-${libc}`;
};

/** Looked for from libsql, since it is libsql's dependency and not ours. */
exports.load = (target) => createRequire(findLibsql())(`@libsql/${target}`);

/** By hand: Node's own search reads the rules of a package's `exports` first, which takes ten times as long. */
function findLibsql() {
  const places = require.resolve.paths("libsql").map((folder) => join(folder, "libsql", "index.js"));
  return realpathSync(places.find((place) => existsSync(place)));
}

/** The head of an ELF program names the loader of the C library that it was built for. */
function isMusl() {
  const head = Buffer.alloc(4096);
  const file = openSync(process.execPath, "r");
  try {
    return head.subarray(0, readSync(file, head, 0, head.length, 0)).includes("/ld-musl-");
  } finally {
    closeSync(file);
  }
}

// What detect-libc exports. The target above is exact already: libsql has nothing to correct.
exports.familySync = () => null;
exports.GLIBC = "glibc";
exports.MUSL = "musl";
