import type { Command } from 'commander'
import { archiveChannel } from '../../actions/channels/archive-channel.js'
import { updateChannel } from '../../actions/channels/update-channel.js'
import { clearChannel } from '../../actions/retention/clear-channel.js'
import { actorOf } from '../actor.js'
import { confirmed } from '../confirm.js'
import { actsAs, type Json, leaf, yes } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { print } from '../output.js'
import { channelOf } from './describe.js'

interface Options {
  readonly yes: boolean
  readonly as?: string
}

/** The commands `channel archive`, `channel unarchive` and `channel clear`. */
export function addArchive(channel: Command): void {
  leaf(channel, 'archive', 'Archives a channel: its messages stay, and no new ones can be posted.', [
    'channel archive design --yes',
  ])
    .argument('<channel>', 'its name, or # and its id')
    .addOption(actsAs())
    .addOption(yes())
    .action(async (name: string, { json, ...options }: Options & Json) => {
      const done = await onOrganization(async ctx => {
        const { id, name: spelled } = channelOf(ctx, name)
        const actor = actorOf(ctx, options.as)
        await confirmed(options.yes, `Archive the channel ${spelled}?`)
        await archiveChannel(ctx, actor, id)
        return { stream_id: id, name: spelled, is_archived: true }
      })
      print(json, done, [`archived ${done.name}`])
    })

  leaf(channel, 'unarchive', 'Takes a channel out of the archive.', ['channel unarchive design'])
    .argument('<channel>', 'its name, or # and its id')
    .addOption(actsAs())
    .action(async (name: string, { json, as }: Options & Json) => {
      const done = await onOrganization(async ctx => {
        const { id, name: spelled } = channelOf(ctx, name)
        await updateChannel(ctx, actorOf(ctx, as), id, { unarchive: true, groups: {} })
        return { stream_id: id, name: spelled, is_archived: false }
      })
      print(json, done, [`${done.name} is in use again`])
    })

  leaf(channel, 'clear', 'Deletes all messages of an archived channel; they can be restored for some time.', [
    'channel clear design --yes',
  ])
    .argument('<channel>', 'its name, or # and its id')
    .addOption(actsAs())
    .addOption(yes())
    .action(async (name: string, { json, ...options }: Options & Json) => {
      const done = await onOrganization(async ctx => {
        const { id, name: spelled } = channelOf(ctx, name)
        const actor = actorOf(ctx, options.as)
        await confirmed(options.yes, `Delete all messages of the channel ${spelled}?`)
        return { stream_id: id, name: spelled, messages: await clearChannel(ctx, actor, id) }
      })
      print(json, done, [`${done.messages} messages of ${done.name} are deleted`])
    })
}
