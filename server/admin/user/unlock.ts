import type { Command } from 'commander'
import { readConfig } from '../../config.js'
import { Attempts } from '../../limits/attempts.js'
import { unlockSignIn } from '../../limits/sign-in-attempts.js'
import { createLog } from '../../log.js'
import { loadFunctions } from '../../redis/functions.js'
import { accountOf } from '../actor.js'
import { type Json, leaf } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { auditCommand } from '../operator.js'
import { print } from '../output.js'
import { withRedis } from '../redis.js'

/** The command `user unlock`. */
export function addUnlock(user: Command): void {
  leaf(user, 'unlock', 'Lets a person sign in again who has to wait after wrong passwords or codes; both stay.', [
    'user unlock amir@example.com',
  ])
    .argument('<account>', 'its address or its id')
    .action(async (name: string, { json }: Json) => {
      const config = readConfig(process.env)
      const done = await onOrganization(ctx =>
        withRedis(config, createLog('error', 'admin'), async redis => {
          const { id, delivery_email } = accountOf(ctx, name)
          const functions = await loadFunctions(redis)
          const attempts = new Attempts(redis, functions, config.keyPrefix, ctx.directory.organization.uuid)
          await unlockSignIn({ attempts, sql: ctx.sql }, delivery_email, id)
          await auditCommand(ctx.sql, 'sign_in_unlock', { subject: { user_id: id }, before: null, after: {} })
          return { user_id: id, email: delivery_email }
        }),
      )
      print(json, done, [`${done.email} may sign in`])
    })
}
