import { Parser } from 'htmlparser2'

const hidden = /(?:^| )(?:spoiler-content|katex-html|message_embed)(?: |$)/
const blocks: ReadonlySet<string> = new Set('blockquote br h1 h2 h3 h4 h5 h6 hr li p pre tr'.split(' '))
const voids: ReadonlySet<string> = new Set('br hr img'.split(' '))

/** The plain text of a message's HTML (docs/protocol/message-html.md) for a notification. What a spoiler hides stays hidden. */
export function messageText(html: string): string {
  let text = ''
  /** Open elements within a hidden one, itself included. */
  let depth = 0
  const parser = new Parser({
    onopentag(tag, { class: names = '', alt = '' }) {
      if (depth > 0 || hidden.test(names)) {
        if (!voids.has(tag)) depth++
        return
      }
      if (blocks.has(tag)) text += '\n'
      if (tag === 'img') text += alt
    },
    ontext(part) {
      if (depth === 0) text += part
    },
    onclosetag(tag) {
      if (voids.has(tag)) return
      if (depth > 0) depth--
      else if (blocks.has(tag)) text += '\n'
    },
  })
  parser.end(html)
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}
