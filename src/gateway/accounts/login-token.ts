import { errors, jwtVerify, SignJWT } from "jose";
import type { User } from "../records/users.ts";

/** As on the platform (PROTOCOL 1.1). */
const LIFE_S = 12 * 3600;

/** Who a login token names. It says nothing of whether that user still is. */
export interface Login {
  readonly userId: number;
  /** The password that it was made with; an older one than the user's is over. */
  readonly passwordAge: number;
  readonly isExpired: boolean;
}

/** A JWT for twelve hours. */
export async function makeLoginToken(key: Uint8Array, { id, passwordAge }: User, now: Date): Promise<string> {
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
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ["HS256"], currentDate: now });
    return readClaims(payload, false);
  } catch (fault) {
    return fault instanceof errors.JWTExpired ? readClaims(fault.payload, true) : undefined;
  }
}

function readClaims(claims: { sub?: string; age?: unknown }, isExpired: boolean): Login | undefined {
  const userId = Number(claims.sub);
  const { age } = claims;
  if (!Number.isSafeInteger(userId) || typeof age !== "number") return undefined;
  return { userId, passwordAge: age, isExpired };
}
