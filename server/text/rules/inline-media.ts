import type { StateInline, Token } from 'markdown-it'
import { escapeAttribute } from '../escape.js'
import { fileAt, pictureAttributes } from '../uploaded-files.js'
import { hrefOf, noteLink, scanOf, targetAt } from './links.js'
import { type Rendering, renderingOf } from './rendering.js'

const audio = /^audio\/(?:aac|flac|mpeg|wav|x-wav|vnd\.wave)$/
const audioPath = /\.(?:aac|flac|mp3|wav)$/i

/**
 * Inline rule: `![text](address)` shows an uploaded picture, or plays an uploaded sound or one of another host
 * (docs/protocol/message-html.md#pictures).
 */
export function inlineMedia(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  if (src.charCodeAt(pos) !== 0x5b || src.charAt(pos - 1) !== '!' || state.linkLevel > 0) return false
  const rendering = renderingOf(state.env)
  const scan = scanOf(state)
  const labelEnd = scan.brackets.get(pos)
  if (labelEnd === undefined || src.charCodeAt(labelEnd + 1) !== 0x28) return false
  const target = targetAt(scan, labelEnd + 1)
  const href = target && hrefOf(target.address, rendering.names.origin)
  if (!target || target.end > posMax || !href) return false
  const media = mediaAt(rendering, { href, title: target.title, label: src.slice(pos + 1, labelEnd) })
  if (!media) return false
  if (!silent) {
    // The exclamation mark is text so far.
    state.pending = state.pending.slice(0, -1)
    state.push(media.type, media.tag, 0).attrs = media.attributes
    if (media.type === 'picture') rendering.hasImage = true
    noteLink(rendering, href, false)
  }
  state.pos = target.end
  return true
}

interface Source {
  readonly href: string
  readonly title: string | undefined
  readonly label: string
}

interface Media {
  readonly type: 'picture' | 'audio'
  readonly tag: 'img' | 'audio'
  readonly attributes: [string, string][]
}

function mediaAt({ names }: Rendering, { href, title, label }: Source): Media | undefined {
  const file = fileAt(names, href)
  if (file?.picture) {
    const shown = { alt: label, class: 'inline-image', 'data-original-src': href, ...(title && { title }) }
    return {
      type: 'picture',
      tag: 'img',
      attributes: pictureAttributes(file.path, { ...file, picture: file.picture }, shown),
    }
  }
  const isOfOtherHost = !file && URL.canParse(href) && audioPath.test(new URL(href).pathname)
  const source = file ? (audio.test(file.type) ? href : undefined) : isOfOtherHost ? names.external(href) : undefined
  if (source === undefined) return undefined
  const attributes: [string, string][] = [
    ['preload', 'metadata'],
    ['src', source],
  ]
  if (source !== href) attributes.unshift(['data-original-url', href])
  if (label !== '') attributes.push(['title', label])
  return { type: 'audio', tag: 'audio', attributes }
}

/** Renderer rule: `controls` has no value, which the parser's own renderer cannot write. */
export function audioHtml(tokens: readonly Token[], index: number): string {
  const attributes = tokens[index]?.attrs?.map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`) ?? []
  return `<audio controls${attributes.join('')}></audio>`
}
