/** The name of a requirement as package indexes write it, in small letters; null: an address or a path without one. */
export function findRequirementName(text: string): string | null {
  const named = /^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(?:[@;=<>!~,(]|$)/.exec(text.trim())?.[1];
  const egg = /[#&]egg=([A-Za-z0-9._-]+)/.exec(text)?.[1];
  const repository = /^git\+[^#@]*\/([A-Za-z0-9._-]+?)(?:\.git)?(?:@[^#]*)?(?:#.*)?$/.exec(text.trim())?.[1];
  const name = named ?? egg ?? repository;
  return name === undefined ? null : name.toLowerCase().replaceAll(/[._-]+/g, "-");
}
