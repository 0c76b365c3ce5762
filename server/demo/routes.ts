import { z } from 'zod'
import { ApiError } from '../../shared/errors.js'
import { route } from '../api/route.js'
import { isLoopback } from '../config/addresses.js'
import type { Config } from '../config.js'
import type { Directory } from '../memory/directory.js'
import { text } from '../params/schemas.js'
import { isAdministrator } from '../policies/roles.js'
import type { UserRow } from '../store/users/users.js'
import { accounts, emailOf } from './accounts.js'

/**
 * Whether the operations below exist: the server makes a demonstration organization, and only programs on this machine
 * reach it (docs/security.md#the-demonstration).
 */
export const letsPeopleEnter = ({ demo, host, publicUrl, trustedProxies }: Config): boolean =>
  demo && isLoopback(host) && publicUrl === undefined && trustedProxies.length === 0

const person = z.object({ email: z.string(), realm_url: z.string() })

const listUsers = route({
  operation: 'dev_list_users',
  method: 'GET',
  path: '/dev_list_users',
  doc: 'The people of the demonstration organization, for a program on the same machine.',
  allow: 'anyone',
  params: z.object({}),
  returns: z.object({ direct_admins: z.array(person), direct_users: z.array(person) }),
  errors: ['NOT_FOUND'],
  async handle({ ctx, isLocal }) {
    requireLocal(isLocal)
    await ctx.directory.fresh()
    const listed = (people: UserRow[]) =>
      people.map(({ delivery_email }) => ({ email: delivery_email, realm_url: ctx.publicUrl }))
    const people = peopleOf(ctx.directory)
    return {
      direct_admins: listed(people.filter(isAdministrator)),
      direct_users: listed(people.filter(user => !isAdministrator(user))),
    }
  },
})

const fetchApiKey = route({
  operation: 'dev_fetch_api_key',
  method: 'POST',
  path: '/dev_fetch_api_key',
  doc: 'The API key of one of the people of the demonstration organization, for a program on the same machine.',
  allow: 'anyone',
  params: z.object({ username: text().describe('The email address.') }),
  returns: z.object({ api_key: z.string(), email: z.string(), user_id: z.int() }),
  errors: ['NOT_FOUND', 'AUTHENTICATION_FAILED'],
  async handle({ ctx, isLocal, params: { username } }) {
    requireLocal(isLocal)
    await ctx.directory.fresh()
    const user = peopleOf(ctx.directory).find(({ delivery_email }) => delivery_email === username.toLowerCase())
    if (!user) throw new ApiError('AUTHENTICATION_FAILED', 'This is not one of the people of the demonstration.')
    return { api_key: user.api_key, email: user.delivery_email, user_id: user.id }
  },
})

export const demoRoutes = [listUsers, fetchApiKey]

/** Only accounts that the demonstration made: an address of a real organization is never among them. */
export function peopleOf({ usersByEmail }: Directory): UserRow[] {
  return accounts.flatMap(({ name }) => {
    const user = usersByEmail.get(emailOf(name))
    return user?.is_active && !user.is_bot ? [user] : []
  })
}

function requireLocal(isLocal: boolean): void {
  if (!isLocal) throw new ApiError('NOT_FOUND', 'There is nothing at this path.')
}
