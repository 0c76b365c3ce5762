import type { Command } from 'commander'
import { deactivateUser } from '../../actions/users/deactivate.js'
import { reactivateUser } from '../../actions/users/reactivate.js'
import { accountOf, actorOf } from '../actor.js'
import { AdminError } from '../admin-error.js'
import { confirmed } from '../confirm.js'
import { actsAs, type Json, leaf, yes } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { print } from '../output.js'

interface Options {
  readonly yes: boolean
  readonly as?: string
  readonly deleteProfile: boolean
}

const noMessages = {
  delete_public_channel_messages: false,
  delete_private_channel_messages: false,
  delete_direct_messages: false,
} as const

/** The commands `user deactivate` and `user reactivate`. */
export function addDeactivate(user: Command): void {
  leaf(user, 'deactivate', 'Deactivates a person and its bots: sockets and polls end at once, messages stay.', [
    'user deactivate amir@example.com',
    'user deactivate 17 --delete-profile --yes',
  ])
    .argument('<account>', 'its address or its id')
    .option('--delete-profile', 'also remove name, address, picture, profile and settings, for good', false)
    .addOption(actsAs())
    .addOption(yes())
    .action(async (name: string, { json, ...options }: Options & Json) => {
      const done = await onOrganization(async ctx => {
        const row = accountOf(ctx, name)
        if (row.is_bot) throw new AdminError(`${row.delivery_email} is a bot: see bot deactivate.`, 'IS_BOT')
        const actor = actorOf(ctx, options.as)
        await confirmed(options.yes, `Deactivate ${row.full_name} (${row.delivery_email})?`)
        await deactivateUser(ctx, actor, row.id, {
          actions: { ...noMessages, delete_profile: options.deleteProfile },
        })
        return { user_id: row.id, email: row.delivery_email, is_active: false }
      })
      print(json, done, [`${done.email} is deactivated`])
    })

  leaf(user, 'reactivate', 'Brings a deactivated person or bot back, with its role, groups and channels.', [
    'user reactivate amir@example.com',
  ])
    .argument('<account>', 'its address or its id')
    .action(async (name: string, { json }: Json) => {
      const done = await onOrganization(async ctx => {
        const row = accountOf(ctx, name)
        await reactivateUser(ctx, row.id)
        return { user_id: row.id, email: row.delivery_email, is_active: true }
      })
      print(json, done, [`${done.email} is active again`])
    })
}
