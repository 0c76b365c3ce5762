import createPurifier from 'dompurify'
import type { Playground } from '../../../shared/resources/playground.js'
import { listText } from '../language/format.js'
import { locale, t } from '../language/language.js'
import type { LinkedFile } from '../state/attached-files.js'
import { emojiCharacter } from '../state/emoji.js'
import { hourCycleOf } from '../state/times.js'
import type { Chat } from './chat.js'
import { offerCodeTools } from './code-tools.js'
import { formulaAttributes, formulaTags, renameStyles, showFormulas } from './formulas.js'
import { showFiles } from './message-files.js'

const tags =
  'a audio blockquote br code del div em h1 h2 h3 h4 h5 h6 hr img li ol p pre s span strong sub sup table tbody td th thead time tr u ul video'
const attributes =
  'href class title alt src start datetime role aria-label controls preload data-user-id data-user-group-id data-stream-id ' +
  'data-code-language data-original-dimensions data-original-src data-transcoded-image'
const allowedTags = `${tags} ${formulaTags}`.split(' ')
const allowedAttributes = `${attributes} ${formulaAttributes}`.split(' ')
const noAddresses = allowedAttributes.filter(name => name !== 'href' && name !== 'src')

/** The user who reads the message. */
interface Surroundings {
  readonly me: number
  /** The class of a group mention does not identify the group; the server's flag tells whether the user is a member. */
  readonly isMentioned: boolean
  readonly hourCycle: 'h23' | 'h12' | undefined
  /** Websites that run code. */
  readonly playgrounds: readonly Playground[]
}

/** The user of this page as the reader. */
export const readerOf = (chat: Chat, isMentioned = false): Surroundings => ({
  me: chat.state.user_id,
  isMentioned,
  hourCycle: hourCycleOf(chat.state),
  playgrounds: chat.state.realm_playgrounds,
})

/**
 * Creates DOM nodes from a message's HTML. The server has sanitized it; the page does not rely on that: it allows few
 * elements and attributes, protects itself from linked pages, and loads images only from this server.
 */
export function markupOf(html: string, { me, isMentioned, hourCycle, playgrounds }: Surroundings): DocumentFragment {
  const fragment = createPurifier.sanitize(renameStyles(html), {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: allowedAttributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    // These attributes contain no URLs; without this option DOMPurify would check them as URLs.
    ADD_URI_SAFE_ATTR: noAddresses,
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|tel:|#|\/(?!\/))/i,
    RETURN_DOM_FRAGMENT: true,
  }) as DocumentFragment
  for (const link of fragment.querySelectorAll('a.message_embed_image')) showWebsitePicture(link)
  showFormulas(fragment)
  for (const link of fragment.querySelectorAll('a')) mendLink(link)
  for (const picture of fragment.querySelectorAll('img')) mendPicture(picture)
  for (const player of fragment.querySelectorAll<HTMLMediaElement>('audio, video')) {
    mendPlayer(player)
  }
  for (const span of fragment.querySelectorAll<HTMLElement>('span.emoji')) showEmoji(span)
  for (const paragraph of fragment.querySelectorAll('p')) enlarge(paragraph)
  for (const time of fragment.querySelectorAll('time')) showTime(time, hourCycle)
  for (const mention of fragment.querySelectorAll<HTMLElement>('.user-mention, .user-group-mention, .topic-mention')) {
    const id = mention.getAttribute('data-user-id')
    const isOwn = id === String(me) || (isMentioned && (id === '*' || !mention.classList.contains('user-mention')))
    mention.classList.toggle('own-mention', isOwn && !mention.classList.contains('silent'))
  }
  showFiles(fragment)
  for (const block of fragment.querySelectorAll<HTMLElement>('.codehilite')) offerCodeTools(block, playgrounds)
  // What may be wider than the message scrolls, also by keys.
  for (const wide of fragment.querySelectorAll<HTMLElement>('pre, table')) wide.tabIndex = 0
  for (const spoiler of fragment.querySelectorAll<HTMLElement>('.spoiler-block')) foldSpoiler(spoiler)
  return fragment
}

/** The words of a message, without what a spoiler hides; the names of its pictures, if it has no words. */
export function textOfMarkup(html: string): string {
  const fragment = createPurifier.sanitize(html, {
    ALLOWED_TAGS: allowedTags,
    // Without an address a picture does not load.
    ALLOWED_ATTR: ['class', 'alt', 'title'],
    RETURN_DOM_FRAGMENT: true,
  }) as DocumentFragment
  for (const span of fragment.querySelectorAll<HTMLElement>('span.emoji')) showEmoji(span)
  for (const hidden of fragment.querySelectorAll('.spoiler-content')) hidden.remove()
  return fragment.textContent?.trim() || listText([...fragment.querySelectorAll('img')].map(nameOfPicture))
}

