import { badRequest } from '../../../shared/errors.js'
import type { Actor } from '../../auth/actor.js'
import type { Ctx } from '../../ctx.js'
import { exportJob, personExportKey } from '../../job-types/export.js'
import { addNotices } from '../../job-types/notice.js'
import { currentUser } from '../../lookups/find-user.js'
import { exportablePerson, requireMayDeleteExport } from '../../policies/exports.js'
import { exportRow, insertExport, lockExports, personExportCounts } from '../../store/exports/exports.js'
import type { InLanguages } from '../../text/page-language.js'
import { silently } from '../messages/notice-mentions.js'
import { languageOfReader } from '../notice-language.js'
import { deleteArchive } from './end-export.js'
import { newToken, weekMs } from './request-export.js'

/** What one account may request of one person in seven days. */
const mostOfWeek = 2
/** Exports of people that wait, because each takes its time and the room of its archive. */
const mostPending = 100

const requestNotices: InLanguages<(who: string) => string> = {
  en: who => `${who} has requested an export of your data: your profile, settings, messages and files.`,
  de: who => `${who} hat einen Export deiner Daten angefordert: Profil, Einstellungen, Nachrichten und Dateien.`,
}

/**
 * Requests an export of what belongs to a person, which a job writes, and returns its id; while one that the caller has requested is pending, that
 * of the pending one. The person learns that another one has requested it.
 * @throws {ApiError} BAD_REQUEST, UNAUTHORIZED_PRINCIPAL
 */
export async function requestPersonExport(ctx: Ctx, actor: Actor, userId: number): Promise<number> {
  const { directory } = ctx
  return ctx.write(async (tx, _emit, { after, audit }) => {
    await directory.hold(tx, 'share')
    const caller = currentUser(directory, actor.user)
    const user = exportablePerson(directory, caller, userId)
    await lockExports(tx)
    const [requested, requester_id] = [new Date(ctx.clock.now()), caller.id]
    const since = new Date(requested.getTime() - weekMs)
    const counts = await personExportCounts(tx, { user_id: user.id, requester_id, since })
    if (counts.own !== null) return counts.own
    if (counts.requested >= mostOfWeek || counts.pending >= mostPending) throw badRequest('Exceeded rate limit.')
    const whose = { user_id: user.id, consenting: [user.id] }
    const token = newToken()
    const id = await insertExport(tx, { kind: 'person', requester_id, ...whose, requested, token, since: 0 })
    after(exportJob, { id }, { key: personExportKey })
    audit('user_export/requested', { subject: { user_id: user.id, export_id: id }, before: null, after: {} })
    if (user.id !== caller.id && user.is_active) {
      const content = requestNotices[languageOfReader(directory, user)](silently(caller))
      addNotices(after, [{ to: { people: [user.id] }, content }])
    }
    return id
  })
}

interface Named {
  readonly userId: number
  readonly exportId: number
}

/** Deletes the archive of an export of one person. @throws {ApiError} BAD_REQUEST if there is none, UNAUTHORIZED_PRINCIPAL */
export async function deletePersonExport(ctx: Ctx, actor: Actor, { userId, exportId: id }: Named): Promise<void> {
  const { directory } = ctx
  await ctx.write(async (tx, emit, { audit }) => {
    await directory.hold(tx, 'share')
    const caller = currentUser(directory, actor.user)
    const user = exportablePerson(directory, caller, userId)
    const row = await exportRow(tx, id)
    const found = row?.user_id === user.id ? row : undefined
    if (found) requireMayDeleteExport(caller, found)
    await deleteArchive(ctx, tx, emit, found)
    audit('user_export/deleted', { subject: { user_id: user.id, export_id: id }, before: null, after: {} })
  })
}
