const SECRET_NAME = /(api[_-]?key|token|secret|passw(or)?d|credential|private[_-]?key)/i;

/** Whether a variable or setting of this name usually holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}
