import type { StateInline, Token } from 'markdown-it'
import { escapeText } from './escape.js'
import { hrefOf, noteLink, scanOf, targetAt } from './links.js'
import { renderingOf } from './rendering.js'
import { fileAt, pictureAttributes } from './uploaded-files.js'

const audio = /^audio\/(?:aac|flac|mpeg|wav|x-wav|vnd\.wave)$/

/** Inline rule: `![text](address)` shows an uploaded picture, or plays an uploaded sound (docs/protocol/message-html.md#pictures). */
export function inlineMedia(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state
  if (src.charCodeAt(pos) !== 0x5b || src.charAt(pos - 1) !== '!' || state.linkLevel > 0) return false
  const rendering = renderingOf(state.env)
  const scan = scanOf(state)
  const labelEnd = scan.brackets.get(pos)
  if (labelEnd === undefined || src.charCodeAt(labelEnd + 1) !== 0x28) return false
  const target = targetAt(scan, labelEnd + 1)
  const href = target && hrefOf(target.address, rendering.names.origin)
  const file = href === undefined ? undefined : fileAt(rendering.names, href)
  if (!target || target.end > posMax || !href || !file) return false
  const { path, type, picture } = file
  if (!picture && !audio.test(type)) return false
  if (!silent) {
    // The exclamation mark is text so far.
    state.pending = state.pending.slice(0, -1)
    const label = src.slice(pos + 1, labelEnd)
    const token = picture ? state.push('picture', 'img', 0) : state.push('audio', 'audio', 0)
    if (picture) {
      rendering.hasImage = true
      const shown: Record<string, string> = { alt: label, class: 'inline-image', 'data-original-src': href }
      if (target.title) shown.title = target.title
      token.attrs = pictureAttributes(path, { type, picture }, shown)
    } else {
      token.attrs = [
        ['preload', 'metadata'],
        ['src', href],
        ...(label === '' ? [] : [['title', label] as [string, string]]),
      ]
    }
    noteLink(rendering, href, false)
  }
  state.pos = target.end
  return true
}

/** Renderer rule: `controls` has no value, which the parser's own renderer cannot write. */
export function audioHtml(tokens: readonly Token[], index: number): string {
  const attributes = tokens[index]?.attrs?.map(([name, value]) => ` ${name}="${escapeText(String(value))}"`) ?? []
  return `<audio controls${attributes.join('')}></audio>`
}
