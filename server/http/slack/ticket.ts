import { createHash } from 'node:crypto'
import { readSigned, sign } from '../../auth/signed-text.js'
import type { Ctx } from '../../ctx.js'
import type { UserRow } from '../../store/users/users.js'

type Signer = Pick<Ctx, 'directory' | 'clock'>

/** What a ticket is for, and for how many ms: a program comes at once, and one that was held up asks for another address. */
export const tickets = {
  socket: { purpose: 'slack socket', validMs: 60_000 },
  upload: { purpose: 'slack upload', validMs: 600_000 },
} as const

type Kind = (typeof tickets)[keyof typeof tickets]

/** Lets a program act for an account without its key, as long as the key is the same. */
export const ticketFor = (
  { directory, clock }: Signer,
  { purpose, validMs }: Kind,
  user: UserRow,
  values: readonly string[] = [],
): string => sign(directory.organization.secret, purpose, [user.id, digestOf(user), clock.now() + validMs, ...values])

/** The account of a ticket, and its values; undefined: it is foreign, too old, or of a former key. */
export function ofTicket(
  { directory, clock }: Signer,
  { purpose }: Kind,
  ticket: string,
): { readonly user: UserRow; readonly values: readonly string[] } | undefined {
  const [id, digest, until, ...values] = readSigned(directory.organization.secret, purpose, ticket) ?? []
  const user = directory.users.get(Number(id))
  if (!user || digest !== digestOf(user) || Number(until) <= clock.now()) return undefined
  return { user, values: values.map(String) }
}

const digestOf = ({ api_key }: UserRow): string => createHash('sha256').update(api_key).digest('hex')
