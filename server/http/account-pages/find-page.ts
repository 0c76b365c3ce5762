import { findAccounts } from '../../actions/users/find-accounts.js'
import type { PageLanguage } from '../../text/page-language.js'
import { accountPage, type PageAnswer } from './account-page.js'
import type { AccountPage, PageCall } from './add-account-page.js'
import { html } from './html.js'

interface FindTexts {
  readonly title: string
  readonly ask: string
  readonly emails: string
  readonly send: string
  readonly refused: string
  readonly sentTitle: string
  readonly sent: string
}

const findTexts: Readonly<Record<PageLanguage, FindTexts>> = {
  en: {
    title: 'Find your accounts',
    ask: 'Give your email addresses, at most ten, with commas between them. Each gets a mail about its account here.',
    emails: 'Email addresses',
    send: 'Send the mails',
    refused: 'Give one to ten email addresses with commas between them.',
    sentTitle: 'Look into your mails',
    sent: 'Mails are on their way to:',
  },
  de: {
    title: 'Finde deine Konten',
    ask: 'Gib deine E-Mail-Adressen an, höchstens zehn, mit Kommas dazwischen. Jede bekommt eine E-Mail über ihr Konto hier.',
    emails: 'E-Mail-Adressen',
    send: 'E-Mails schicken',
    refused: 'Gib eine bis zehn E-Mail-Adressen mit Kommas dazwischen an.',
    sentTitle: 'Sieh in deine E-Mails',
    sent: 'E-Mails sind unterwegs an:',
  },
}

/** Where a person finds out with which address it has an account. */
export const findPage: AccountPage = {
  pattern: '/accounts/find/',
  operation: 'find_accounts',
  get: call => shown(call),
  async post(call, form) {
    const { ctx, request, language } = call
    const emails = form.get('emails') ?? ''
    const found = await findAccounts(ctx, { emails, clientAddress: request.address, language })
    if (!found) return shown(call, emails)
    const texts = findTexts[language]
    const body = html`<p>${texts.sent}</p><ul>${found.map(email => html`<li dir="auto">${email}</li>`)}</ul>`
    return accountPage(ctx, { title: texts.sentTitle, language, body })
  },
}

/** `refused`: what was sent and is no list of addresses. */
function shown({ ctx, language }: PageCall, refused?: string): PageAnswer {
  const texts = findTexts[language]
  const body = html`<p>${texts.ask}</p>
<form method="post" action="/accounts/find/">
<label class="field">${texts.emails}
<input class="input" name="emails" value="${refused ?? ''}" autocomplete="email" required spellcheck="false"></label>
${refused !== undefined && html`<p class="notice bad" role="alert">${texts.refused}</p>`}
<button class="button primary">${texts.send}</button>
</form>`
  return accountPage(ctx, { title: texts.title, language, body })
}
