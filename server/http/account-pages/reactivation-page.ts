import { expiredLink } from '../../actions/accounts/expired-link.js'
import { reactivateOrganization } from '../../actions/closing/reactivate-organization.js'
import { isReactivationKey } from '../../store/accounts/confirmations.js'
import type { PageLanguage } from '../../text/page-language.js'
import { accountPage, redirectTo } from './account-page.js'
import type { AccountPage } from './add-account-page.js'
import { html } from './html.js'

const texts: Readonly<
  Record<PageLanguage, { readonly title: string; readonly says: string; readonly submit: string }>
> = {
  en: {
    title: 'Activate this organization again',
    says: 'All accounts can sign in again, and nothing is deleted.',
    submit: 'Activate',
  },
  de: {
    title: 'Diese Organisation wieder aktivieren',
    says: 'Alle Konten können sich wieder anmelden, und nichts wird gelöscht.',
    submit: 'Aktivieren',
  },
}

/** Where the link of a mail to the owners leads. Only its form activates: mail programs open links by themselves. */
export const reactivationPage: AccountPage = {
  pattern: '/reactivate/:key',
  operation: 'reactivate_organization',
  isForDeactivated: true,
  async get({ ctx, language, values: [key = ''] }) {
    if (ctx.directory.organization.is_active || !(await isReactivationKey(ctx.sql, key, new Date(ctx.clock.now())))) {
      throw expiredLink()
    }
    const { title, says, submit } = texts[language]
    const body = html`<p>${says}</p><form method="post"><button class="button primary">${submit}</button></form>`
    return accountPage(ctx, { title, language, body })
  },
  async post({ ctx, values: [key = ''] }) {
    await reactivateOrganization(ctx, key)
    return redirectTo('/login/')
  },
}
