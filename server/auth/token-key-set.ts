import { z } from 'zod'

// The algorithms that each key type allows; the first is the default. Private keys are rejected.
const rsa = z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']).default('RS256')
const curves = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' } as const
const text = z.string().min(1)
const naming = { kid: z.string().optional(), use: z.string().optional(), d: z.undefined().optional() }

const jwk = z.discriminatedUnion('kty', [
  z.looseObject({
    kty: z.literal('oct'),
    alg: z.enum(['HS256', 'HS384', 'HS512']).default('HS256'),
    k: text,
    ...naming,
  }),
  z.looseObject({ kty: z.literal('RSA'), alg: rsa, n: text, e: text, ...naming }),
  z.looseObject({
    kty: z.literal('EC'),
    alg: z.enum(['ES256', 'ES384', 'ES512']).optional(),
    crv: z.enum(['P-256', 'P-384', 'P-521']),
    x: text,
    y: text,
    ...naming,
  }),
  z.looseObject({
    kty: z.literal('OKP'),
    alg: z.literal('EdDSA').default('EdDSA'),
    crv: z.literal('Ed25519'),
    x: text,
    ...naming,
  }),
])

type Jwk = z.infer<typeof jwk>

/** A JWK set (RFC 7517), transformed into the keys that verify signatures. */
export const keySet = z.object({ keys: z.array(jwk).min(1) }).transform(({ keys }, context) => {
  const usable = keys.flatMap((key, index) => {
    if (key.use !== undefined && key.use !== 'sig') return []
    const alg = key.kty === 'EC' ? curves[key.crv] : key.alg
    if (key.alg !== undefined && key.alg !== alg) {
      context.addIssue({ code: 'custom', message: 'alg does not fit the curve', path: ['keys', index] })
    }
    return [{ alg, kid: key.kid, jwk: material(key) }]
  })
  if (usable.length === 0) context.addIssue({ code: 'custom', message: 'no key for signatures', path: ['keys'] })
  return usable
})

export type KeySet = z.infer<typeof keySet>

/** The fields that make up the key; verification ignores other fields of the set (x5c, key_ops). */
function material(key: Jwk) {
  switch (key.kty) {
    case 'oct':
      return { kty: key.kty, k: key.k }
    case 'RSA':
      return { kty: key.kty, n: key.n, e: key.e }
    case 'EC':
      return { kty: key.kty, crv: key.crv, x: key.x, y: key.y }
    case 'OKP':
      return { kty: key.kty, crv: key.crv, x: key.x }
  }
}
