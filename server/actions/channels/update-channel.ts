import { badRequest } from '../../../shared/errors.js'
import type { GroupSettingValue } from '../../../shared/resources/group-setting-value.js'
import { sameSettingValue } from '../../../shared/resources/group-setting-value.js'
import { type ChannelPermission, channelPermissionNames } from '../../../shared/resources/permission-settings.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { addNotices } from '../../job-types/notice.js'
import { findChannel } from '../../lookups/find-channel.js'
import { currentUser } from '../../lookups/find-user.js'
import type { Directory } from '../../memory/directory.js'
import { type ChannelChange, changedChannel } from '../../policies/channel-changes.js'
import type { ChannelDraft } from '../../policies/channel-rules.js'
import { channelGroup, settingValue } from '../../policies/groups.js'
import { realmSetting } from '../../policies/settings.js'
import { channelFoldersExist } from '../../store/channels/channel-folders.js'
import { type ChannelRow, lockChannels, updateChannel as storeChannel } from '../../store/channels/channels.js'
import type { Tx } from '../../store/driver/db.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { hasNamedTopics } from '../../store/topics/named-topics.js'
import { notifyOfUpdate } from '../announce/channel-update.js'
import { renderDescription } from '../descriptions.js'
import { settingGroups } from '../groups/setting-groups.js'
import { nameTaken, requireDistinctName } from './new-channel.js'
import { previewChannel } from './preview-channel.js'
import { updateNotices } from './update-notices.js'

/** Changes a channel, all or nothing. @throws {ApiError} */
export async function updateChannel(ctx: Ctx, actor: Actor, channelId: number, change: ChannelChange): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, emit, { after: afterwards }) => {
    await directory.hold(tx, 'change')
    const { channel: was, subscription } = await findChannel(ctx, tx, actor, { channelId, need: 'metadata' })
    const user = currentUser(directory, actor.user)
    const draft = changedChannel(directory, user, was, { subscribed: subscription?.is_active ?? false, change })
    if (change.name === was.name) throw badRequest('Channel already has that name.')
    const columns = changedColumns(ctx, was, draft)
    const values = changedValues(directory, was, draft)
    if (Object.keys(columns).length === 0 && Object.keys(values).length === 0) return
    await requirePossible(tx, directory, was, draft)
    // Last: a refusal tells of a name that may be hidden, and a free name is taken by the attempt.
    requireFreeName(directory, was, change.name)
    const version = await bumpVersion(tx)
    const groups = (await settingGroups(tx, directory, values, version)) as Record<string, number>
    const stored = { ...columns, settings: { ...was.settings, ...groups } }
    if (!(await storeChannel(tx, was.id, stored, version))) throw nameTaken(draft.name)
    const { after, channel: is } = await previewChannel(tx, directory, was.id, version)
    await notifyOfUpdate(ctx, tx, emit, { before: directory, after, was, is })
    addNotices(afterwards, updateNotices(after, user, was, is))
  })
}

function requireFreeName(directory: Directory, channel: ChannelRow, name: string | undefined): void {
  if (name === undefined) return
  const other = directory.channelsByName.get(name.toLowerCase())
  if (other && other.id !== channel.id) throw nameTaken(name)
  requireDistinctName(directory, name, channel.id)
}

function changedColumns(ctx: Ctx, was: ChannelRow, draft: ChannelDraft): Partial<ChannelRow> {
  const { settings: _, ...columns } = draft
  if (columns.description !== was.description) {
    columns.rendered_description = renderDescription(ctx, columns.description)
  }
  const changed = Object.entries(columns).filter(([name, value]) => value !== was[name as keyof typeof columns])
  return Object.fromEntries(changed)
}

function changedValues(
  directory: Directory,
  was: ChannelRow,
  draft: ChannelDraft,
): Partial<Record<ChannelPermission, GroupSettingValue>> {
  const values: Partial<Record<ChannelPermission, GroupSettingValue>> = {}
  for (const name of channelPermissionNames) {
    const value = draft.settings[name]
    const present = settingValue(directory, channelGroup(directory, was, name))
    if (value !== undefined && value !== was.settings[name] && !sameSettingValue(value, present)) values[name] = value
  }
  return values
}

/** Checks that need a query. */
async function requirePossible(tx: Tx, directory: Directory, was: ChannelRow, draft: ChannelDraft): Promise<void> {
  const { folder_id, topics_policy } = draft
  if (folder_id !== was.folder_id && folder_id !== null && !(await channelFoldersExist(tx, [folder_id]))) {
    throw badRequest('Invalid channel folder ID')
  }
  if (topics_policy === was.topics_policy || topics_policy !== 'empty_topic_only') return
  // Blocks new messages in the channel until the transaction ends, so that none can arrive in another topic.
  await lockChannels(tx, [was.id])
  if (await hasNamedTopics(tx, was.id)) {
    const empty_topic_display_name = realmSetting(directory, 'empty_topic_display_name')
    throw badRequest(`To enable this, all messages must be in the "${empty_topic_display_name}" topic.`, {
      empty_topic_display_name,
    })
  }
}
