import type { Command } from 'commander'
import { ownsBot } from '../../policies/accounts.js'
import { userFigures } from '../../store/channels/figures.js'
import { accountOf } from '../actor.js'
import { type Json, leaf } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { fields, print } from '../output.js'
import { described } from './describe.js'

/** The command `user show`. */
export function addShow(user: Command): void {
  leaf(user, 'show', 'Shows an account. Never its key.', ['user show owner@example.com', 'user show 17 --json'])
    .argument('<account>', 'its address or its id')
    .action(async (name: string, { json }: Json) => {
      const shown = await onOrganization(async ctx => {
        const row = accountOf(ctx, name)
        const bots = [...ctx.directory.users.values()].filter(one => ownsBot(row, one)).map(one => one.id)
        return { ...described(row), timezone: row.timezone, bots, ...(await userFigures(ctx.sql, row.id)) }
      })
      print(json, shown, fields(shown))
    })
}
