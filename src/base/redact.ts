const SECRET_NAME = /(api[_-]?key|token|secret|passw(or)?d|credential|private[_-]?key)/i;

/** Whether a variable or setting of this name usually holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** The text with every occurrence of the given secrets replaced; secrets under 4 characters are left, they match anything. */
export function redact(text: string, secrets: readonly string[]): string {
  let result = text;
  for (const secret of secrets) {
    if (secret.length >= 4) result = result.replaceAll(secret, "[secret]");
  }
  return result;
}
