import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ours = fileURLToPath(new URL("./native-sqlite.cjs", import.meta.url));
const slowly = /return require\(`@libsql\/\$\{target\}`\);/;
const directly = "return load(target);";

/** Bundles libsql's JavaScript and has it find its native part in a fraction of a millisecond. */
export const sqlitePlugin = {
  name: "sqlite",
  setup(build) {
    build.onResolve({ filter: /^(@neon-rs\/load|detect-libc)$/ }, () => ({ path: ours }));
    build.onLoad({ filter: /\/libsql\/index\.js$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (slowly.test(text)) return { contents: text.replace(slowly, directly), loader: "js" };
      return { errors: [{ text: `${path} loads its native part in another way now: see ${ours}` }] };
    });
  },
};
