import { describeFault } from "../../base/error.ts";
import { quoteInput } from "../../base/quote-input.ts";
import { type Found, readFields, readList, readText } from "./check-value.ts";
import type { SmokeTests } from "./env-spec.ts";

/** What shows that an environment works. @throws spec_bad */
export function checkSmoke(found: Found | undefined): SmokeTests {
  const fields = found ? readFields(found, ["import_names", "gpu_tests", "cli_checks"]) : {};
  return {
    importNames: readList(fields.import_names, readImportName),
    gpuTests: readList(fields.gpu_tests, readGpuTest),
    cliChecks: readList(fields.cli_checks, readCliCheck),
  };
}

function readImportName(found: Found): string {
  const name = readText(found);
  if (!/^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(name))
    throw found.refuse(
      found.line,
      `${found.at} is ${quoteInput(name)}, which Python cannot import`,
      "Name the module as it stands behind `import`, such as sklearn for scikit-learn.",
    );
  return name;
}

function readGpuTest(found: Found) {
  const fields = readFields(found, ["cmd", "expect"]);
  if (!fields.cmd || !fields.expect)
    throw found.refuse(
      found.line,
      `${found.at} needs both \`cmd\` and \`expect\``,
      "Say what is run and which pattern its output must match: {cmd: ..., expect: ...}.",
    );
  return { cmd: readText(fields.cmd), expect: readPattern(fields.expect) };
}

function readCliCheck(found: Found) {
  if (typeof found.value === "string") return { cmd: readText(found), expect: null };
  const fields = readFields(found, ["cmd", "expect"]);
  if (!fields.cmd)
    throw found.refuse(found.line, `${found.at} has no \`cmd\``, "Say what is run: cmd: COMMAND.");
  return { cmd: readText(fields.cmd), expect: fields.expect ? readPattern(fields.expect) : null };
}

function readPattern(found: Found): string {
  const text = readText(found);
  try {
    new RegExp(text);
  } catch (fault) {
    throw found.refuse(
      found.line,
      `${found.at} is no regular expression: ${describeFault(fault)}`,
      "Put a backslash before signs that mean themselves, and write the pattern as JavaScript does.",
    );
  }
  return text;
}
