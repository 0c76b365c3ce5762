import type { Ctx } from '../../ctx.js'
import { addNotices } from '../../job-types/notice.js'
import { activeAdministrators } from '../../policies/accounts.js'
import { realmSetting } from '../../policies/settings.js'
import { accountsAbove, lastWarnings, type QuotaUse, spaceOfAll, storeWarnings } from '../../store/files/quota-use.js'
import type { UserRow } from '../../store/users/users.js'
import type { InLanguages, PageLanguage } from '../../text/page-language.js'
import { languageOfReader } from '../notice-language.js'

const mib = 1024 * 1024
/** Shares of a quota, in percent, at which its people are warned, the highest first. */
const shares = [95, 80] as const
const organizationId = 0

/**
 * Warns owners and administrators when the files of the organization, and a user when its own files, take 80 and 95 percent of their quota: once
 * each, and again when they were below meanwhile (docs/administration.md#settings).
 */
export async function warnOfQuotas(ctx: Ctx): Promise<void> {
  const quota = realmSetting(ctx.directory, 'upload_quota_mib')
  const uses = [
    ...(quota === null ? [] : [{ ...(await spaceOfAll(ctx.sql)), quota: quota * mib }]),
    ...(await accountsAbove(ctx.sql, ctx.config.uploadQuotaUserMib, shares[1])).map(use => ({
      ...use,
      quota: use.quota_mib * mib,
    })),
  ]
  const reached = new Map(uses.flatMap(use => (shareOf(use) === undefined ? [] : [[use.user_id, shareOf(use) ?? 0]])))
  await ctx.write(async (tx, _emit, { after }) => {
    const last = await lastWarnings(tx)
    await storeWarnings(tx, reached)
    const due = uses.filter(({ user_id }) => (reached.get(user_id) ?? 0) > (last.get(user_id) ?? 0))
    addNotices(
      after,
      due.flatMap(use =>
        readersOf(ctx, use).map(reader => ({
          to: { people: [reader.id] },
          content: warning(languageOfReader(ctx.directory, reader), use),
        })),
      ),
    )
  })
}

type Use = QuotaUse & { readonly quota: number }

const shareOf = ({ bytes, quota }: Use): number | undefined => shares.find(share => bytes * 100 >= quota * share)

function readersOf({ directory }: Ctx, { user_id }: Use): UserRow[] {
  if (user_id === organizationId) return activeAdministrators(directory)
  const user = directory.users.get(user_id)
  return user?.is_active ? [user] : []
}

interface Shown {
  /** Percent. */
  readonly share: number
  /** MiB. */
  readonly used: number
  readonly all: number
}

interface Words {
  readonly ofAll: (shown: Shown) => string
  readonly own: (shown: Shown) => string
}

const inLanguages: InLanguages<Words> = {
  en: {
    ofAll: ({ share, used, all }) =>
      `The files of this organization take ${share} % of their quota: ${used} of ${all} MiB. At 100 % the server refuses uploads. Files of deleted messages count for 30 days.`,
    own: ({ share, used, all }) =>
      `Your files take ${share} % of the space of your account: ${used} of ${all} MiB. At 100 % the server refuses your uploads. Remove files in your settings to make room.`,
  },
  de: {
    ofAll: ({ share, used, all }) =>
      `Die Dateien dieser Organisation belegen ${share} % ihres Platzes: ${used} von ${all} MiB. Bei 100 % nimmt der Server keine Dateien mehr an. Dateien gelöschter Nachrichten zählen 30 Tage lang mit.`,
    own: ({ share, used, all }) =>
      `Deine Dateien belegen ${share} % des Platzes deines Kontos: ${used} von ${all} MiB. Bei 100 % nimmt der Server keine Dateien mehr von dir an. Entferne Dateien in deinen Einstellungen, um Platz zu schaffen.`,
  },
}

function warning(language: PageLanguage, { user_id, bytes, quota }: Use): string {
  const [used, all] = [Math.ceil(bytes / mib), Math.floor(quota / mib)]
  const share = Math.floor((bytes * 100) / quota)
  return inLanguages[language][user_id === organizationId ? 'ofAll' : 'own']({ share, used, all })
}
