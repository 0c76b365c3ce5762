import type { Ctx } from '../../ctx.js'
import { forgetFileOwners, noteFileOwners, readFileOwners } from '../../store/backup/named-files.js'
import type { Tx } from '../../store/driver/db.js'
import { releaseFiles } from '../../store/files/loose-files.js'
import { deleteContents, readClosing } from '../../store/organization/closing.js'
import { keysOfOwner } from '../pictures/keys-of-owner.js'

/**
 * Deletes the data of a deactivated organization whose time has come, in one transaction; otherwise does nothing. The bytes of its files are
 * removed soon after. An activation that commits before cancels it. Workers forget what they remember at their next start.
 */
export async function deleteOrganizationIfDue(ctx: Ctx): Promise<void> {
  const { directory } = ctx
  const now = new Date(ctx.clock.now())
  const isDue = ({ deletion_due }: { deletion_due: Date | null }) => deletion_due !== null && deletion_due <= now
  if (!isDue(await readClosing(ctx.sql))) return
  const isDeleted = await ctx.write(async (tx, _emit, { audit }) => {
    await directory.hold(tx, 'change')
    if (directory.organization.is_active || !isDue(await readClosing(tx))) return false
    await releaseAllFiles(tx)
    await deleteContents(tx, now)
    audit('realm/deleted', { subject: {}, before: null, after: {} })
    return true
  })
  if (isDeleted) ctx.log.warn('the data of the deactivated organization were deleted')
}

// Files per statement.
const batch = 1000

async function releaseAllFiles(tx: Tx): Promise<void> {
  await noteFileOwners(tx)
  const keys: string[] = []
  for await (const owner of readFileOwners(tx)) {
    keys.push(...keysOfOwner(owner))
    if (keys.length >= batch) await releaseFiles(tx, keys.splice(0))
  }
  await releaseFiles(tx, keys)
  await forgetFileOwners(tx)
}
