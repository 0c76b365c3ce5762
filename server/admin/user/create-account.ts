import { newPassword } from '../../actions/accounts/new-secrets.js'
import { createUser } from '../../actions/users/create.js'
import type { Ctx } from '../../ctx.js'
import { type RoleName, roles } from '../leaf.js'

export interface NewAccount {
  readonly email: string
  readonly fullName: string
  readonly role: RoleName
  readonly bot: boolean
  /** Only for bots. */
  readonly ownerId?: number
}

/** The credentials of the new account. */
interface Credentials {
  readonly email: string
  readonly api_key: string
  /** Null for bots. */
  readonly password: string | null
  readonly user_id: number
}

export async function createAccount(ctx: Ctx, account: NewAccount): Promise<Credentials> {
  const { email, fullName, bot, ownerId = null } = account
  const password = bot ? null : newPassword()
  const user = await createUser(ctx, {
    email,
    fullName,
    role: roles[account.role],
    password,
    ...(bot && { bot: { ownerId } }),
  })
  return { email: user.delivery_email, api_key: user.api_key, password, user_id: user.id }
}

export function asLines(credentials: Credentials): string[] {
  return Object.entries(credentials)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}`)
}
