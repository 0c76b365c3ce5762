import { administrator, guest, member, moderator, owner } from '../access/allow.js'
import { createUser } from '../actions/users/create.js'
import { newPassword } from '../actions/users/new-secrets.js'
import type { Config } from '../config.js'
import type { Log } from '../log.js'
import { migrate } from '../store/migrate.js'
import { findDatabase } from './database.js'
import { withOrganization } from './offline.js'

export const roles = { owner, administrator, moderator, member, guest } as const

export interface NewAccount {
  readonly email: string
  readonly fullName: string
  readonly role: keyof typeof roles
  readonly bot: boolean
}

/** How to sign in to the account that was made. */
export interface Credentials {
  readonly email: string
  readonly api_key: string
  /** Null for bots. */
  readonly password: string | null
  readonly user_id: number
}

export async function createAccount(config: Config, log: Log, account: NewAccount): Promise<Credentials> {
  const settings = await findDatabase(config)
  await migrate(settings.databaseUrl, settings.databaseSchema)
  const { email, fullName, bot } = account
  const password = bot ? null : newPassword()
  return await withOrganization(settings, log, async ctx => {
    const user = await createUser(ctx, {
      email,
      fullName,
      role: roles[account.role],
      password,
      ...(bot && { bot: { ownerId: null } }),
    })
    return { email: user.delivery_email, api_key: user.api_key, password, user_id: user.id }
  })
}
