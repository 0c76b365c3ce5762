import type { Command } from 'commander'
import { resetPassword } from '../../actions/users/reset-password.js'
import { accountOf } from '../actor.js'
import { confirmed } from '../confirm.js'
import { type Json, leaf, yes } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { print } from '../output.js'

interface Options {
  readonly mail: boolean
  readonly yes: boolean
}

/** The command `user password`. */
export function addPassword(user: Command): void {
  leaf(user, 'password', 'Gives a person a new password, and prints it once. Clients that are signed in stay so.', [
    'user password amir@example.com --yes',
    'user password amir@example.com --mail --yes',
  ])
    .argument('<account>', 'its address or its id')
    .option('--mail', 'send it to the account by mail in place of printing it', false)
    .addOption(yes())
    .action(async (name: string, { json, mail, yes }: Options & Json) => {
      const done = await onOrganization(async ctx => {
        const { id, delivery_email, full_name } = accountOf(ctx, name)
        await confirmed(yes, `Give ${full_name} (${delivery_email}) another password?`)
        const password = await resetPassword(ctx, id, mail)
        return { user_id: id, email: delivery_email, ...(mail ? { mailed: true } : { password }) }
      })
      const mailed = `The server mails it to ${done.email}: within five seconds, or when it starts.`
      print(json, done, ['password' in done ? `password: ${done.password}` : mailed])
    })
}
