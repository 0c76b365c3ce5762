import { type Command, Option } from 'commander'
import { beginErasure } from '../../actions/users/erasure/begin-erasure.js'
import { erasurePreview } from '../../actions/users/erasure/erase.js'
import { type Erasure, messagesOfErased } from '../../job-types/erase-user.js'
import { accountOf, actorOf } from '../actor.js'
import { confirmed } from '../confirm.js'
import { actsAs, type Json, leaf, yes } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { fields, print } from '../output.js'

interface Options {
  readonly preview: boolean
  readonly messages: Erasure['messages']
  readonly as?: string
  readonly yes: boolean
}

/** The command `user erase`. */
export function addErase(user: Command): void {
  leaf(user, 'erase', 'Erases a person for good: account, files, reactions, settings, and by choice messages.', [
    'user erase amir@example.com --preview',
    'user erase amir@example.com --messages delete --yes',
  ])
    .argument('<account>', 'its address or its id')
    .option('--preview', 'only count what would go', false)
    .addOption(
      new Option('--messages <choice>', 'what happens with its messages; kept ones are under the name Deleted user')
        .choices(messagesOfErased)
        .default('keep'),
    )
    .addOption(actsAs())
    .addOption(yes())
    .action(async (name: string, { json, preview, messages, ...options }: Options & Json) => {
      const done = await onOrganization(async ctx => {
        const { id, full_name, delivery_email } = accountOf(ctx, name)
        const erasure = { user_id: id, messages }
        const found = await erasurePreview(ctx, erasure)
        if (!preview) {
          await confirmed(options.yes, `Erase ${full_name} (${delivery_email}) for good?`)
          await beginErasure(ctx, actorOf(ctx, options.as), erasure)
        }
        return { ...erasure, has_begun: !preview, found }
      })
      const counted = Object.keys(done.found).length === 0 ? ['nothing is left of this account'] : fields(done.found)
      print(json, done, [...counted, ...(preview ? [] : ['', 'a job erases this: see job list --kind erase-user'])])
    })
}
