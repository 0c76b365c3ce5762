import { joined } from '../slack-form.js'
import type { Attachment, Block, Element, ImageElement, TextObject } from './payload.js'

export function renderBlock(block: Block): string {
  switch (block.type) {
    case 'section':
      return joined([
        block.text?.text,
        block.accessory && isImage(block.accessory) ? imageOf(block.accessory) : '',
        fieldsOf(block.fields ?? []),
      ])
    case 'header':
      return `## ${block.text.text}`
    case 'context':
      return joined(block.elements.map(renderElement))
    case 'divider':
      return '----'
    case 'image':
      return imageOf({ image_url: block.image_url, alt_text: block.title?.text ?? block.alt_text })
    case 'actions':
    case 'input':
      return ''
  }
}

export function renderAttachment(one: Attachment): string {
  return joined([
    titleOf(one),
    one.pretext,
    one.text,
    (one.fields ?? []).map(fieldLine).join('\n'),
    joined((one.blocks ?? []).map(renderBlock)),
    one.image_url && `[](${one.image_url})`,
    one.footer,
    one.ts === undefined ? '' : `<time:${one.ts}>`,
  ])
}

const titleOf = ({ title, title_link }: Attachment): string => {
  if (!title) return ''
  return title_link ? `## [${title}](${title_link})` : `## ${title}`
}

function fieldLine({ title, value }: { readonly title?: string | undefined; readonly value?: string | undefined }) {
  if (!title) return value ?? ''
  return value ? `*${title}*: ${value}` : `*${title}*`
}

const isImage = (one: Element): one is ImageElement => one.type === 'image'
const isText = (one: Element): one is TextObject => one.type === 'plain_text' || one.type === 'mrkdwn'

function renderElement(one: Element): string {
  if (isImage(one)) return imageOf(one)
  return isText(one) ? one.text : ''
}

const imageOf = ({ alt_text, image_url }: Pick<ImageElement, 'alt_text' | 'image_url'>): string =>
  `[${alt_text}](${image_url})`

/** One field is a text; more are a table of two columns with an empty head. */
function fieldsOf(fields: readonly TextObject[]): string {
  const [only] = fields
  if (fields.length <= 1) return only?.text ?? ''
  const cells = fields.map(field => field.text.replace(/[\n|]/g, ' '))
  const rows = Array.from({ length: Math.ceil(cells.length / 2) }, (_, i) => cells.slice(2 * i, 2 * i + 2))
  return ['| | |', '|-|-|', ...rows.map(([left, right = '']) => `| ${left} | ${right} |`)].join('\n')
}
