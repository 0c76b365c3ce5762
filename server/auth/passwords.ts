import { hash, verify } from '@node-rs/argon2'

// Callers run these functions under `WorkLimits.passwordHashes`.

/** Argon2id with the library's parameters (19 MiB, two passes), OWASP's recommended minimum. */
export function hashPassword(password: string): Promise<string> {
  return hash(password)
}

// A hash that no password matches. Verified where an account has none, so the answer for an unknown account takes as long.
const dummyHash = '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** Whether the password matches. A null hash (unknown account, or no password) never matches, but takes as long to check. */
export async function isRightPassword(storedHash: string | null, password: string): Promise<boolean> {
  const matches = await verify(storedHash ?? dummyHash, password)
  return storedHash !== null && matches
}
