import type { Command } from 'commander'
import { channelPermissionNames } from '../../../shared/resources/permission-settings.js'
import { channelGroup, settingValue } from '../../policies/groups.js'
import { channelFigures } from '../../store/channels/figures.js'
import { subscribersOfChannels } from '../../store/channels/subscriptions.js'
import { type Json, leaf, type Paged, paged, pageOf } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { fields, print, rest, table } from '../output.js'
import { channelOf, described } from './describe.js'

interface Filters {
  readonly archived: boolean
  readonly search?: string
}

/** The commands `channel list` and `channel show`. */
export function addList(channel: Command): void {
  paged(
    leaf(channel, 'list', 'Lists channels with how many are subscribed and how many messages they hold.', [
      'channel list',
      'channel list --archived --search design',
    ]),
  )
    .option('--archived', 'also archived ones', false)
    .option('--search <text>', 'the name has this in it, whatever the case')
    .action(async ({ json, archived, search = '', ...page }: Filters & Paged & Json) => {
      const all = await onOrganization(async ({ directory, sql }) => {
        const figures = await channelFigures(sql)
        return [...directory.channels.values()]
          .filter(one => archived || !one.is_archived)
          .filter(one => one.name.toLowerCase().includes(search.toLowerCase()))
          .sort((a, b) => a.id - b.id)
          .map(one => described(one, figures.get(one.id)))
      })
      const channels = pageOf(all, page)
      const lines = table(
        {
          id: one => one.stream_id,
          name: one => one.name,
          kind: one => (one.is_archived ? `${one.kind}, archived` : one.kind),
          subscribers: one => one.subscribers,
          messages: one => one.messages,
          description: one => one.description,
        },
        channels,
      )
      print(json, { total: all.length, channels }, [...lines, ...rest(channels.length, all.length, page.offset)])
    })

  leaf(channel, 'show', 'Shows a channel with its subscribers and who may do what in it.', [
    'channel show general',
    'channel show "#12" --json',
  ])
    .argument('<channel>', 'its name, or # and its id')
    .action(async (name: string, { json }: Json) => {
      const shown = await onOrganization(async ctx => {
        const { directory, sql } = ctx
        const one = channelOf(ctx, name)
        const permissions = channelPermissionNames.map(permission => {
          return [permission, settingValue(directory, channelGroup(directory, one, permission) as number)]
        })
        const [figures, subscribers] = [await channelFigures(sql), await subscribersOfChannels(sql, [one.id])]
        return {
          ...described(one, figures.get(one.id)),
          ...Object.fromEntries(permissions),
          subscriber_ids: subscribers.get(one.id) ?? [],
        }
      })
      print(json, shown, fields(shown))
    })
}
