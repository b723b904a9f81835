/**
 * Packages with a native part that finds its own files: they stay where npm put them, and are loaded from there.
 * `bufferutil` makes `ws` quicker, which works without it too; `utf-8-validate` is not installed, and not needed.
 * `web-tree-sitter` has its WebAssembly beside it.
 */
export const NATIVE_PACKAGES = [
  "@node-rs/argon2",
  "bufferutil",
  "sharp",
  "utf-8-validate",
  "web-tree-sitter",
];
