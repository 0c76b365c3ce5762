import type { MailContent, MailKind } from '../job-types/mail.js'
import { escapeAttribute, escapeText } from '../text/escape.js'
import { contentHtml, contentText } from './content-forms.js'
import { readMessageContent } from './message-content.js'
import {
  type Letter,
  type MailLanguage,
  mailLanguages,
  type Paragraph,
  type Sender,
  type Template,
} from './template.js'
import { templates } from './templates/index.js'
import { timeIn } from './times.js'

interface Composed extends Pick<Letter, 'replyTo' | 'thread'> {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The subject and both forms of a mail. `language`: a code such as `de-at`; English where no template has it. */
export function composeMail(content: MailContent, code: string, sender: Sender): Composed {
  const language = languageOf(code)
  const { subject, body, footer = [], ...threading } = wordsOf(content, language, sender)
  const place = { language, url: sender.url }
  const small = sender.unsubscribe === undefined ? footer : [...footer, endOf(language, sender.unsubscribe)]
  const [line, origin] = [oneLine(subject), `${oneLine(sender.organization)} · ${sender.url}`]
  const texts = [...body, ...small].map(one => asText(one, place))
  const [above, below] = [body, small].map(part => part.map(one => asHtml(one, place)).join('\n'))
  return {
    ...threading,
    subject: line,
    text: `${[...texts, `-- \n${origin}`].join('\n\n')}\n`,
    html: page(line, language, `${above}\n<div class="footer">\n${below}\n<p>${escapeText(origin)}</p>\n</div>`),
  }
}

interface Place {
  readonly language: MailLanguage
  readonly url: string
}

const endOf = (language: MailLanguage, link: string): Paragraph => ({ action: endsMails[language], link })

const endsMails: Readonly<Record<MailLanguage, string>> = {
  en: 'Get no more of these mails',
  de: 'Diese E-Mails nicht mehr erhalten',
}

const hiddenBySpoiler: Readonly<Record<MailLanguage, string>> = {
  en: '(A spoiler: open the chat to read it.)',
  de: '(Ein Spoiler: Öffne den Chat, um ihn zu lesen.)',
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

function asText(paragraph: Paragraph, place: Place): string {
  if (typeof paragraph === 'string') return oneLine(paragraph)
  if ('quote' in paragraph) return quoted(paragraph.quote)
  if ('html' in paragraph) return `${oneLine(paragraph.by)}\n${quoted(contentText(contentOf(paragraph, place)))}`
  if ('heading' in paragraph) return `## ${oneLine(paragraph.heading)}`
  return `${oneLine('label' in paragraph ? paragraph.label : paragraph.action)}:\n${paragraph.link}`
}

// A mark at each line shows that no line of it is the server's.
const quoted = (text: string): string =>
  lines(text)
    .map(line => `> ${line}`.trimEnd())
    .join('\n')

function asHtml(paragraph: Paragraph, place: Place): string {
  if (typeof paragraph === 'string') return `<p>${escapeText(oneLine(paragraph))}</p>`
  if ('quote' in paragraph) return `<blockquote>${lines(paragraph.quote).map(escapeText).join('<br>\n')}</blockquote>`
  if ('html' in paragraph) return messageHtml(paragraph, place)
  if ('heading' in paragraph) return `<h2>${escapeText(oneLine(paragraph.heading))}</h2>`
  const address = escapeAttribute(paragraph.link)
  if ('action' in paragraph) return `<p><a href="${address}">${escapeText(oneLine(paragraph.action))}</a></p>`
  const label = escapeText(oneLine(paragraph.label))
  return `<p>${label}:<br>\n<a href="${address}">${escapeText(paragraph.link)}</a></p>`
}

type MessageParagraph = Extract<Paragraph, { html: string }>

const messageHtml = (message: MessageParagraph, place: Place): string =>
  [
    `<div class="message${message.isContext ? ' context' : ''}">`,
    `<p class="by">${escapeText(oneLine(message.by))}</p>`,
    contentHtml(contentOf(message, place)),
    '</div>',
  ].join('\n')

const contentOf = ({ html, zone }: MessageParagraph, { language, url }: Place) =>
  readMessageContent(html, { url, spoiler: hiddenBySpoiler[language], time: iso => timeIn(iso, language, zone) })

const lines = (text: string): string[] =>
  text.split(/\r\n|[\r\n\u2028\u2029]/).map(line => line.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trimEnd())

const style = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 24px; background: #f4f2ee; color: #1c1917; font: 15px/1.5 system-ui, sans-serif; }
main { display: block; max-width: 560px; margin: 0 auto; padding: 24px; background: #ffffff; border-radius: 10px; }
a { color: #0f766e; overflow-wrap: anywhere; }
h2 { margin: 24px 0 0; font-size: 17px; }
pre, code { font: 13px/1.5 ui-monospace, monospace; }
pre { padding: 8px 12px; background: #f4f2ee; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
table { border-collapse: collapse; }
td, th { padding: 4px 8px; border: 1px solid #cfc9be; }
.message { margin: 16px 0; overflow-wrap: anywhere; }
.message p { margin: 4px 0; }
.message .by { font-weight: 600; }
.context { padding-left: 12px; border-left: 3px solid #cfc9be; color: #625d57; }
blockquote { margin: 16px 0; padding: 0 0 0 12px; border-left: 3px solid #cfc9be; }
.footer { margin-top: 32px; color: #625d57; font-size: 13px; }
.footer p { margin: 6px 0; }
@media (prefers-color-scheme: dark) {
  body { background: #131417; color: #ececed; }
  main { background: #1a1c20; }
  a { color: #2dd4bf; }
  blockquote, .context, td, th { border-color: #42464f; }
  pre { background: #131417; }
  .context { color: #a3a6ae; }
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
