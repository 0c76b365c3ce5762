import { hash, verify } from '@node-rs/argon2'

/** Argon2id with the library's parameters (19 MiB, two passes): what OWASP recommends at the least. */
export function hashPassword(password: string): Promise<string> {
  return hash(password)
}

// The hash of no password. Checked where there is none to check, so that the answer takes as long for an unknown account.
const nobody = '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** Null stands for an account that does not exist or has no password: never right, and as slow to find out. */
export async function isRightPassword(storedHash: string | null, password: string): Promise<boolean> {
  const matches = await verify(storedHash ?? nobody, password)
  return storedHash !== null && matches
}
