import { ApiError } from '../../../shared/errors.js'
import { endWelcomeMails } from '../../actions/joining/welcome-mails.js'
import { changeOwnSettings } from '../../actions/settings/change-own.js'
import { type UnsubscribeKind, unsubscribedUser, unsubscribeSettings } from '../../auth/unsubscribe-key.js'
import type { WorkerCtx } from '../../ctx.js'
import type { UserRow } from '../../store/users/users.js'
import type { PageLanguage } from '../../text/page-language.js'
import { accountPage, type PageAnswer } from './account-page.js'
import type { AccountPage, PageCall } from './add-account-page.js'
import { html } from './html.js'

const texts: Readonly<Record<PageLanguage, { readonly title: string; readonly says: string }>> = {
  en: {
    title: 'You get no more of these mails',
    says: 'You can switch them on again in your settings.',
  },
  de: {
    title: 'Du erhältst diese E-Mails nicht mehr',
    says: 'In deinen Einstellungen kannst du sie wieder einschalten.',
  },
}

/** Ends mails of a kind, by the link in one: a reader opens it, and a mail program sends a form (RFC 8058). The key proves who may. */
export const unsubscribePage: AccountPage = {
  pattern: '/accounts/unsubscribe/:kind/:key',
  operation: 'unsubscribe',
  isForPrograms: true,
  get: unsubscribe,
  post: unsubscribe,
}

async function unsubscribe({ ctx, request, language, values: [kind = '', key = ''] }: PageCall): Promise<PageAnswer> {
  const user = isKind(kind) ? unsubscribedUser(ctx.directory, kind, key) : undefined
  if (!isKind(kind) || !user) throw new ApiError('NOT_FOUND', 'There is nothing at this path.')
  // HEAD only asks whether the link exists.
  if (request.method !== 'HEAD') await end(ctx, kind, user)
  const { title, says } = texts[language]
  return accountPage(ctx, { title, language, body: kind === 'welcome' ? html`` : html`<p>${says}</p>` })
}

async function end(ctx: WorkerCtx, kind: UnsubscribeKind, user: UserRow): Promise<void> {
  if (kind === 'welcome') return endWelcomeMails(ctx, user.id)
  // A deactivated account gets no mails.
  if (!user.is_active) return
  await changeOwnSettings(ctx, { user, client: 'website' }, { settings: { [unsubscribeSettings[kind]]: false } })
}

const isKind = (kind: string): kind is UnsubscribeKind => kind === 'welcome' || Object.hasOwn(unsubscribeSettings, kind)
