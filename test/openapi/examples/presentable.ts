// What differs from run to run, and what is secret, is replaced; long lists are cut.
const secrets: Readonly<Record<string, string>> = {
  api_key: 'An API key of 32 letters.',
  token: 'A JSON Web Token.',
  proof: 'A proof.',
  setup: 'A setup.',
  secret: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
}
const objects: Readonly<Record<string, object>> = {
  credential: {
    id: 'AQIDBA',
    rawId: 'AQIDBA',
    type: 'public-key',
    response: { clientDataJSON: 'eyJ0eXBlIjoi', attestationObject: 'o2NmbXRk', transports: ['internal'] },
  },
  options: {
    challenge: 'MTIzNDU2',
    rp: { id: 'chat.example', name: 'Chat' },
    user: { id: 'BQYHCA', name: 'ada@chat.example', displayName: 'Ada' },
  },
}
const time = 1_767_225_600
const mostItems = 2
/** An object with more members is a map. */
const mostMembers = 100

/** The value as an example shows it. */
export function presentable(value: unknown, name = ''): unknown {
  if (typeof value === 'string' && name in secrets) return secrets[name]
  if (name in objects) return objects[name]
  if (name === 'code' && /^\d{6}$/.test(String(value))) return '123456'
  if (typeof value === 'number') return time * (unitOf(value) ?? 0) || value
  if (typeof value === 'string') return presentableText(value)
  if (Array.isArray(value)) return value.slice(0, mostItems).map(item => presentable(item))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(
    ([key, member]) => [presentableText(key), presentable(member, key)] as const,
  )
  return Object.fromEntries(members.length > mostMembers ? members.slice(0, mostItems) : members)
}

/** A time of this century after 2020, in seconds; some ids are times in milliseconds or microseconds. */
const unitOf = (value: number): number | undefined =>
  [1, 1e3, 1e6].find(unit => value > 1.6e9 * unit && value < 4e9 * unit)

function presentableText(text: string): string {
  return (
    text
      .replace(
        /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g,
        '0b9f1a52-6d0c-4c55-9d3e-5f6a1c2b7e84',
      )
      // The random parts of addresses: that of a file, and what opens it without credentials.
      .replace(
        /(\/?user_uploads|\/thumbnail\/status)\/1\/[0-9a-f]{2}\/[\w-]{24}\//g,
        '$1/1/4e/Jq3vX0aY7mTzPpLr2dUcWbSk/',
      )
      // QR codes, what they say, and recovery codes.
      .replace(
        /^otpauth:.*/,
        'otpauth://totp/Chat:ada%40chat.example?issuer=Chat&secret=ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
      )
      .replace(/^(?:M\d+ \d+h\d+v1h-\d+z)+$/, 'M4 4h7v1h-7z')
      .replace(/^[a-z2-7]{4}(?:-[a-z2-7]{4}){3}$/, 'abcd-efgh-2345-mnop')
      .replace(/^1\/[0-9a-f]{2}\/[\w-]{24}\//, '1/4e/Jq3vX0aY7mTzPpLr2dUcWbSk/')
      .replace(/(?<=\/user_uploads\/temporary\/)[^/]+/, 'a-token-of-one-minute')
      .replace(/\b20\d\d-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, '2026-01-01T00:00:00$1')
  )
}

/** Names and types of all that a value holds; the items of a list count together. */
export function shapeOf(value: unknown): unknown {
  if (value === null) return 'null'
  if (Array.isArray(value)) return [...new Set(value.map(item => JSON.stringify(shapeOf(item))))].sort()
  if (typeof value !== 'object') return typeof value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, shapeOf(member)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}
