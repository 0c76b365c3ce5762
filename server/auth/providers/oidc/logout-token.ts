import { createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { Configuration } from 'openid-client'

const requestMs = 5000
/** Seconds by which the clocks of both sides may differ. */
const tolerance = 30
/** Seconds for which a logout token can be used. */
const logoutTokenSeconds = 300

const event = 'http://schemas.openid.net/event/backchannel-logout'

/** The keys that a provider signs with. They are kept, and asked for again at most every half minute, so forged tokens cause few requests. */
export function keysOf(configuration: Configuration): JWTVerifyGetKey {
  const { jwks_uri } = configuration.serverMetadata()
  if (jwks_uri === undefined) throw new Error('the provider names no keys')
  return createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: requestMs })
}

/**
 * Reads a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6): signature, issuer, audience, age, event, and that it is no ID token.
 * @throws for a token that is not accepted
 */
export async function readLogoutToken(
  configuration: Configuration,
  keys: JWTVerifyGetKey,
  { token, currentDate }: { readonly token: string; readonly currentDate: Date },
): Promise<{ readonly subject: string; readonly tokenId: string }> {
  const { payload } = await jwtVerify(token, keys, {
    issuer: configuration.serverMetadata().issuer,
    audience: configuration.clientMetadata().client_id,
    currentDate,
    clockTolerance: tolerance,
    maxTokenAge: logoutTokenSeconds,
    requiredClaims: ['iat', 'jti', 'sub', 'events'],
  })
  const { sub, jti, events, nonce } = payload
  if (nonce !== undefined) throw new Error('an ID token is no logout token')
  if (typeof events !== 'object' || events === null || !(event in events)) throw new Error('the event is another one')
  return { subject: String(sub), tokenId: String(jti) }
}
