import { redactText } from "../../base/redact.ts";
import type { ContractTerms } from "./contract-terms.ts";

/** The terms of an environment as they may be printed: values of its specification that look like secrets are not shown. */
export function hideValues(contract: ContractTerms): ContractTerms {
  const env = Object.entries(contract.spec.env).map(([name, value]) => {
    const shown = redactText(`${name}=${value}`);
    return [name, shown.startsWith(`${name}=`) ? shown.slice(name.length + 1) : shown] as const;
  });
  return { ...contract, spec: { ...contract.spec, env: Object.fromEntries(env) } };
}
