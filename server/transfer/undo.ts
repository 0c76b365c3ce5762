import { channelFolderUpdate } from '../../shared/events/channel-folder.js'
import { realmEmojiUpdate } from '../../shared/events/realm-emoji.js'
import { realmUserRemove, realmUserUpdate } from '../../shared/events/realm-user.js'
import { userGroupUpdate } from '../../shared/events/user-group.js'
import { notifyOfRemovedBot } from '../actions/announce/bots.js'
import { announceRemovedChannel } from '../actions/announce/removed-channel.js'
import { removeUnused } from '../actions/files/uses.js'
import { avatarPaths } from '../actions/pictures/avatar.js'
import { pictureKey } from '../actions/pictures/stored-picture.js'
import type { Ctx } from '../ctx.js'
import { whoMayAccess } from '../lookups/known-users.js'
import { activeUsers } from '../policies/users.js'
import { customEmojiMapOf, stillPath } from '../presenters/custom-emoji.js'
import type { Emit } from '../realtime/emission.js'
import { subscribersOfChannels } from '../store/channels/subscriptions.js'
import { noteRemoved } from '../store/directory/directory-changes.js'
import type { Tx } from '../store/driver/db.js'
import { releaseFiles } from '../store/files/loose-files.js'
import { takeStoredFiles } from '../store/imports/import-files.js'
import { type ImportRow, setUndoing, whileAlone } from '../store/imports/imports.js'
import {
  deleteChannel,
  deleteImport,
  deleteImported,
  deleteImportedConversations,
  deleteImportedEmoji,
  deleteImportedFolders,
  deleteImportedGroups,
  deleteUnusedAccount,
  hasOtherMessages,
  importedAccounts,
  importedChannels,
  readFirstMessages,
  type Undone,
} from '../store/imports/undo-import.js'
import { bumpVersion } from '../store/organization/organization.js'
import { dataComplaint, tried } from '../store/transfer/prepare-import.js'
import type { UserRow } from '../store/users/users.js'
import { OtherImportRuns } from './source.js'

/**
 * Takes away what an import has made, as far as it was not used since; an attempt that was interrupted is repeated. Clients see channels,
 * accounts and emoji go; single messages have no events.
 * `isServed`: workers may run. They remember conversations, so those without messages stay: people do not see them.
 */
export async function undoImport(ctx: Ctx, row: ImportRow, isServed: boolean): Promise<Undone> {
  const alone = await whileAlone(ctx.sql, async () => {
    await setUndoing(ctx.sql, row.id)
    return new Undo(ctx, row, isServed).run()
  })
  if (!alone) throw new OtherImportRuns()
  return alone.value
}

// Accounts per transaction: it holds the organization, so other changes wait.
const accountsTogether = 25
// Files per transaction.
const filesTogether = 100
const mostNamed = 1000

class Undo {
  constructor(
    private readonly ctx: Ctx,
    private readonly row: ImportRow,
    private readonly isServed: boolean,
  ) {}

  async run(): Promise<Undone> {
    const { sql } = this.ctx
    const { id, first_id, last_id } = this.row
    const made = await importedChannels(sql, id)
    for (const channel of made) await this.removeChannel(channel.id)
    const messages = await deleteImported(sql, first_id, last_id)
    while ((await this.removeFiles()) > 0);
    await this.removeRest()
    const accounts = await this.removeAccounts()
    const stay = await importedChannels(sql, id)
    const undone = {
      messages,
      ...accounts,
      channels: made.length - stay.length,
      channels_that_stay: stay.slice(0, mostNamed).map(one => one.name),
    }
    await sql.begin(tx => deleteImport(tx, id, undone))
    return undone
  }

  /** It stays if it has messages of another origin, or if something names it. */
  private async removeChannel(id: number): Promise<void> {
    const { directory } = this.ctx
    await this.ctx.write(async (tx, emit) => {
      await directory.hold(tx, 'change', [id])
      const channel = directory.channels.get(id)
      if (!channel || (await hasOtherMessages(tx, id, this.row.first_id, this.row.last_id))) return
      const subscribers = (await subscribersOfChannels(tx, [id])).get(id) ?? []
      let groups: number[] = []
      const isGone = await isPossible(tx, async inner => {
        groups = await deleteChannel(inner, id, subscribers)
      })
      if (!isGone) return
      const version = await bumpVersion(tx)
      await noteRemoved(tx, { kind: 'channel', ids: [id], version })
      await noteRemoved(tx, { kind: 'group', ids: groups, version })
      await announceRemovedChannel(tx, emit, directory, { channel, subscribers })
    })
    await directory.fresh()
  }

