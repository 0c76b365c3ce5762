import type { Command } from 'commander'
import { removeFactors } from '../../actions/factors/remove-factors.js'
import { accountOf } from '../actor.js'
import { confirmed } from '../confirm.js'
import { type Json, leaf, yes } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { print } from '../output.js'

/** The command `user remove-factors`. */
export function addRemoveFactors(user: Command): void {
  leaf(user, 'remove-factors', 'Removes the second factors of a person who has lost them, and ends its sessions.', [
    'user remove-factors amir@example.com --yes',
  ])
    .argument('<account>', 'its address or its id')
    .addOption(yes())
    .action(async (name: string, { json, yes }: { readonly yes: boolean } & Json) => {
      const done = await onOrganization(async ctx => {
        const { id, delivery_email, full_name } = accountOf(ctx, name)
        await confirmed(yes, `Remove the second factors of ${full_name} (${delivery_email})?`)
        await removeFactors(ctx, null, id)
        return { user_id: id, email: delivery_email }
      })
      print(json, done, [`${done.email} has no second factor any more`])
    })
}
