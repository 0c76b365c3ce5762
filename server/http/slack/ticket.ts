import { createHash } from 'node:crypto'
import { readSigned, sign } from '../../auth/signed-text.js'
import type { Ctx } from '../../ctx.js'
import type { UserRow } from '../../store/users/users.js'

type Signer = Pick<Ctx, 'directory' | 'clock'>

const purpose = 'slack socket'
// A program connects at once; one that was held up asks for another address.
const validMs = 60_000

/** Lets a program open one socket for an account, as long as its key is the same. */
export const socketTicket = ({ directory, clock }: Signer, user: UserRow): string =>
  sign(directory.organization.secret, purpose, [user.id, digestOf(user), clock.now() + validMs])

/** The account of a ticket; undefined: it is foreign, too old, or of a former key. */
export function userOfTicket({ directory, clock }: Signer, ticket: string): UserRow | undefined {
  const [id, digest, until] = readSigned(directory.organization.secret, purpose, ticket) ?? []
  const user = directory.users.get(Number(id))
  return user && digest === digestOf(user) && Number(until) > clock.now() ? user : undefined
}

const digestOf = ({ api_key }: UserRow): string => createHash('sha256').update(api_key).digest('hex')
