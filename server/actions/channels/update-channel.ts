import { badRequest } from '../../../shared/errors.js'
import type { GroupSettingValue } from '../../../shared/resources/group-setting-value.js'
import { sameSettingValue } from '../../../shared/resources/group-setting-value.js'
import { type ChannelPermission, channelPermissionNames } from '../../../shared/resources/permission-settings.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { addNotices } from '../../job-types/notice.js'
import { addRetentionCheck } from '../../job-types/retention.js'
import { holdChannel } from '../../lookups/hold-subscribers.js'
import type { Directory, WrittenRows } from '../../memory/directory.js'
import { type ChannelChange, changedChannel } from '../../policies/channel-changes.js'
import type { ChannelDraft } from '../../policies/channel-rules.js'
import { channelGroup, settingValue } from '../../policies/groups.js'
import { realmSetting } from '../../policies/settings.js'
import { channelFoldersExist } from '../../store/channels/channel-folders.js'
import { type ChannelRow, updateChannel as storeChannel } from '../../store/channels/channels.js'
import type { Tx } from '../../store/driver/db.js'
import { bumpVersion } from '../../store/organization/organization.js'
import { hasNamedTopics } from '../../store/topics/named-topics.js'
import { notifyOfUpdate } from '../announce/channel-update.js'
import { renderDescription } from '../descriptions.js'
import { settingGroups } from '../groups/setting-groups.js'
import { nameTaken, requireDistinctName } from './new-channel.js'
import { updateNotices } from './update-notices.js'

/** Changes a channel, all or nothing. @throws {ApiError} */
export async function updateChannel(ctx: Ctx, actor: Actor, channelId: number, change: ChannelChange): Promise<void> {
  const { directory } = ctx
  const rows = await ctx.write(async (tx, emit, { after: afterwards }): Promise<WrittenRows> => {
    const { channel: was, user, subscribers } = await holdChannel(ctx, tx, actor, channelId)
    const draft = changedChannel(directory, user, was, { subscribed: subscribers.includes(user.id), change })
    if (change.name === was.name) throw badRequest('Channel already has that name.')
    const columns = changedColumns(ctx, was, draft)
    const values = changedValues(directory, was, draft)
    if (Object.keys(columns).length === 0 && Object.keys(values).length === 0) return {}
    await requirePossible(tx, directory, was, draft)
    // Last: a refusal tells of a name that may be hidden, and a free name is taken by the attempt.
    requireFreeName(directory, was, change.name)
    const version = await bumpVersion(tx)
    const { ids, written } = await settingGroups(tx, directory, values, version)
    const settings = { ...was.settings, ...(ids as Record<string, number>) }
    const is = await storeChannel(tx, was.id, { ...columns, settings }, version)
    if (!is) throw nameTaken(draft.name)
    const after = directory.preview({ groups: written, channels: [is] })
    await notifyOfUpdate(ctx, tx, emit, { before: directory, after, was, is, subscribers })
    addNotices(afterwards, updateNotices(after, user, was, is))
    addRetentionCheck(afterwards, columns)
    return { groups: written, channels: [is] }
  })
  directory.adopt(rows)
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
  // The channel is locked, so that no message can arrive in another topic.
  if (await hasNamedTopics(tx, was.id)) {
    const empty_topic_display_name = realmSetting(directory, 'empty_topic_display_name')
    throw badRequest(`To enable this, all messages must be in the "${empty_topic_display_name}" topic.`, {
      empty_topic_display_name,
    })
  }
}
