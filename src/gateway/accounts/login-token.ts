import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { User } from "../records/users.ts";

/** As on the platform (PROTOCOL 1.1). */
const LIFE_S = 12 * 3600;

/** For so long after its end a token may still be exchanged for a new one. */
const REFRESHABLE_MS = 7 * 24 * 3_600_000;

/** Who a login token names. It says nothing of whether that user still is. */
export interface Login {
  readonly userId: number;
  /** The password that it was made with; an older one than the user's is over. */
  readonly passwordAge: number;
  /** 0: it is good. */
  readonly expiredForMs: number;
}

/** A JWT for twelve hours. */
export async function makeLoginToken(
  key: Uint8Array,
  { id, passwordAge }: Pick<User, "id" | "passwordAge">,
  now: Date,
): Promise<string> {
  const issuedS = Math.floor(now.getTime() / 1000);
  return new SignJWT({ age: passwordAge })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setSubject(String(id))
    .setIssuedAt(issuedS)
    .setExpirationTime(issuedS + LIFE_S)
    .sign(key);
}

/** Undefined for whatever was not signed with this key. An expired one is still read, for a refresh. */
export async function readLoginToken(key: Uint8Array, token: string, now: Date): Promise<Login | undefined> {
  const options = { algorithms: ["HS256"], requiredClaims: ["sub", "exp"], currentDate: now };
  try {
    const { payload } = await jwtVerify(token, key, options);
    return readClaims(payload, now);
  } catch (fault) {
    return fault instanceof errors.JWTExpired ? readClaims(fault.payload, now) : undefined;
  }
}

export function isRefreshable({ expiredForMs }: Pick<Login, "expiredForMs">): boolean {
  return expiredForMs < REFRESHABLE_MS;
}

function readClaims({ sub, exp, age }: JWTPayload, now: Date): Login | undefined {
  const userId = Number(sub);
  if (!Number.isSafeInteger(userId) || typeof age !== "number" || exp === undefined) return undefined;
  // Expired from this very second on, as the check of the signature has it.
  const isExpired = exp <= Math.floor(now.getTime() / 1000);
  const expiredForMs = isExpired ? Math.max(1, now.getTime() - exp * 1000) : 0;
  return { userId, passwordAge: age, expiredForMs };
}
