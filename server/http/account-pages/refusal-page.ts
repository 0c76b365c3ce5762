import type { Ctx } from '../../ctx.js'
import type { PageLanguage } from '../../text/page-language.js'
import type { Answer } from '../answer.js'
import { accountPage, type PageAnswer } from './account-page.js'
import { html } from './html.js'

interface Refusal {
  readonly title: string
  readonly says: string
}

const texts: Readonly<
  Record<PageLanguage, Readonly<Record<number, Refusal>> & { readonly 500: Refusal; back: string }>
> = {
  en: {
    400: { title: 'This does not work', says: 'The page got something that it cannot read.' },
    403: {
      title: 'Please try again',
      says: 'The form did not come from a page of this server. Open the page again and repeat what you did.',
    },
    404: {
      title: 'Nothing is here',
      says: 'The page does not exist. If you followed a link of a mail, it has been used, has expired or is incomplete.',
    },
    405: { title: 'This does not work', says: 'Open this page by its link.' },
    429: { title: 'Too many attempts', says: 'Please wait a while, and then try again.' },
    503: { title: 'Not ready', says: 'The server is starting, or has too much to do. Try again in a moment.' },
    500: { title: 'Something went wrong', says: 'The server could not do this. Try again later.' },
    back: 'To the start page',
  },
  de: {
    400: { title: 'Das geht nicht', says: 'Die Seite hat etwas erhalten, das sie nicht lesen kann.' },
    403: {
      title: 'Bitte noch einmal',
      says: 'Das Formular kam nicht von einer Seite dieses Servers. Öffne die Seite neu und wiederhole die Eingabe.',
    },
    404: {
      title: 'Hier ist nichts',
      says: 'Die Seite gibt es nicht. Ein Link aus einer E-Mail ist benutzt, abgelaufen oder unvollständig.',
    },
    405: { title: 'Das geht nicht', says: 'Öffne diese Seite über ihren Link.' },
    429: { title: 'Zu viele Versuche', says: 'Bitte warte eine Weile und versuche es dann wieder.' },
    503: {
      title: 'Noch nicht bereit',
      says: 'Der Server startet oder hat zu viel zu tun. Versuche es gleich noch einmal.',
    },
    500: {
      title: 'Etwas ist schiefgegangen',
      says: 'Der Server konnte das nicht tun. Versuche es später noch einmal.',
    },
    back: 'Zur Startseite',
  },
}

/** The page for a request that was refused: of the refusal only its status is shown. */
export function refusalPage(ctx: Ctx, language: PageLanguage, { status, headers }: Answer): PageAnswer {
  const { title, says } = texts[language][status] ?? texts[language][status < 500 ? 400 : 500] ?? texts[language][500]
  const body = html`<p>${says}</p><p><a href="/">${texts[language].back}</a></p>`
  const page = accountPage(ctx, { title, language, body, status })
  // A browser would ask for a password of its own.
  return { ...page, headers: [...page.headers, ...headers.filter(([name]) => name !== 'WWW-Authenticate')] }
}
