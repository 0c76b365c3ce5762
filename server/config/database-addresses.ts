import { z } from 'zod'

/** The value that asks for the embedded database, where a missing address would look forgotten. */
export const embedded = 'embedded'

/** DATABASE_URL. Several hosts, separated by commas, are those of one PostgreSQL. */
export const databaseUrl = address(
  text => isAddress(/^postgres(ql)?:$/, text.replace(/^(\w+:\/\/(?:[^@/?]*@)?[^,@/?]*),[^@/?]*/, '$1')),
  'must be an address like postgres://ROLE:PASSWORD@HOST:5432/DATABASE',
)

/** REDIS_URL. */
export const redisUrl = address(
  text => text.split(',').every(part => isAddress(/^rediss?:$/, part.trim())),
  'must be an address like redis://default:PASSWORD@HOST:6379, or several of a cluster, separated by commas',
)

function address(isRight: (text: string) => boolean, form: string) {
  return z
    .string()
    .refine(
      text => text === embedded || isRight(text),
      `${form}, in which special characters of a password are encoded (%40 for @)`,
    )
    .optional()
}

/** Special characters in a password would end the part of the address that it is in: most such addresses are no URL any more. */
function isAddress(scheme: RegExp, text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text)
    for (const part of [username, password]) decodeURIComponent(part)
    return scheme.test(protocol) && !/@[^/?]*@/.test(text)
  } catch {
    return false
  }
}

interface Given {
  readonly DATABASE_URL?: string
  readonly REDIS_URL?: string
  readonly DATABASE_SOCKET?: string
  readonly REDIS_SOCKET?: string
  readonly SHARE_PORT: boolean
}

/**
 * The mistake in settings that only make sense together with an address of a database, which has been forgotten: the server would quietly
 * start with an empty database of its own. Undefined: there is none.
 */
export function forgottenAddress(
  { DATABASE_URL, REDIS_URL, DATABASE_SOCKET, REDIS_SOCKET, SHARE_PORT }: Given,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const way = `${embedded} asks for the embedded one`
  if (DATABASE_SOCKET && !isOwn(DATABASE_URL))
    return 'DATABASE_SOCKET needs DATABASE_URL, which has the role, the password and the database.'
  if (REDIS_SOCKET && !isOwn(REDIS_URL)) return 'REDIS_SOCKET needs REDIS_URL.'
  if (SHARE_PORT && !(isOwn(DATABASE_URL) && isOwn(REDIS_URL)))
    return 'SHARE_PORT is for servers with the same databases: set DATABASE_URL and REDIS_URL.'
  if (!DATABASE_URL && isOwn(REDIS_URL)) return `REDIS_URL is set and DATABASE_URL is missing (${way}).`
  // Names of docs/deployment/env.example.
  if (!DATABASE_URL && environment.POSTGRES_PASSWORD)
    return `POSTGRES_PASSWORD is set and DATABASE_URL is missing (${way}).`
  if (!REDIS_URL && environment.REDIS_PASSWORD) return `REDIS_PASSWORD is set and REDIS_URL is missing (${way}).`
  return undefined
}

const isOwn = (address: string | undefined): boolean => address !== undefined && address !== embedded
