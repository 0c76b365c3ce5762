import { limits } from '../../../shared/limits.js'
import { notifyOfUpdate } from '../../actions/announce/channel-update.js'
import { announceSubscriptions } from '../../actions/announce/subscriptions.js'
import { startingColor } from '../../actions/channels/colors.js'
import { createChannels } from '../../actions/channels/new-channel.js'
import { renderDescription } from '../../actions/descriptions.js'
import type { Ctx } from '../../ctx.js'
import { withJoined } from '../../lookups/hold-subscribers.js'
import type { ChannelDraft } from '../../policies/channel-rules.js'
import type { Emit } from '../../realtime/emission.js'
import { storedFacts } from '../../store/channels/channel-facts.js'
import { updateChannel } from '../../store/channels/channels.js'
import { insertSubscriptions } from '../../store/channels/subscriptions.js'
import type { Tx } from '../../store/driver/db.js'
import { noteHistories, openHistory, setPersonal, setReceived } from '../../store/imports/imported-messages.js'
import type { ImportRow } from '../../store/imports/imports.js'
import { bumpVersion } from '../../store/organization/organization.js'
import type { UserRow } from '../../store/users/users.js'
import { truncate } from '../../text/content.js'
import type { SourceChannel } from '../source.js'
import { ChannelNames } from './channel-names.js'
import { folderFor } from './folders.js'
import type { Here } from './here.js'
import type { Received, Spans } from './received.js'

/**
 * Makes the channels of an archive, whose messages are complete: people see each with its whole history at once, and nothing of it is unread. A
 * channel that is here already gets further messages; its subscriptions and settings stay.
 */
export async function importChannels(
  ctx: Ctx,
  row: ImportRow,
  {
    channels,
    here,
    received,
  }: { readonly channels: readonly SourceChannel[]; readonly here: Here; readonly received: Received },
): Promise<void> {
  for (const channel of channels) {
    const known = here.channels.get(channel.key)
    if (!known) continue
    await ctx.directory.fresh()
    await ctx.write(async (tx, emit) => {
      await ctx.directory.hold(tx, 'change')
      if (ctx.directory.channels.has(known.id)) await noteHistories(tx, [known.id])
      else
        await makeChannel(ctx, tx, emit, {
          channel,
          row,
          known,
          people: here.people,
          received: received.get(channel.key),
        })
    })
  }
  await ctx.directory.fresh()
}

interface Making {
  readonly channel: SourceChannel
  readonly row: ImportRow
  readonly known: { readonly id: number; readonly name: string }
  readonly people: Here['people']
  /** Undefined: all subscribers see all of it. */
  readonly received: ReadonlyMap<number, Spans> | undefined
}

async function makeChannel(
  ctx: Ctx,
  tx: Tx,
  emit: Emit,
  { channel, row, known, people, received }: Making,
): Promise<void> {
  const { directory } = ctx
  const { id } = known
  // Another channel may have got the name meanwhile.
  const draft = draftOf(ctx, channel, {
    name: new ChannelNames(directory).name(known.name),
    folderId: await folderFor(ctx, tx, emit, channel.folder),
    people,
  })
  const { created, written } = await createChannels(tx, directory, [
    { ...draft, id, ...(channel.created && { date_created: channel.created }) } as ChannelDraft,
  ])
  await noteHistories(tx, [id])
  const members = channel.members.flatMap(member => directory.users.get(people.get(member) ?? -1) ?? [])
  const stored = await insertSubscriptions(
    tx,
    [...new Set(members.map(user => user.id))],
    [{ id, color: startingColor(id) }],
  )
  await openHistory(tx, id, row.first_id)
  if (received) await setReceived(tx, id, received)
  const idsOf = (keys: readonly string[]) => keys.flatMap(key => people.get(key) ?? [])
  const personal = { pinnedBy: idsOf(channel.pinnedBy), mutedBy: idsOf(channel.mutedBy) }
  await setPersonal(tx, id, personal)
  const rows = stored.rows
    .filter(({ user_id }) => directory.users.get(user_id)?.is_active)
    .map(one => ({
      ...one,
      pin_to_top: personal.pinnedBy.includes(one.user_id),
      is_muted: personal.mutedBy.includes(one.user_id),
    }))
  const subscribers = withJoined(new Map(), rows)
  // Without subscriptions nothing has looked up the facts of the channel.
  const facts = stored.channels.length > 0 ? stored.channels : await storedFacts(tx, [id])
  const change = { created, channels: created, stored: { rows, channels: facts }, subscribers }
  await announceSubscriptions(tx, emit, ctx, { change })
  if (!channel.isArchived) return
  const before = directory.preview(written)
  const was = before.channels.get(id)
  const is = await updateChannel(tx, id, { is_archived: true, is_default: false }, await bumpVersion(tx))
  if (!was || !is) throw new Error(`the channel ${id} that was made is not there`)
  const after = before.preview({ channels: [is] })
  await notifyOfUpdate(ctx, tx, emit, { before, after, was, is, subscribers: subscribers.get(id) ?? [] })
}

function draftOf(
  ctx: Ctx,
  channel: SourceChannel,
  {
    name,
    folderId,
    people,
  }: { readonly name: string; readonly folderId: number | null; readonly people: Here['people'] },
): ChannelDraft {
  const creator = ctx.directory.users.get(people.get(channel.creator ?? '') ?? -1)
  const description = truncate(channel.description.trim(), limits.max_stream_description_length, '…')
  return {
    name,
    description,
    rendered_description: renderDescription(ctx, description),
    creator_id: creator?.id ?? null,
    invite_only: channel.isPrivate,
    is_web_public: false,
    history_public_to_subscribers: !channel.isHistoryHidden,
    is_archived: false,
    is_default: channel.isDefault && !channel.isPrivate && !channel.isArchived,
    message_retention_days: null,
    folder_id: folderId,
    topics_policy: 'inherit',
    settings: administrationOf(creator),
  }
}

const administrationOf = (creator: UserRow | undefined): ChannelDraft['settings'] =>
  creator?.is_active ? { can_administer_channel_group: { direct_members: [creator.id], direct_subgroups: [] } } : {}
