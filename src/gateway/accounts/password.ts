import { hash, verify } from "@node-rs/argon2";

/**
 * As OWASP advises for argon2id (Password Storage Cheat Sheet): 19 MiB, two rounds, one lane. It runs beside the main
 * thread.
 */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export async function hashPassword(password: string): Promise<string> {
  return hash(password, options);
}

/** Takes about as long where there is no such account, so that the time does not tell whether there is. */
export async function isPasswordOf(passwordHash: string | undefined, password: string): Promise<boolean> {
  if (passwordHash !== undefined) return verify(passwordHash, password);
  await hash(password, options);
  return false;
}