/** The uploaded files to which a message links, each once. Nothing of them is loaded. */
export function filesOfMarkup(html: string): LinkedFile[] {
  const fragment = createPurifier.sanitize(html, {
    ALLOWED_TAGS: ['a'],
    ALLOWED_ATTR: ['href', 'title'],
    RETURN_DOM_FRAGMENT: true,
  }) as DocumentFragment
  const names = new Map<string, string>()
  for (const link of fragment.querySelectorAll<HTMLAnchorElement>('a[href^="/user_uploads/"]')) {
    const address = link.getAttribute('href') ?? ''
    names.set(address, names.get(address) || link.textContent.trim() || link.title)
  }
  return [...names].map(([address, name]) => ({ address, name: name || t('message.picture') }))
}

const nameOfPicture = (picture: HTMLImageElement): string =>
  picture.alt || picture.closest('a')?.title || t('message.picture')

function mendLink(link: HTMLAnchorElement): void {
  const target = link.getAttribute('href') ?? ''
  // A link to a view stays in this page.
  const own = target.startsWith(`${location.origin}/#`) ? target.slice(location.origin.length) : target
  if (own.startsWith('#') || own.startsWith('/#')) {
    link.setAttribute('href', own.replace(/^\//, ''))
    return
  }
  link.target = '_blank'
  link.rel = 'noopener noreferrer nofollow'
}

function mendPicture(picture: HTMLImageElement): void {
  const address = new URL(picture.getAttribute('src') ?? '', location.origin)
  // An image from another host would reveal to its owner who reads the message, and when.
  if (address.origin !== location.origin) {
    picture.replaceWith(picture.alt || t('message.picture'))
    return
  }
  picture.loading = 'lazy'
  if (picture.hasAttribute('data-original-dimensions')) mendUpload(picture)
  else if (!picture.alt && !picture.closest('.message_embed_image'))
    picture.alt = picture.closest('a')?.title || t('message.picture')
}

/** The picture of a website is the background of an empty link; the title beside it is the same link, and can be read. */
function showWebsitePicture(link: Element): void {
  const [address] = /\/external_content\/[0-9a-f/]+/.exec(link.getAttribute('data-style') ?? '') ?? []
  if (address === undefined) {
    link.remove()
    return
  }
  const picture = document.createElement('img')
  picture.src = address
  picture.alt = ''
  link.append(picture)
  link.setAttribute('aria-hidden', 'true')
  link.setAttribute('tabindex', '-1')
}

// The largest size at which a message shows a picture, in pixels.
const mostWidth = 420
const mostHeight = 320

/** Reserves the room of an uploaded picture, and makes it a link to the whole picture. */
function mendUpload(picture: HTMLImageElement): void {
  const [width = 0, height = 0] = (picture.getAttribute('data-original-dimensions') ?? '').split('x').map(Number)
  const scale = Math.min(1, mostWidth / width, mostHeight / height)
  picture.width = Math.max(1, Math.round(width * scale))
  picture.height = Math.max(1, Math.round(height * scale))
  const original = picture.getAttribute('data-original-src')
  const frame = picture.closest('a')
  if (original && !frame) {
    const link = document.createElement('a')
    link.href = original
    picture.replaceWith(link)
    link.append(picture)
    mendLink(link)
  } else if (!picture.alt) picture.alt = frame?.title || t('message.picture')
  picture.closest('a')?.classList.add('picture')
}

/** A player takes the place of the link around a video, which it would open. */
function mendPlayer(player: HTMLMediaElement): void {
  const address = new URL(player.getAttribute('src') ?? '', location.origin)
  if (address.origin !== location.origin) {
    player.remove()
    return
  }
  player.controls = true
  player.closest('a')?.replaceWith(player)
}

function showEmoji(span: HTMLElement): void {
  const code = [...span.classList].find(name => name.startsWith('emoji-'))?.slice('emoji-'.length)
  const character = code && emojiCharacter(code)
  if (character) span.textContent = character
}

// Up to this many emoji without other text are shown large.
const mostLarge = 3

function enlarge(paragraph: HTMLParagraphElement): void {
  const isEmoji = (node: Node) => node instanceof HTMLElement && node.classList.contains('emoji')
  const nodes = [...paragraph.childNodes].filter(node => isEmoji(node) || node.textContent?.trim() !== '')
  if (nodes.length > 0 && nodes.length <= mostLarge && nodes.every(isEmoji)) paragraph.classList.add('only-emoji')
}

function showTime(time: HTMLTimeElement, hourCycle: Surroundings['hourCycle']): void {
  const moment = new Date(time.dateTime)
  if (Number.isNaN(moment.getTime())) return
  const cycle = hourCycle && { hourCycle }
  time.textContent = moment.toLocaleString(locale(), { dateStyle: 'medium', timeStyle: 'short', ...cycle })
  time.title = moment.toLocaleString(locale(), { dateStyle: 'full', timeStyle: 'long', ...cycle })
}

/** The browser's details element: it supports the keyboard and screen readers. */
function foldSpoiler(block: HTMLElement): void {
  const [header, content] = block.children
  if (!header || !content) return
  const details = document.createElement('details')
  const summary = document.createElement('summary')
  summary.append(...header.childNodes)
  if (!summary.textContent?.trim()) summary.textContent = t('message.spoiler')
  const inner = document.createElement('div')
  inner.append(...content.childNodes)
  details.className = 'spoiler'
  details.append(summary, inner)
  block.replaceWith(details)
}
