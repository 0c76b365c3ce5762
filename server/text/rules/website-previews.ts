import type { Element } from '../elements.js'
import { escapeAttribute } from '../escape.js'
import type { Names } from '../names.js'
import { framed } from './media-previews.js'

/** The preview of a website; undefined: nothing is known of it, or it has no picture (docs/protocol/message-html.md#websites). */
export function websitePreview(names: Names, href: string): Element | undefined {
  const website = names.website(href)
  const image = website && names.external(website.image)
  if (!website || image === undefined) return undefined
  const { kind, title, description, player } = website
  if (kind === 'page') return embed(href, image, title, description)
  const shown: Element = { tag: 'img', attributes: { src: image } }
  if (kind === 'photo') return framed({ kind: 'message_inline_image', shown }, href, title)
  // Only the address is the website's: clients show this HTML in a frame.
  const frame = `<iframe src="${escapeAttribute(player)}"></iframe>`
  return framed({ kind: 'embed-video message_inline_image', shown, player: frame }, href, title)
}

function embed(href: string, image: string, title: string, description: string): Element {
  const texts: Element[] = []
  if (title !== '') {
    const link: Element = { tag: 'a', attributes: { href, title }, children: [title] }
    texts.push({ tag: 'div', attributes: { class: 'message_embed_title' }, children: [link] })
  }
  if (description !== '') {
    texts.push({ tag: 'div', attributes: { class: 'message_embed_description' }, children: [description] })
  }
  const style = `background-image: url("${image}")`
  return {
    tag: 'div',
    attributes: { class: 'message_embed' },
    children: [
      { tag: 'a', attributes: { class: 'message_embed_image', href, style }, children: [] },
      { tag: 'div', attributes: { class: 'data-container' }, children: texts },
    ],
  }
}
