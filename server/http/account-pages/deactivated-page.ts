import type { PageLanguage } from '../../text/page-language.js'
import { accountPage, redirectTo } from './account-page.js'
import { type AccountPage, deactivatedPath } from './add-account-page.js'
import { html } from './html.js'

const texts: Readonly<Record<PageLanguage, { readonly title: string; readonly says: string }>> = {
  en: {
    title: 'This organization is deactivated',
    says: 'No account can sign in. Its owners can ask for it to be opened again.',
  },
  de: {
    title: 'Diese Organisation ist deaktiviert',
    says: 'Eine Anmeldung ist nicht möglich. Ihre Eigentümer können darum bitten, dass sie wieder geöffnet wird.',
  },
}

/** Where all account pages lead while the organization is deactivated. */
export const deactivatedPage: AccountPage = {
  pattern: deactivatedPath,
  operation: 'deactivated_organization',
  isForDeactivated: true,
  get({ ctx, language }) {
    if (ctx.directory.organization.is_active) return redirectTo('/')
    const { title, says } = texts[language]
    return accountPage(ctx, { title, language, body: html`<p>${says}</p>` })
  },
}