  /** Removes files that no message uses any more; returns how many it has looked at. */
  private removeFiles(): Promise<number> {
    return this.ctx.write(async (tx, emit) => {
      const ids = await takeStoredFiles(tx, this.row.id, filesTogether)
      await removeUnused(tx, emit, ids)
      return ids.length
    })
  }

  /** Folders, conversations, groups and emoji. */
  private async removeRest(): Promise<void> {
    const { directory } = this.ctx
    const { id } = this.row
    await this.ctx.write(async (tx, emit) => {
      await directory.hold(tx, 'change')
      await readFirstMessages(tx, id)
      const audience = directory.derived(activeUsers)
      for (const channel_folder_id of await deleteImportedFolders(tx, id)) {
        emit(channelFolderUpdate, { channel_folder_id, data: { is_archived: true } }, audience)
      }
      if (!this.isServed) await deleteImportedConversations(tx, id, null)
      const groups = await deleteImportedGroups(tx, id)
      if (groups.length > 0) await noteRemoved(tx, { kind: 'group', ids: groups, version: await bumpVersion(tx) })
      for (const group_id of groups) emit(userGroupUpdate, { group_id, data: { deactivated: true } }, audience)
      await this.removeEmoji(tx, emit, audience)
    })
    await directory.fresh()
  }

  private async removeEmoji(tx: Tx, emit: Emit, audience: readonly number[]): Promise<void> {
    const emoji = await deleteImportedEmoji(tx, this.row.id)
    if (emoji.length === 0) return
    await releasePictures(
      tx,
      emoji.flatMap(({ path, is_animated }) => (is_animated ? [path, stillPath(path)] : [path])),
    )
    const ids = emoji.map(one => one.id)
    await noteRemoved(tx, { kind: 'emoji', ids, version: await bumpVersion(tx) })
    const gone = new Set(ids.map(String))
    const all = Object.entries(this.ctx.directory.derived(customEmojiMapOf))
    emit(realmEmojiUpdate, { realm_emoji: Object.fromEntries(all.filter(([id]) => !gone.has(id))) }, audience)
  }

  private async removeAccounts(): Promise<Pick<Undone, 'accounts' | 'accounts_that_stay'>> {
    const { directory } = this.ctx
    const ids = await importedAccounts(this.ctx.sql, this.row.id)
    let accounts = 0
    for (let i = 0; i < ids.length; i += accountsTogether) {
      accounts += await this.ctx.write(async (tx, emit) => {
        await directory.hold(tx, 'change')
        const gone: number[] = []
        for (const id of ids.slice(i, i + accountsTogether)) {
          const user = directory.users.get(id)
          if (user && (await this.removeAccount(tx, emit, user))) gone.push(id)
        }
        if (gone.length > 0) await noteRemoved(tx, { kind: 'user', ids: gone, version: await bumpVersion(tx) })
        return gone.length
      })
      await directory.fresh()
    }
    return { accounts, accounts_that_stay: ids.length - accounts }
  }

  private async removeAccount(tx: Tx, emit: Emit, user: UserRow): Promise<boolean> {
    const knew = await whoMayAccess(tx, this.ctx.directory, user)
    let isUnused = false
    const isGone = await isPossible(tx, async inner => {
      await deleteImportedConversations(inner, this.row.id, user.id)
      isUnused = await deleteUnusedAccount(inner, user.id)
      if (isUnused && user.avatar_path !== null) await releasePictures(inner, avatarPaths(user.avatar_path))
    })
    if (!isGone || !isUnused) return false
    // With it clients take the account out of its groups.
    if (user.is_active) emit(realmUserUpdate, { person: { user_id: user.id, is_active: false } }, knew)
    if (user.is_bot) notifyOfRemovedBot(emit, this.ctx.directory, user)
    emit(realmUserRemove, { person: { user_id: user.id, full_name: user.full_name } }, knew)
    return true
  }
}

/** Runs the work in a savepoint; false: the database refuses it, because something names what would go. */
async function isPossible(tx: Tx, work: (tx: Tx) => Promise<void>): Promise<boolean> {
  try {
    await tried(tx, work)
    return true
  } catch (error) {
    if (dataComplaint(error) === undefined) throw error
    return false
  }
}

/** The pictures with these paths are removed soon. */
const releasePictures = (tx: Tx, paths: readonly string[]): Promise<void> => releaseFiles(tx, paths.map(pictureKey))
