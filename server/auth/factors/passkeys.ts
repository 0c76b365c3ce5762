import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { RelyingParty } from './relying-party.js'

/** Loaded at the first use of a passkey: it is a tenth of the modules of a worker. */
const library = () => import('@simplewebauthn/server')

/** A credential that a browser names. */
interface Credential {
  readonly credential_id: Buffer
  readonly transports: readonly string[]
}

const listed = (credentials: readonly Credential[]) =>
  credentials.map(({ credential_id, transports }) => ({
    id: credential_id.toString('base64url'),
    transports: transports as never,
  }))

interface Registration {
  readonly challenge: string
  readonly organization: string
  readonly address: string
  readonly fullName: string
  /** Names the account to the authenticator, and tells nothing of it. */
  readonly handle: Uint8Array
  /** Those that the account has already. */
  readonly present: readonly Credential[]
}

/** What `navigator.credentials.create` takes, with base64url in place of bytes: a passkey that the browser finds by itself, and that checks its user. */
export const creationOptions = async ({ id }: RelyingParty, about: Registration) =>
  (await library()).generateRegistrationOptions({
    rpID: id,
    rpName: about.organization,
    userName: about.address,
    userDisplayName: about.fullName,
    userID: Uint8Array.from(about.handle),
    challenge: Uint8Array.from(Buffer.from(about.challenge)),
    attestationType: 'none',
    excludeCredentials: listed(about.present),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })

/** What `navigator.credentials.get` takes, likewise. Without `credentials` the person chooses among all passkeys of the site. */
export const requestOptions = async (
  { id }: RelyingParty,
  challenge: string,
  credentials: readonly Credential[] = [],
) =>
  (await library()).generateAuthenticationOptions({
    rpID: id,
    challenge: Uint8Array.from(Buffer.from(challenge)),
    userVerification: 'required',
    allowCredentials: listed(credentials),
  })

interface Expected {
  readonly party: RelyingParty
  /** Whether the challenge, as text, is one for this purpose. */
  readonly isChallenge: (challenge: string) => boolean
}

const expectations = ({ party, isChallenge }: Expected) => ({
  expectedOrigin: party.origin,
  expectedRPID: party.id,
  requireUserVerification: true,
  expectedChallenge: (challenge: string) => isChallenge(Buffer.from(challenge, 'base64url').toString('latin1')),
})

/** Why the answer of an authenticator is refused, for the log. */
export class PasskeyRefusal extends Error {}

/** The library throws errors of no class of its own for whatever is wrong in an answer. */
async function orRefused<T extends { readonly verified: boolean }>(check: () => Promise<T>): Promise<T> {
  try {
    const result = await check()
    if (!result.verified) throw new Error('the signature is wrong')
    return result
  } catch (thrown) {
    throw new PasskeyRefusal((thrown as Error).message)
  }
}

/** The new credential that an authenticator has made. @throws {PasskeyRefusal} */
export async function registered(response: RegistrationResponseJSON, expected: Expected) {
  const { verifyRegistrationResponse } = await library()
  const { registrationInfo } = await orRefused(() =>
    verifyRegistrationResponse({ response, ...expectations(expected) }),
  )
  if (!registrationInfo) throw new PasskeyRefusal('the answer has no credential')
  const { id, publicKey, counter } = registrationInfo.credential
  return { credential_id: Buffer.from(id, 'base64url'), public_key: Buffer.from(publicKey), counter }
}

interface Known {
  readonly credential_id: Buffer
  readonly public_key: Buffer
  readonly counter: number
}

/** Checks a signature of a known credential. @returns its new counter @throws {PasskeyRefusal} */
export async function authenticated(
  response: AuthenticationResponseJSON,
  { credential_id, public_key, counter }: Known,
  expected: Expected,
): Promise<number> {
  const credential = {
    id: credential_id.toString('base64url'),
    publicKey: Uint8Array.from(public_key),
    counter,
  }
  const { verifyAuthenticationResponse } = await library()
  const { authenticationInfo } = await orRefused(() =>
    verifyAuthenticationResponse({ response, credential, ...expectations(expected) }),
  )
  return authenticationInfo.newCounter
}
