import { z } from 'zod'
import type { UserObject } from '../../../../shared/resources/user.js'
import { word } from '../args.js'
import { botIdOf, requiredUser, teamId, userIdOf } from '../ids.js'
import { type Fields, method } from '../method.js'
import { pageArgs, pageOf } from '../page.js'
import type { SlackCall } from '../slack-call.js'
import { SlackError } from '../slack-error.js'

/** Those of the users that the caller may see. */
export async function knownUsers(call: SlackCall, ids?: readonly number[]): Promise<UserObject[]> {
  const args = { client_gravatar: false, user_ids: ids }
  return (await call.ask<{ members: UserObject[] }>('GET', '/users', args)).members
}

const list = method({
  name: 'users.list',
  args: z.object(pageArgs),
  async handle(call, page) {
    const { shown, next } = pageOf(await knownUsers(call), ({ user_id }) => user_id, page)
    return { members: shown.map(userFields), cache_ts: Math.floor(call.ctx.clock.now() / 1000), ...next }
  },
})

const info = method({
  name: 'users.info',
  args: z.object({ user: word() }),
  handle: async (call, { user }) => ({ user: userFields(await knownUser(call, user)) }),
})

/** @throws {SlackError} user_not_found */
async function knownUser(call: SlackCall, id: string): Promise<UserObject> {
  const [found] = await knownUsers(call, [requiredUser(id)])
  if (!found) throw new SlackError('user_not_found')
  return found
}

const lookupByEmail = method({
  name: 'users.lookupByEmail',
  args: z.object({ email: word() }),
  refusals: { BAD_REQUEST: 'users_not_found' },
  async handle(call, { email }) {
    if (!email.includes('@')) throw new SlackError('users_not_found')
    const { user } = await call.ask<{ user: UserObject }>('GET', `/users/${encodeURIComponent(email)}`, {
      client_gravatar: false,
    })
    return { user: userFields(user) }
  },
})

const botInfo = method({
  name: 'bots.info',
  args: z.object({ bot: word() }),
  async handle(call, { bot }) {
    const found = await knownUser(call, bot).catch(thrown => {
      throw thrown instanceof SlackError ? new SlackError('bot_not_found') : thrown
    })
    if (!found.is_bot) throw new SlackError('bot_not_found')
    const { user_id, full_name, is_active, avatar_url } = found
    return {
      bot: {
        id: botIdOf(user_id),
        user_id: userIdOf(user_id),
        name: full_name,
        deleted: is_active === false,
        icons: { image_72: avatar_url },
      },
    }
  },
})

function userFields(user: UserObject): Fields {
  const picture = user.avatar_url ?? ''
  return {
    id: userIdOf(user.user_id),
    team_id: teamId,
    name: user.full_name,
    real_name: user.full_name,
    deleted: user.is_active === false,
    tz: user.timezone || 'Etc/UTC',
    is_admin: user.is_admin,
    is_owner: user.is_owner,
    is_primary_owner: false,
    is_restricted: user.is_guest,
    is_ultra_restricted: false,
    is_bot: user.is_bot,
    is_app_user: false,
    profile: {
      real_name: user.full_name,
      display_name: user.full_name,
      ...(user.delivery_email && { email: user.delivery_email }),
      ...(user.is_bot && { bot_id: botIdOf(user.user_id) }),
      image_72: picture,
      image_192: picture,
    },
  }
}

export const userMethods = [list, info, lookupByEmail, botInfo]
