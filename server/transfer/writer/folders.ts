import { channelFolderAdd } from '../../../shared/events/channel-folder.js'
import { limits } from '../../../shared/limits.js'
import { budgets } from '../../config/budgets.js'
import type { Ctx } from '../../ctx.js'
import { activeUsers } from '../../policies/users.js'
import type { Emit } from '../../realtime/emission.js'
import { insertChannelFolder, readChannelFolders } from '../../store/channels/channel-folders.js'
import type { Tx } from '../../store/driver/db.js'
import { cleanName, isNameText } from '../../text/clean-name.js'
import { truncate } from '../../text/content.js'

/**
 * The folder of this name, which is made if it is missing; null: there is no name, or there are as many folders as there may be. The transaction
 * holds the organization for a change.
 */
export async function folderFor({ directory }: Ctx, tx: Tx, emit: Emit, given: string): Promise<number | null> {
  const name = truncate(cleanName(given), limits.max_channel_folder_name_length, '…')
  if (name === '' || !isNameText(name)) return null
  const folders = await readChannelFolders(tx)
  const known = folders.find(one => !one.is_archived && one.name.toLowerCase() === name.toLowerCase())
  if (known) return known.id
  if (folders.length >= budgets.channelFolders.most) return null
  const channel_folder = await insertChannelFolder(tx, { name, description: '', rendered_description: '' }, null)
  emit(channelFolderAdd, { channel_folder }, directory.derived(activeUsers))
  return channel_folder.id
}
