import type { MailContent, MailKind } from '../job-types/mail.js'
import { escapeAttribute, escapeText } from '../text/escape.js'
import {
  type Letter,
  type MailLanguage,
  mailLanguages,
  type Paragraph,
  type Sender,
  type Template,
} from './template.js'
import { templates } from './templates/index.js'

interface Composed {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The subject and both forms of a mail. `language`: a code such as `de-at`; English where no template has it. */
export function composeMail(content: MailContent, language: string, sender: Sender): Composed {
  const known = languageOf(language)
  const words = wordsOf(content, known, sender)
  const { subject } = words
  const body = sender.unsubscribe === undefined ? words.body : [...words.body, endOf(known, sender.unsubscribe)]
  const [line, footer] = [oneLine(subject), `${oneLine(sender.organization)} · ${sender.url}`]
  return {
    subject: line,
    text: `${[...body.map(asText), `-- \n${footer}`].join('\n\n')}\n`,
    html: page(line, known, `${body.map(asHtml).join('\n')}\n<p class="footer">${escapeText(footer)}</p>`),
  }
}

const endOf = (language: MailLanguage, link: string): Paragraph => ({ label: endsMails[language], link })

const endsMails: Readonly<Record<MailLanguage, string>> = {
  en: 'You get such mails no more with this link',
  de: 'Mit diesem Link erhältst du solche Mails nicht mehr',
}

function languageOf(code: string): MailLanguage {
  const base = code.toLowerCase().split(/[-_]/)[0]
  return mailLanguages.find(one => one === base) ?? 'en'
}

function wordsOf(content: MailContent, language: MailLanguage, sender: Sender): Letter {
  // The template of a kind takes the values of this kind, which the types of a union cannot say.
  const template = templates[content.kind] as Template<MailKind>
  return template[language](content as never, sender)
}

/** A line break would end a header of the mail, or pretend to be a paragraph of the server. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

function asText(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return oneLine(paragraph)
  if ('quote' in paragraph)
    return lines(paragraph.quote)
      .map(line => `> ${line}`)
      .join('\n')
  return `${oneLine(paragraph.label)}:\n${paragraph.link}`
}

function asHtml(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return `<p>${escapeText(oneLine(paragraph))}</p>`
  if ('quote' in paragraph) return `<blockquote>${lines(paragraph.quote).map(escapeText).join('<br>\n')}</blockquote>`
  const [label, link] = [escapeText(oneLine(paragraph.label)), paragraph.link]
  return `<p>${label}:<br>\n<a href="${escapeAttribute(link)}">${escapeText(link)}</a></p>`
}

const lines = (text: string): string[] => text.split(/\r\n|[\r\n\u2028\u2029]/).map(oneLine)

const style = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 24px; background: #f4f2ee; color: #1c1917; font: 15px/1.5 system-ui, sans-serif; }
main { display: block; max-width: 560px; margin: 0 auto; padding: 24px; background: #ffffff; border-radius: 10px; }
a { color: #0f766e; overflow-wrap: anywhere; }
blockquote { margin: 16px 0; padding: 0 0 0 12px; border-left: 3px solid #cfc9be; }
.footer { margin-top: 32px; color: #625d57; font-size: 13px; }
@media (prefers-color-scheme: dark) {
  body { background: #131417; color: #ececed; }
  main { background: #1a1c20; }
  a { color: #2dd4bf; }
  blockquote { border-color: #42464f; }
  .footer { color: #a3a6ae; }
}`

const page = (title: string, language: MailLanguage, body: string): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeText(title)}</title>
<style>${style}
</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
