import type { Identity } from '../provider.js'

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

// The bound of a list of groups that is looked at; the rest has no effect.
const mostGroups = 2000

/** The person that the claims of an ID token, and those of the user-info endpoint, describe. */
export function identityOf(
  claims: Readonly<Record<string, unknown>>,
  { provider, emailIsVerified, groupsClaim }: { provider: string; emailIsVerified: boolean; groupsClaim: string },
): Identity {
  const groups = claims[groupsClaim]
  return {
    provider,
    subject: text(claims.sub),
    email: text(claims.email),
    emailIsVerified: isVerified(claims.email_verified) ?? emailIsVerified,
    fullName: nameIn(claims),
    ...(groups !== undefined && { groups: textsIn(groups) }),
  }
}

/** Undefined: the provider does not say. */
function isVerified(claim: unknown): boolean | undefined {
  // Some providers send it as a text.
  return claim === undefined ? undefined : claim === true || claim === 'true'
}

function nameIn({ name, given_name, family_name }: Readonly<Record<string, unknown>>): string {
  return text(name) || `${text(given_name)} ${text(family_name)}`.trim()
}

/** A provider sends one group as a text. */
const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter(one => typeof one === 'string').slice(0, mostGroups)
