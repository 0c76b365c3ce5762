import type { Command } from 'commander'
import type { Ctx } from '../../ctx.js'
import { AdminError } from '../admin-error.js'
import { confirmed } from '../confirm.js'
import { type Json, leaf, noun, yes } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { fields, print, table } from '../output.js'
import { type KnownSetting, knownSettings } from './known.js'
import { setSetting } from './set.js'

interface Filters {
  readonly changed: boolean
  readonly search?: string
}

/** The commands `setting …` for the organization. */
export function addSettingCommands(program: Command): void {
  const setting = noun(program, 'setting', 'Settings of the organization, and what new accounts begin with.')
  leaf(setting, 'list', 'Lists all settings with their values, types and meanings.', [
    'setting list',
    'setting list --search message --changed',
  ])
    .option('--changed', 'only those that differ from their defaults', false)
    .option('--search <text>', 'name or meaning has this in it, whatever the case')
    .action(async ({ json, ...options }: Filters & Json) => {
      const all = (await onOrganization(async ctx => knownSettings(ctx))).filter(one => isWanted(one, options))
      const lines = table(
        {
          name: one => one.name,
          value: one => JSON.stringify(one.value),
          type: one => one.type,
          meaning: one => one.meaning,
        },
        all,
      )
      print(json, all, lines)
    })

  leaf(setting, 'get', 'Shows one setting.', ['setting get waiting_period_threshold'])
    .argument('<name>', 'as list shows it')
    .action(async (name: string, { json }: Json) => {
      const one = await onOrganization(async ctx => find(ctx, name))
      print(json, one, fields({ ...one }))
    })

  leaf(setting, 'set', 'Sets one setting; connected clients are notified.', [
    'setting set name "Parley Inc."',
    'setting set message_content_edit_limit_seconds null',
    'setting set can_create_groups role:moderators',
    'setting set user.enter_sends true',
    'setting set upload_quota_mib 50000',
    'setting set message_retention_days 365 --yes',
  ])
    .argument('<name>', 'as list shows it')
    .argument('<value>', 'text, or JSON; of a permission the name or id of a group')
    .addOption(yes())
    .action(async (name: string, value: string, { json, yes }: { yes: boolean } & Json) => {
      if (name === 'message_retention_days' && value !== '-1')
        await confirmed(yes, `Delete messages that are older than ${value} days, but in channels with another number?`)
      const one = await onOrganization(async ctx => {
        await setSetting(ctx, name, value)
        return find(ctx, name)
      })
      print(json, one, [`${one.name} is ${JSON.stringify(one.value)}`])
    })
}

function find(ctx: Ctx, name: string): KnownSetting {
  const found = knownSettings(ctx).find(one => one.name === name)
  if (found) return found
  throw new AdminError(`There is no setting ${name}: see setting list.`, 'NOT_FOUND')
}

function isWanted(one: KnownSetting, { changed, search = '' }: Filters): boolean {
  if (changed && (one.default === null || JSON.stringify(one.value) === JSON.stringify(one.default))) return false
  return `${one.name}\n${one.meaning}`.toLowerCase().includes(search.toLowerCase())
}
