import { randomBytes } from 'node:crypto'
import { readSigned, sign } from '../signed-text.js'

/** Seconds in which a passkey has to answer a challenge. */
export const challengeSeconds = 600

/** What a challenge is for. */
export interface ChallengePurpose {
  readonly use: 'add' | 'sign in' | 'second factor'
  /** The account, or the sign-in of a browser: the answer counts for no other. */
  readonly subject: string
}

const purposeOf = ({ use }: ChallengePurpose): string => `passkey challenge: ${use}`

/** A challenge for a passkey, as text: it contains what it is for, so the server stores nothing. */
export const newChallenge = (secret: string, purpose: ChallengePurpose, now: number): string =>
  sign(secret, purposeOf(purpose), [
    purpose.subject,
    now + challengeSeconds * 1000,
    randomBytes(16).toString('base64url'),
  ])

/** Whether this server made the challenge for the purpose, at most ten minutes ago. */
export function isChallenge(secret: string, purpose: ChallengePurpose, challenge: string, now: number): boolean {
  const [subject, until] = readSigned(secret, purposeOf(purpose), challenge) ?? []
  return subject === purpose.subject && Number(until) >= now
}
